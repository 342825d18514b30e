//! No call before its time: I14. Times are those of the store's clock: where it was put forward, so much less had to
//! be waited for.

use super::{
    Findings,
    history::ActKind,
    index::Index,
    state::Outcome,
    wire::{Attempt, Job},
};
use crate::target::Arrival;

pub(super) fn check(index: &Index<'_>, findings: &mut Findings) {
    for job in index.jobs.values() {
        // Who runs a job now, or again, sets its time aside.
        if index.has_act(&job.id, ActKind::RunNow) || index.has_act(&job.id, ActKind::Retry) {
            continue;
        }
        first_waits(index, job, findings);
        planned_attempts_wait(index, job, findings);
        retry_after_is_honoured(index, job, findings);
    }
}

fn first_waits(index: &Index<'_>, job: &Job, findings: &mut Findings) {
    let request = index.request(job);
    let due = request.and_then(|request| Some((request.start_us, request.run_at_us?)));
    let first = index.arrivals(&job.id).first();
    if let (Some((since, due)), Some(first)) = (due, first) {
        let ahead = index.moments.ahead_within(since, first.at_us).1;
        judge(index, job, first, due - ahead, "its run_at", findings);
    }
}

fn planned_attempts_wait(index: &Index<'_>, job: &Job, findings: &mut Findings) {
    for attempt in index.attempts(&job.id) {
        let Some(due) = attempt.next_run_at else {
            continue;
        };
        let mut arrivals = index.arrivals(&job.id).iter();
        if let Some(next) = arrivals.find(|one| one.attempt == attempt.attempt + 1) {
            let first = index.arrivals(&job.id).first();
            let since = first.map_or(i64::MIN, |first| first.at_us);
            let ahead = index.moments.ahead_within(since, next.at_us).1;
            let due = due.0 - ahead;
            judge(index, job, next, due, "the time planned for it", findings);
        }
    }
}

/// The wait a target asked for counts if its answer was recorded. Of two calls of one attempt the first
/// was not: the database forgot its claim, and with it what came of it.
fn retry_after_is_honoured(index: &Index<'_>, job: &Job, findings: &mut Findings) {
    for pair in index.arrivals(&job.id).windows(2) {
        let (earlier, later) = (pair[0], pair[1]);
        let Some(seconds) = earlier.retry_after_s.filter(|_| earlier.answered) else {
            continue;
        };
        let is_forgotten = earlier.attempt == later.attempt;
        if !is_forgotten && index.attempt(earlier).is_some_and(is_recorded) {
            let (least, most) = index.moments.ahead_within(earlier.at_us, later.at_us);
            let due = earlier.at_us + i64::from(seconds) * 1_000_000 - (most - least);
            judge(
                index,
                job,
                later,
                due,
                "the Retry-After it was given",
                findings,
            );
        }
    }
}

fn is_recorded(attempt: &Attempt) -> bool {
    attempt
        .outcome
        .is_some_and(|outcome| outcome != Outcome::Lost)
}

fn judge(
    index: &Index<'_>,
    job: &Job,
    arrival: &Arrival,
    due: i64,
    what: &str,
    findings: &mut Findings,
) {
    let early = due - arrival.at_us;
    if early > index.history.rules.clock_us {
        findings.add(
            14,
            format!(
                "attempt {} of {} arrived {early} us before {what}",
                arrival.attempt, job.id
            ),
        );
    }
}
