//! What needs a person, the most harmful first; each with why, since when, and where to go.

use std::time::Duration;

use baton_domain::{Timestamp, fleet::Presence, queue::Queue};
use baton_engine::{RoutineState, Unreadable};

use super::queue;
use crate::{
    language::text,
    overview_cache::{Installation, OverviewSnapshot},
    view::{Markup, ago, count, jobs, span},
};

/// A cause of dead letters that grew this lately is news.
const NEWS: Duration = Duration::from_hours(1);
/// How many needs are shown at once.
const MOST: usize = 7;

/// One thing that needs a person.
pub struct Need {
    /// How bad: `dead` or `late`.
    pub tone: &'static str,
    /// Its shape.
    pub glyph: &'static str,
    /// What is the matter.
    pub what: String,
    /// What it means and what to do.
    pub why: String,
    /// Since when.
    pub since: Option<Markup>,
    /// Where to go, below the mount, and what that is called.
    pub link: Option<(&'static str, String)>,
}

/// Everything that needs a person.
pub fn needs(glance: &OverviewSnapshot) -> Vec<Need> {
    let mut needs = Vec::new();
    needs.extend(unreachable(glance));
    if let Some(installation) = &glance.installation {
        needs.extend(nobody_works(glance, installation));
        needs.extend(unserved(glance, installation));
        needs.extend(failing_routines(glance));
        needs.extend(unreadable_rows(glance));
        needs.extend(dead_letters(glance.at, installation));
        needs.extend(uncertain(&installation.lines));
        needs.extend(silent_workers(glance, installation));
        needs.extend(
            installation
                .queues
                .iter()
                .filter_map(|queue| paused(queue, glance.at)),
        );
    }
    needs.truncate(MOST);
    needs
}

fn unreachable(glance: &OverviewSnapshot) -> Option<Need> {
    let error = glance.trouble.as_ref()?;
    let as_of = glance
        .installation
        .as_ref()
        .map(|installation| installation.as_of);
    Some(Need {
        tone: "dead",
        glyph: "✕",
        what: tr!("The database does not answer").to_owned(),
        why: tr!(
            "{error}. Nothing new is accepted; what was accepted is safe and goes on by itself once \
             it answers. `baton doctor` says more.",
            error = error
        ),
        since: as_of.map(|at| ago(at, glance.at)),
        link: None,
    })
}

fn nobody_works(glance: &OverviewSnapshot, installation: &Installation) -> Option<Need> {
    if glance.live_workers().0 > 0 {
        return None;
    }
    let waiting: u64 = installation.lines.iter().map(|line| line.queued).sum();
    if waiting == 0 {
        return Some(Need {
            tone: "late",
            glyph: "◆",
            what: tr!("No worker is live").to_owned(),
            why: format!(
                "{} {}",
                tr!("Jobs are accepted and nobody runs them."),
                start_one()
            ),
            since: None,
            link: None,
        });
    }
    let lines = installation.lines.iter();
    let oldest = lines.filter_map(|line| line.oldest_queued_at);
    Some(Need {
        tone: "dead",
        glyph: "◆",
        what: match waiting {
            1 => tr!("No worker is live and 1 job is ready to run").to_owned(),
            n => tr!(
                "No worker is live and {n} jobs are ready to run",
                n = count(n)
            ),
        },
        why: start_one().to_owned(),
        since: oldest.min().map(|at| ago(at, glance.at)),
        link: Some(("/jobs?state=queued", tr!("Show them").to_owned())),
    })
}

/// Jobs for remote workers wait, and nobody who could do them is there.
fn unserved(glance: &OverviewSnapshot, installation: &Installation) -> Option<Need> {
    let queues = installation.queues.iter();
    let unserved: Vec<_> = queues
        .filter(|queue| queue::is_unserved(queue, glance))
        .collect();
    let names: Vec<_> = unserved.iter().map(|queue| queue.name.as_str()).collect();
    let waiting: u64 = unserved.iter().map(|queue| queue.queued).sum();
    let oldest = unserved.iter().filter_map(|queue| queue.oldest_queued_at);
    (waiting > 0).then(|| Need {
        tone: "dead",
        glyph: "◆",
        what: match waiting {
            1 => tr!(
                "No live worker serves {queues}, where 1 job waits",
                queues = names.join(", ")
            ),
            n => tr!(
                "No live worker serves {queues}, where {n} jobs wait",
                queues = names.join(", "),
                n = count(n)
            ),
        },
        why: tr!(
            "These are kinds that remote workers do. Start one that serves the queue: `baton worker`, or a \
             program with an SDK."
        )
        .to_owned(),
        since: oldest.min().map(|at| ago(at, glance.at)),
        link: Some(("/queues", tr!("Open queues").to_owned())),
    })
}

fn start_one() -> &'static str {
    tr!("Start one: `baton serve --roles worker` with this server's database.")
}

fn failing_routines(glance: &OverviewSnapshot) -> impl Iterator<Item = Need> {
    let routines = glance.health.routines.iter();
    routines
        .filter(|routine| routine.state == RoutineState::Failing)
        .map(|routine| Need {
            tone: "dead",
            glyph: "✕",
            what: tr!("The {routine} fails", routine = routine.name),
            why: tr!(
                "It {duty}. {n} turns in a row have failed: {why}",
                duty = text(routine.duty),
                n = routine.failures,
                why = routine
                    .last_error
                    .as_deref()
                    .unwrap_or(tr!("no reason known"))
            ),
            since: None,
            link: None,
        })
}

/// Rows that are passed over: nothing else stops, and they do not mend themselves.
fn unreadable_rows(glance: &OverviewSnapshot) -> Option<Need> {
    let rows = &glance.health.unreadable;
    let first = rows.first()?;
    let (table, row, column) = (first.table, &first.row, first.column);
    let by_table = Unreadable::by_table(rows);
    Some(Need {
        tone: "dead",
        glyph: "✕",
        what: match rows.len() {
            1 => tr!("A row of the database cannot be read").to_owned(),
            n => tr!(
                "{n} rows of the database cannot be read",
                n = count(n as u64)
            ),
        },
        why: tr!(
            "Passed over: {rows}, such as {row} of {table}, column {column}. They are damaged, or written by a \
             newer version. Start that version, or mend them; the log names each.",
            rows = by_table,
            row = row,
            table = table,
            column = column
        ),
        since: None,
        link: None,
    })
}

fn dead_letters(now: Timestamp, installation: &Installation) -> Option<Need> {
    let fresh: Vec<_> = installation
        .causes
        .iter()
        .filter(|cause| now.since(cause.last_at) < NEWS)
        .collect();
    let latest = fresh.first()?;
    Some(Need {
        tone: "dead",
        glyph: "✕",
        what: match fresh.len() {
            1 => tr!("Dead letters grew in the last hour, of one cause").to_owned(),
            causes => tr!(
                "Dead letters grew in the last hour, of {n} causes",
                n = causes
            ),
        },
        why: tr!(
            "Latest, {n} so far: {cause}",
            n = count(latest.count),
            cause = format!(
                "{} {}: {}",
                latest.kind, latest.reason, latest.sample.message
            )
        ),
        since: Some(ago(latest.last_at, now)),
        link: Some(("/dead-letters", tr!("Open dead letters").to_owned())),
    })
}

/// Only a person can end the doubt about them.
fn uncertain(lines: &[Queue]) -> Option<Need> {
    let waiting: u64 = lines.iter().map(|line| line.uncertain).sum();
    (waiting > 0).then(|| Need {
        tone: "late",
        glyph: "?",
        what: match waiting {
            1 => tr!("1 job is uncertain").to_owned(),
            n => tr!("{n} jobs are uncertain", n = count(n)),
        },
        why: tr!(
            "They may run once only, and were called without an answer. Look whether they were done, and \
             resolve them, or run them again."
        )
        .to_owned(),
        since: None,
        link: Some(("/jobs?state=uncertain", tr!("Show them").to_owned())),
    })
}

fn silent_workers(glance: &OverviewSnapshot, installation: &Installation) -> Option<Need> {
    let silent: Vec<_> = installation
        .workers
        .iter()
        .filter(|worker| glance.presence(worker) == Presence::Silent && glance.is_news(worker))
        .collect();
    let last = silent.iter().max_by_key(|worker| worker.seen_at)?;
    let names: Vec<_> = silent
        .iter()
        .map(|worker| worker.heartbeat.name.as_str())
        .collect();
    Some(Need {
        tone: "late",
        glyph: "◆",
        what: tr!("Silent: {names}", names = names.join(", ")),
        why: tr!(
            "It left without a word. What it held is run again by others when its leases end."
        )
        .to_owned(),
        since: Some(ago(last.seen_at, glance.at)),
        link: None,
    })
}

fn paused(queue: &Queue, now: Timestamp) -> Option<Need> {
    let waiting = queue.queued;
    (queue.paused && waiting > 0).then(|| Need {
        tone: "late",
        glyph: "‖",
        what: tr!(
            "Queue {queue} is paused with {jobs} ready",
            queue = queue.name,
            jobs = jobs(waiting)
        ),
        why: match queue.oldest_queued_at {
            Some(at) => tr!("The oldest has waited {span}.", span = span(now.since(at))),
            None => tr!("They start when it is resumed.").to_owned(),
        },
        since: None,
        link: None,
    })
}
