//! The fleet: which nodes there are, who works and who leads, in which version, what the servers do by themselves, and what they rest on.

mod nodes;

use std::collections::{BTreeMap, BTreeSet};

use askama::Template;
use axum::response::Response;
use baton_domain::{
    Timestamp,
    fleet::{Presence, Worker},
    node::NodeState,
};
use baton_engine::{HintState, RoutineHealth};

use super::Panel;
use crate::{
    overview_cache::OverviewSnapshot,
    root::Root,
    shell::Shell,
    view::{Markup, ago, count, presence_word, routine_word, short, span},
};

/// Shows the fleet.
pub async fn show(shell: Shell) -> Response {
    let panels = Panels::new(&shell.glance, &shell.root);
    shell.page(&FleetPage {
        shell: &shell,
        panels,
    })
}

/// The panels, for the live feed.
pub fn panels(glance: &OverviewSnapshot, root: &Root) -> Vec<Panel> {
    Panels::new(glance, root).all()
}

#[derive(Template)]
#[template(path = "rooms/fleet.html")]
struct FleetPage<'a> {
    shell: &'a Shell,
    panels: Panels,
}

panels!(footing, nodes, workers, kinds, routines);

impl Panels {
    fn new(glance: &OverviewSnapshot, root: &Root) -> Self {
        Self {
            footing: Markup::of(&footing(glance)),
            nodes: nodes::table(glance),
            workers: workers(glance, root, "/fleet"),
            kinds: Markup::of(&Kinds {
                rows: kinds(glance),
            }),
            routines: routines(glance),
        }
    }
}

/// The table of workers; `back` is where its buttons lead back to without a script.
pub fn workers(glance: &OverviewSnapshot, root: &Root, back: &'static str) -> Markup {
    let rows = glance.workers().iter();
    Markup::of(&Workers {
        back,
        rows: rows
            .map(|worker| WorkerRow::new(worker, glance, root))
            .collect(),
    })
}

/// The table of routines.
pub fn routines(glance: &OverviewSnapshot) -> Markup {
    let rows = glance.health.routines.iter();
    Markup::of(&Routines {
        rows: rows.map(|r| RoutineRow::new(r, glance.at)).collect(),
    })
}

#[derive(Template)]
#[template(path = "panels/footing.html")]
struct Footing {
    rows: Vec<(&'static str, String, bool)>,
    /// The versions that run side by side, where there are several.
    mixed: Option<String>,
}

/// What the fleet rests on, each with whether it is as it should be.
fn footing(glance: &OverviewSnapshot) -> Footing {
    let (live, all) = glance.live_workers();
    let (there, nodes) = glance.live_nodes();
    let leader = glance.installation.as_ref().and_then(|seen| seen.leader);
    let store = match &glance.trouble {
        None => (glance.health.store.to_owned(), true),
        Some(why) => (
            tr!(
                "{store} does not answer: {why}",
                store = glance.health.store,
                why = why
            ),
            false,
        ),
    };
    let hints = glance
        .health
        .hints
        .as_ref()
        .map(|hints| match &hints.state {
            HintState::Open => (hints.kind.to_owned(), true),
            HintState::Building => (tr!("{hints}, being built anew", hints = hints.kind), true),
            HintState::Away(why) => (
                tr!(
                    "{hints} is away: {why}. Jobs are claimed from the database all the same",
                    hints = hints.kind,
                    why = why
                ),
                false,
            ),
        });
    let hints = hints.unwrap_or_else(|| {
        (
            tr!("none configured; workers look by themselves").to_owned(),
            true,
        )
    });
    let clock = clock(glance);
    let lead = match leader {
        Some(id) => (glance.name_of(id), true),
        None => (
            tr!("none: the next turn of an election makes one").to_owned(),
            false,
        ),
    };
    let row = |name, (text, is_fine): (String, bool)| (name, text, is_fine);
    Footing {
        rows: vec![
            row(
                key!("nodes"),
                (
                    tr!("{n} of {all} live", n = there, all = nodes),
                    there == nodes,
                ),
            ),
            row(
                key!("workers"),
                (
                    tr!("{n} of {all} live", n = live, all = all),
                    live == all && all > 0,
                ),
            ),
            row(key!("leader"), lead),
            row(key!("database"), store),
            row(key!("hints"), hints),
            row(key!("clock"), clock),
        ],
        mixed: mixed(glance),
    }
}

/// How this server's clock goes, with whether it is as it should be: the database's is followed, wherever the machine's is.
fn clock(glance: &OverviewSnapshot) -> (String, bool) {
    let health = &glance.health;
    if let Some(step) = health.clock_step {
        let ago = span(step.ago);
        let told = tr!(
            "the database's stepped by {by}, {ago} ago",
            by = step.by,
            ago = ago
        );
        return (told, false);
    }
    let Some(drift) = health.clock_drift else {
        return (tr!("goes with the database's").to_owned(), true);
    };
    let (by, bound) = (span(drift.ahead.unsigned_abs()), span(drift.bound));
    let told = match drift.ahead.is_negative() {
        true => tr!(
            "goes with the database's; this machine's is {by} ahead of it, give or take {bound}",
            by = by,
            bound = bound
        ),
        false => tr!(
            "goes with the database's; this machine's is {by} behind it, give or take {bound}",
            by = by,
            bound = bound
        ),
    };
    (told, true)
}

fn mixed(glance: &OverviewSnapshot) -> Option<String> {
    let beats = glance.workers().iter();
    let beats =
        beats.filter(|one| !matches!(glance.presence(one), Presence::Left | Presence::Silent));
    // What runs jobs of its own is versioned by whoever wrote it.
    let servers = beats.filter(|one| one.heartbeat.remote.is_none());
    let servers = servers.map(|one| one.heartbeat.version.as_str());
    let nodes = glance.nodes().iter();
    let nodes = nodes.filter(|one| one.state(glance.at) == NodeState::Live);
    let nodes = nodes.map(|one| one.node.version.as_str());
    let versions: BTreeSet<_> = servers.chain(nodes).collect();
    let told: Vec<_> = versions.iter().copied().collect();
    (told.len() > 1).then(|| told.join(", "))
}

#[derive(Template)]
#[template(path = "panels/workers.html")]
struct Workers {
    back: &'static str,
    rows: Vec<WorkerRow>,
}

struct WorkerRow {
    id: String,
    short: String,
    name: String,
    version: String,
    /// What it is written with, and what it does, where it says so.
    says: Option<String>,
    presence: &'static str,
    presence_word: &'static str,
    running: String,
    running_number: u32,
    slots: u32,
    slots_by_queue: String,
    since: Markup,
    seen: Markup,
    /// Its button: where that leads, its word, what it says and what it does.
    press: Option<(String, &'static str, &'static str, &'static str)>,
}

impl WorkerRow {
    fn new(worker: &Worker, glance: &OverviewSnapshot, root: &Root) -> Self {
        let beat = &worker.heartbeat;
        let remote = beat.remote.as_ref();
        let own: u32 = beat.slots.values().sum();
        let slots = remote.map_or(own, |remote| remote.slots);
        let by_queue = beat.slots.iter().map(|(queue, n)| format!("{queue} {n}"));
        let by_queue: Vec<_> = by_queue.collect();
        let presence = glance.presence(worker);
        Self {
            id: beat.worker.to_string(),
            short: short(beat.worker),
            name: beat.name.clone(),
            version: remote
                .and_then(|remote| remote.app_version.clone())
                .unwrap_or_else(|| beat.version.clone()),
            says: remote.map(|remote| format!("{} · {}", remote.sdk, remote.kinds.join(", "))),
            presence: presence.as_str(),
            presence_word: presence_word(presence),
            running: format!("{} / {}", count(beat.running.into()), count(slots.into())),
            running_number: beat.running.min(slots),
            slots,
            slots_by_queue: remote
                .map_or_else(|| by_queue.join(", "), |remote| remote.queues.join(", ")),
            since: ago(beat.started_at, glance.at),
            seen: ago(worker.seen_at, glance.at),
            press: press(worker, presence, root),
        }
    }
}

/// A worker that is gone has no button: nobody is there to hear it.
fn press(
    worker: &Worker,
    presence: Presence,
    root: &Root,
) -> Option<(String, &'static str, &'static str, &'static str)> {
    if matches!(presence, Presence::Left | Presence::Silent) {
        return None;
    }
    let (word, label, hint) = match worker.drain {
        false => (
            "drain",
            tr!("Drain"),
            tr!("It finishes what it has and takes nothing new"),
        ),
        true => (
            "undrain",
            tr!("Take work again"),
            tr!("It takes new jobs again"),
        ),
    };
    let path = format!("/fleet/{}/{word}", worker.heartbeat.worker);
    Some((root.href(&path), word, label, hint))
}

#[derive(Template)]
#[template(path = "panels/kinds.html")]
struct Kinds {
    rows: Vec<KindRow>,
}

#[derive(Default)]
struct KindRow {
    kind: String,
    live: u64,
    others: u64,
    free: u64,
    names: Vec<String>,
}

/// The kinds that remote workers say they do.
fn kinds(glance: &OverviewSnapshot) -> Vec<KindRow> {
    let mut kinds = BTreeMap::<&str, KindRow>::new();
    for worker in glance.workers() {
        let Some(remote) = &worker.heartbeat.remote else {
            continue;
        };
        let is_live = glance.presence(worker) == Presence::Live;
        for kind in &remote.kinds {
            let row = kinds.entry(kind).or_default();
            row.kind.clone_from(kind);
            if is_live {
                row.live += 1;
                row.free += u64::from(remote.free);
                row.names.push(worker.heartbeat.name.clone());
            } else {
                row.others += 1;
            }
        }
    }
    kinds.into_values().collect()
}

#[derive(Template)]
#[template(path = "panels/routines.html")]
struct Routines {
    rows: Vec<RoutineRow>,
}

struct RoutineRow {
    name: &'static str,
    duty: &'static str,
    state: &'static str,
    is_failing: bool,
    last_turn: Option<Markup>,
    took: String,
    last_error: Option<String>,
}

impl RoutineRow {
    fn new(routine: &RoutineHealth, now: Timestamp) -> Self {
        Self {
            name: routine.name,
            duty: routine.duty,
            state: routine_word(routine.state),
            is_failing: routine.failures > 0,
            last_turn: routine.last_turn_at.map(|at| ago(at, now)),
            took: span(routine.last_turn_took),
            last_error: routine.last_error.clone(),
        }
    }
}
