//! I4, G7, counters: what the store looks like when all is over.

use std::collections::BTreeMap;

use baton_domain::job::State;

use super::Found;
use crate::journal::History;

/// G7
pub fn nothing_stands_still(history: &History) -> Found {
    let idle = history.idle.iter();
    let message = "has not moved since the faults ended, though it could";
    idle.map(|job| (Some(*job), message.to_owned())).collect()
}

/// I4
pub fn everything_ends(history: &History) -> Found {
    let open = history.jobs.values().filter(|job| !job.state.is_terminal());
    open.map(|job| (Some(job.id), format!("is still {}", job.state)))
        .collect()
}

/// What is counted is what there is, and reconciling finds no drift.
pub fn counters_agree_with_places(history: &History) -> Found {
    let mut found: Found = history
        .drifts
        .iter()
        .map(|drift| (None, format!("reconciling found {drift:?}")))
        .collect();
    for queue in &history.queues {
        let count = |state| {
            let jobs = history.jobs.values();
            let jobs = jobs.filter(|job| job.queue == queue.name && job.state == state);
            jobs.count() as u64
        };
        let counted = [
            (State::Pending, queue.pending),
            (State::Queued, queue.queued),
            (State::Running, queue.running),
            (State::RetryWait, queue.retry_wait),
            (State::Failed, queue.failed),
            (State::Succeeded, queue.succeeded),
        ];
        for (state, counted) in counted {
            if counted != count(state) {
                let (name, there) = (&queue.name, count(state));
                found.push((None, format!("{name} counts {counted} {state} of {there}")));
            }
        }
    }
    found
}

/// The groups are the failed jobs that nobody discarded.
pub fn dead_letters_are_the_failed_jobs(history: &History) -> Found {
    // A job that fails again after it was discarded is a dead letter again.
    let mut is_letter = BTreeMap::new();
    for event in &history.events {
        match event.kind.as_str() {
            "job.failed" => is_letter.insert(&event.subject, true),
            "job.discarded" => is_letter.insert(&event.subject, false),
            kind if kind.starts_with("job.") && kind != "job.cancel_asked" => {
                is_letter.remove(&event.subject)
            }
            _ => None,
        };
    }
    let letters = is_letter.values().filter(|is_letter| **is_letter).count();
    let grouped: u64 = history.letters.iter().map(|group| group.count).sum();
    if grouped == letters as u64 {
        return Vec::new();
    }
    vec![(
        None,
        format!("the groups hold {grouped} dead letters of {letters}"),
    )]
}

/// What an operator started goes on whatever happens, and ends.
pub fn operations_end(history: &History) -> Found {
    let mut found: Found = history
        .operations
        .iter()
        .filter(|one| one.finished_at.is_none() || one.done + one.skipped < one.total)
        .map(|one| (None, format!("{one:?} has not come to its end")))
        .collect();
    let confirmed = history.started.iter().filter(|one| one.is_confirmed);
    let (confirmed, there) = (confirmed.count(), history.operations.len());
    if confirmed > there {
        found.push((
            None,
            format!("{confirmed} operations were confirmed, {there} exist"),
        ));
    }
    found
}
