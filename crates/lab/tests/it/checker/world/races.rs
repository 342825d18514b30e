//! Races that a history shows and that break no promise; carried further, they do.

use baton_lab::{
    checker::{At, Fault, FaultKind, History, Outcome, Posted, State},
    target::Answer,
};

use super::SECOND;

/// Dates the first claim so long before the move that made its job claimable.
pub fn date_a_claim_before_its_job(history: &mut History, before: i64) {
    let events = &mut history.events;
    let claim = events.iter().position(|one| one.kind == "job.running");
    let claim = claim.unwrap();
    let job = events[claim].subject.clone();
    let earlier = events[..claim].iter().rfind(|one| one.subject == job);
    let queued_at = earlier.unwrap().at.0;
    events[claim].at = At(queued_at - before);
}

/// Pauses the worker of a job's first attempt while its call is on its way: the job is called again by
/// another, succeeds, and when the worker wakes the held call arrives, this long after.
pub fn hold_a_call_back(history: &mut History, after_waking: i64) {
    let mut arrivals = history.arrivals.iter();
    let first = arrivals.position(|one| one.path == "/reset/1" && one.attempt == 1);
    let mut held = history.arrivals.remove(first.unwrap());
    let mut of_job = history.arrivals.iter();
    let next = of_job.find(|one| one.job_id == held.job_id).unwrap();
    let woke_us = next.at_us + SECOND;
    let mut attempts = history.attempts.iter_mut();
    let attempt = attempts.find(|one| one.job_id == held.job_id && one.attempt == 1);
    let attempt = attempt.unwrap();
    attempt.outcome = Some(Outcome::Lost);
    history.faults.push(Fault {
        name: String::new(),
        kind: FaultKind::Pause,
        worker: attempt.worker.clone(),
        from_us: held.at_us,
        until_us: woke_us,
    });
    held.at_us = woke_us + after_waking;
    held.ended_us = Some(held.at_us + 1);
    (held.answer, held.answered) = (Answer::Status(200), true);
    history.arrivals.push(held);
}

/// Kills the database under a claim that it had not written down: the call of the claim was answered with
/// a wait, nobody knows of it, and the job is claimed again under the same number.
pub fn forget_a_claim(history: &mut History) {
    let mut arrivals = history.arrivals.iter();
    let known = arrivals.find(|one| one.path == "/ok" && one.attempt == 1);
    let mut forgotten = known.unwrap().clone();
    forgotten.at_us -= SECOND / 2;
    forgotten.ended_us = Some(forgotten.at_us + 1);
    forgotten.answer = Answer::Status(429);
    forgotten.retry_after_s = Some(1);
    history.faults.push(Fault {
        kind: FaultKind::Database,
        name: String::new(),
        worker: None,
        from_us: forgotten.at_us - 1_000,
        until_us: forgotten.at_us + 100_000,
    });
    history.arrivals.push(forgotten);
}

/// The same, and somebody cancels the job before it is claimed again.
pub fn forget_the_claim_of_a_canceled_job(history: &mut History) {
    let mut jobs = history.jobs.iter();
    let canceled = jobs.find(|job| job.state == State::Canceled && job.attempt == 0);
    let canceled = canceled.unwrap();
    // It was due at once.
    for request in &mut history.requests {
        if matches!(&request.answer, Posted::Ok { id, .. } if *id == canceled.id) {
            request.run_at_us = None;
        }
    }
    let mut call = history.arrivals[0].clone();
    (call.job_id, call.key) = (canceled.id.clone(), format!("{}.1", canceled.id));
    (call.attempt, call.at_us) = (1, canceled.created_at.0 + 1);
    call.ended_us = Some(call.at_us + 1);
    history.faults.push(Fault {
        kind: FaultKind::Database,
        name: String::new(),
        worker: None,
        from_us: call.at_us - 1_000,
        until_us: call.at_us + 100_000,
    });
    history.arrivals.push(call);
}
