//! The history of attempts: I11, I12, I13.

use super::{
    Findings,
    history::ActKind,
    index::Index,
    state::{Outcome, State},
    wire::{At, Attempt, Job},
};
use crate::target::Answer;

pub(super) fn check(index: &Index<'_>, findings: &mut Findings) {
    for job in index.jobs.values() {
        let attempts = index.attempts(&job.id);
        are_numbered(job, attempts, findings);
        have_a_result_each(job, attempts, findings);
        explain_the_state(index, job, attempts, findings);
        do_not_overlap(index, job, attempts, findings);
        stay_within_limits(index, job, attempts, findings);
    }
}

/// I11: 1 to n, n being the job's own count.
fn are_numbered(job: &Job, attempts: &[&Attempt], findings: &mut Findings) {
    let numbers: Vec<_> = attempts.iter().map(|one| one.attempt).collect();
    let expected: Vec<_> = (1..=job.attempt).collect();
    if numbers != expected {
        let (id, count) = (&job.id, job.attempt);
        findings.add(
            11,
            format!("{id} counts {count} attempts and its history has {numbers:?}"),
        );
    }
    if attempts.windows(2).any(|pair| pair[1].run < pair[0].run) {
        findings.add(
            11,
            format!("the runs of {} fall from attempt to attempt", job.id),
        );
    }
}

/// I11: every attempt but the one that runs has a result.
fn have_a_result_each(job: &Job, attempts: &[&Attempt], findings: &mut Findings) {
    let Some((_, before)) = attempts.split_last() else {
        return;
    };
    for attempt in before.iter().filter(|one| !is_ended(one)) {
        findings.add(
            11,
            format!(
                "attempt {} of {} has a successor and no result",
                attempt.attempt, job.id
            ),
        );
    }
    for attempt in before.iter().filter(|one| is_success(one)) {
        findings.add(
            11,
            format!(
                "attempt {} of {} succeeded and has a successor",
                attempt.attempt, job.id
            ),
        );
    }
}

fn is_ended(attempt: &Attempt) -> bool {
    attempt.outcome.is_some() && attempt.ended_at.is_some()
}

fn is_success(attempt: &Attempt) -> bool {
    let is_adopted = attempt
        .late
        .as_ref()
        .is_some_and(|late| late.adopted && late.outcome == Outcome::Succeeded);
    is_adopted || attempt.outcome == Some(Outcome::Succeeded)
}

/// I11: the last attempt explains where the job is.
fn explain_the_state(index: &Index<'_>, job: &Job, attempts: &[&Attempt], findings: &mut Findings) {
    // A person's word stands above the attempt's.
    if index.has_act(&job.id, ActKind::Resolve) {
        return;
    }
    let last = attempts.last();
    let outcome = last.and_then(|last| last.outcome);
    let succeeded = last.is_some_and(|last| is_success(last));
    let explained = match (job.state, job.reason.as_deref()) {
        (State::Succeeded, _) => succeeded,
        (State::Failed, Some("expired")) | (State::Canceled, _) => !succeeded,
        (State::Failed, Some("lost")) => outcome == Some(Outcome::Lost),
        (State::Failed, _) => outcome == Some(Outcome::Failed),
        (State::Running, _) => last.is_some() && outcome.is_none(),
        // A delivery that makes no sense is never tried.
        (State::Skipped, _) if job.campaign_id.is_some() && job.attempt == 0 => last.is_none(),
        (State::Skipped, _) => outcome == Some(Outcome::Skipped),
        (State::Uncertain, _) => matches!(outcome, Some(Outcome::Uncertain | Outcome::Lost)),
        (State::Pending | State::Queued | State::RetryWait, _) => !succeeded,
    };
    if !explained {
        let (id, state) = (&job.id, job.state.as_str());
        findings.add(
            11,
            format!("{id} is {state}, and its last attempt ended as {outcome:?}"),
        );
    }
}

/// I12: no attempt begins before the one before has ended.
fn do_not_overlap(index: &Index<'_>, job: &Job, attempts: &[&Attempt], findings: &mut Findings) {
    for pair in attempts.windows(2) {
        if let (Some(ended), Some(started)) = (pair[0].ended_at, pair[1].started_at)
            && started.0 + index.history.rules.clock_us < ended.0
            && index.moments.latest(started.0) + index.history.rules.clock_us
                < index.moments.earliest(ended.0)
        {
            findings.add(
                12,
                format!(
                    "attempt {} of {} began at {started}, before attempt {} ended at {ended}",
                    pair[1].attempt, job.id, pair[0].attempt
                ),
            );
        }
    }
}

/// I13: tries, losses and calls.
fn stay_within_limits(
    index: &Index<'_>,
    job: &Job,
    attempts: &[&Attempt],
    findings: &mut Findings,
) {
    let (id, most) = (&job.id, job.max_attempts);
    if job.tries > most {
        findings.add(13, format!("{id} used {} tries of {most}", job.tries));
    }
    if job.losses > index.history.rules.max_losses {
        findings.add(13, format!("{id} was lost {} times", job.losses));
    }
    let last_run = attempts.last().map_or(1, |last| last.run);
    for run in 1..=last_run {
        let of_run = |attempt: &&Attempt| attempt.run == run;
        let lost = |attempt: &&Attempt| attempt.outcome == Some(Outcome::Lost);
        let losses = attempts.iter().copied().filter(of_run).filter(lost).count();
        let calls = index
            .arrivals(id)
            .iter()
            // An answer that asks for patience is not a try.
            .filter(|one| one.answer != Answer::Status(429))
            .filter(|one| index.attempt(one).map_or(1, |attempt| attempt.run) == run)
            .count();
        let limit = most as usize + losses + lost_claims(index, job);
        if calls > limit {
            findings.add(
                13,
                format!(
                    "run {run} of {id} made {calls} calls; \
                     {most} tries and {losses} losses allow {limit}"
                ),
            );
        }
    }
}

/// A database that dies may forget a claim, and with it that its call was made.
fn lost_claims(index: &Index<'_>, job: &Job) -> usize {
    let tolerance = index.history.rules.clock_us;
    let began = index.moments.earliest(job.created_at.0) - tolerance;
    let latest = |at: At| index.moments.latest(at.0) + tolerance;
    let ended = job.finished_at.map_or(i64::MAX, latest);
    let faults = index.history.faults.iter();
    faults
        .filter(|fault| fault.kind.forgets_claims())
        .filter(|fault| fault.until_us >= began && fault.from_us <= ended)
        .count()
}
