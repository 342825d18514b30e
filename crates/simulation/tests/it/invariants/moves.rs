//! I10, I17: every move is one fact; the facts, replayed, are the truth.

use baton_domain::{JobId, Lifecycle, job::State, operation::Action};

use super::Found;
use crate::journal::{ActKind, History};

/// I17, numbers
pub fn events_are_numbered_without_a_gap(history: &History) -> Found {
    let numbers = history.events.iter().map(|event| event.id.seq).zip(1..);
    let gap = numbers.filter(|(have, want)| have != want).take(1);
    gap.map(|(have, want)| (None, format!("event {want} is missing; {have} follows")))
        .collect()
}

/// I17, order
pub fn every_move_is_legal_and_one_fact(history: &History) -> Found {
    let mut found = Vec::new();
    for (job, moves) in history.moves_by_job() {
        let mut at = None;
        for (from, to) in moves {
            let is_known = match from {
                None => matches!(to, "pending" | "queued"),
                Some(from) => State::MOVES
                    .iter()
                    .any(|(a, _, b)| a.as_str() == from && b.as_str() == to),
            };
            if from != at || !is_known {
                let message = format!("was {at:?} and moved from {from:?} to {to}");
                found.push((Some(job), message));
            }
            at = Some(to);
        }
    }
    found
}

/// I17, replay
pub fn replayed_facts_lead_to_the_final_state(history: &History) -> Found {
    let moves = history.moves_by_job();
    let wrong = history.jobs.values().filter_map(|job| {
        let told = moves.get(&job.id).and_then(|moves| moves.last());
        let told = told.map(|(_, to)| *to);
        let is_told = told == Some(job.state.as_str());
        (!is_told).then(|| {
            (
                Some(job.id),
                format!("is {} and was told as {told:?}", job.state),
            )
        })
    });
    wrong.collect()
}

/// I10
pub fn only_a_person_moves_a_job_that_has_ended(history: &History) -> Found {
    let moves = history.moves_by_job();
    let moved = moves.iter().filter_map(|(job, moves)| {
        let woken = |word: &str| word.parse::<State>().is_ok_and(State::is_terminal);
        let woken = moves.iter().filter(|(from, _)| from.is_some_and(woken));
        let (woken, allowed) = (woken.count(), allowed(history, *job));
        (woken > allowed).then(|| {
            let message = format!("was woken {woken} times, and {allowed} times by a person");
            (Some(*job), message)
        })
    });
    moved.collect()
}

fn allowed(history: &History, job: JobId) -> usize {
    let acts = history.acts_on(job, &[ActKind::Retry, ActKind::Resolve]);
    let started = history.started.iter();
    acts.count() + started.filter(|one| one.action == Action::Retry).count()
}
