//! What arrived, call by call: I6, I7, I8, I9.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    Findings,
    expect::expected,
    history::{ActKind, FaultKind},
    index::Index,
    repeats::{Why, why, woke},
    state::State,
    wire::Job,
};
use crate::target::{Answer, Arrival};

pub(super) fn check(index: &Index<'_>, findings: &mut Findings) {
    canceled_jobs_are_not_called(index, findings);
    repeats_have_a_reason(index, findings);
    doubts_are_not_repeated(index, findings);
    scripts_are_followed(index, findings);
    keys_belong_to_one_run(index, findings);
    attempts_rise(index, findings);
}

/// I6: a job that was canceled before any claim is not called until a person runs it again.
fn canceled_jobs_are_not_called(index: &Index<'_>, findings: &mut Findings) {
    for (job, moves) in index.moves_by_job() {
        let Some(canceled) = moves.iter().position(|one| one.to == State::Canceled) else {
            continue;
        };
        if moves[..canceled].iter().any(|one| one.to == State::Running) {
            continue;
        }
        let again = moves
            .get(canceled + 1)
            .map_or(i64::MAX, |one| index.moments.earliest(one.event.at.0));
        let until = again.saturating_sub(index.history.rules.clock_us);
        let called = index.arrivals(job).iter().filter(|one| one.at_us < until);
        for arrival in called.filter(|one| !is_forgotten(index, one, one)) {
            findings.add(
                6,
                format!(
                    "{job} was canceled before any claim, and {} arrived",
                    name(arrival)
                ),
            );
        }
    }
}

/// I7 and I8: who repeats a call has a reason, and a kill is a reason for so many only.
fn repeats_have_a_reason(index: &Index<'_>, findings: &mut Findings) {
    let mut by_fault = BTreeMap::<usize, Vec<Option<i64>>>::new();
    for (key, arrivals) in &index.by_key {
        for (earlier, later) in pairs(arrivals) {
            match why(index, earlier, later) {
                Why::Nothing => findings.add(
                    7,
                    format!(
                        "{} arrived though {} had been answered with {:?}, \
                         and no fault kept that from being recorded (key {key})",
                        name(later),
                        name(earlier),
                        earlier.answer
                    ),
                ),
                Why::Fault(number, _) => {
                    by_fault.entry(number).or_default().push(earlier.ended_us);
                }
                Why::Asked | Why::Unanswered | Why::Redriven => {}
            }
        }
    }
    let most = index.history.rules.in_doubt;
    for (number, ends) in by_fault {
        let repeats = noticed(&ends, index.history.rules.unnoticed_us);
        let fault = &index.history.faults[number];
        if fault.kind == FaultKind::Kill && repeats > most {
            let worker = fault.worker.as_deref().unwrap_or("a process");
            findings.add(
                8,
                format!(
                    "the kill of {worker} at {} us repeated {repeats} calls; \
                     it can have had {most} in doubt",
                    fault.from_us
                ),
            );
        }
    }
}

/// How many calls there are beside those that ended while their worker could not know yet that the store is silent, which
/// is the time in which the most of them did.
fn noticed(ends: &[Option<i64>], unnoticed_us: i64) -> usize {
    let mut known: Vec<_> = ends.iter().flatten().copied().collect();
    known.sort_unstable();
    let within = |from: &i64| {
        known
            .iter()
            .filter(|end| (*from..from + unnoticed_us).contains(*end))
            .count()
    };
    ends.len() - known.iter().map(within).max().unwrap_or(0)
}

/// I7: what must not be called twice in doubt is not.
fn doubts_are_not_repeated(index: &Index<'_>, findings: &mut Findings) {
    for job in index.jobs.values() {
        if !index.request(job).is_some_and(|one| one.at_most_once) {
            continue;
        }
        for (earlier, later) in pairs(index.arrivals(&job.id)) {
            let is_doubt = match earlier.answer {
                Answer::Status(_) => !earlier.answered,
                Answer::Reset | Answer::Hang => true,
            };
            if is_doubt && earlier.key == later.key {
                findings.add(
                    7,
                    format!(
                        "{} repeats a call in doubt, and its job is at most once",
                        name(later)
                    ),
                );
            }
        }
    }
}

/// I7: without faults a job is called exactly as often as its script asks.
fn scripts_are_followed(index: &Index<'_>, findings: &mut Findings) {
    if !index.is_calm() {
        return;
    }
    for job in index.jobs.values().filter(|job| job.state.is_terminal()) {
        let Some(calls) = scripted(index, job) else {
            continue;
        };
        let arrived = index.arrivals(&job.id).len();
        if arrived != calls as usize {
            findings.add(
                7,
                format!(
                    "{} was called {arrived} times, its script asks for {calls}",
                    job.id
                ),
            );
        }
    }
}

/// How often a job's script asks to be called, if nobody else had a say.
fn scripted(index: &Index<'_>, job: &Job) -> Option<u32> {
    let had_a_say = |act: &super::Act| act.kind != ActKind::RunNow;
    if index.acts(&job.id).any(had_a_say) || job.reason.as_deref() == Some("expired") {
        return None;
    }
    Some(expected(index.script(job)?, index.request(job)?)?.calls)
}

/// I9: one key per job and run.
fn keys_belong_to_one_run(index: &Index<'_>, findings: &mut Findings) {
    for (key, arrivals) in &index.by_key {
        if key.is_empty() {
            findings.add(
                9,
                format!(
                    "{} calls arrived without an idempotency key",
                    arrivals.len()
                ),
            );
            continue;
        }
        let jobs: BTreeSet<_> = arrivals.iter().map(|one| &one.job_id).collect();
        if jobs.len() > 1 {
            findings.add(
                9,
                format!("the idempotency key {key} was used for {jobs:?}"),
            );
        }
    }
    for (job, arrivals) in index.arrivals_by_job() {
        let mut keys = BTreeMap::<u32, BTreeSet<&str>>::new();
        for arrival in arrivals {
            let run = index.attempt(arrival).map_or(1, |attempt| attempt.run);
            keys.entry(run).or_default().insert(&arrival.key);
        }
        for (run, keys) in keys.into_iter().filter(|(_, keys)| keys.len() > 1) {
            findings.add(
                9,
                format!("run {run} of {job} was called with the keys {keys:?}"),
            );
        }
    }
}

/// I9: the attempt rises from call to call.
fn attempts_rise(index: &Index<'_>, findings: &mut Findings) {
    for (_, arrivals) in index.arrivals_by_job() {
        for arrival in arrivals.iter().filter(|one| one.attempt == 0) {
            findings.add(9, format!("{} says no attempt", name(arrival)));
        }
        for (earlier, later) in pairs(arrivals) {
            if later.attempt <= earlier.attempt && !may_fall(index, earlier, later) {
                findings.add(
                    9,
                    format!("{} arrived after {}", name(later), name(earlier)),
                );
            }
        }
    }
}

/// A claim that a database lost is made again under the same number; a call that was paused on its
/// way comes when its worker wakes, perhaps after its successor's.
fn may_fall(index: &Index<'_>, earlier: &Arrival, later: &Arrival) -> bool {
    woke(index, earlier, later).is_some() || is_forgotten(index, earlier, later)
}

/// Whether a database died about then and may have lost a claim whose call had been made.
fn is_forgotten(index: &Index<'_>, earlier: &Arrival, later: &Arrival) -> bool {
    let rules = &index.history.rules;
    let tolerance = rules.recording_us + rules.clock_us;
    index.history.faults.iter().any(|fault| {
        fault.kind.forgets_claims()
            && fault.from_us <= later.at_us + tolerance
            && fault.until_us + tolerance >= earlier.at_us
    })
}

fn pairs<'a>(arrivals: &'a [&'a Arrival]) -> impl Iterator<Item = (&'a Arrival, &'a Arrival)> {
    arrivals.windows(2).map(|pair| (pair[0], pair[1]))
}

fn name(arrival: &Arrival) -> String {
    format!(
        "attempt {} of {} ({}, {} us)",
        arrival.attempt, arrival.job_id, arrival.path, arrival.at_us
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_ended_before_a_worker_could_know_does_not_count_as_in_doubt() {
        let ends = [Some(10), Some(100), Some(140), Some(149), Some(150), None];

        assert_eq!(noticed(&ends, 50), 3);
        assert_eq!(noticed(&ends, 0), 6);
        assert_eq!(noticed(&[None, None], 50), 2);
    }
}
