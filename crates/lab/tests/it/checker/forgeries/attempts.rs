//! Forgeries of the history of attempts: I11, I12, I13.

use baton_lab::checker::{ActKind, At, FaultKind, Outcome, State};

use super::{arrival, forgeries, job_in, second_attempt};

forgeries! {
    calm, I 11: a_missing_attempt, |history| {
        let id = second_attempt(history, "/reset").job_id.clone();
        history.attempts.retain(|one| one.job_id != id || one.attempt != 1);
    };
    calm, I 11: two_results_of_one_attempt, |history| {
        let again = history.attempts[0].clone();
        history.attempts.push(again);
    };
    calm, I 11: an_attempt_more_than_the_job_counts, |history| {
        history.jobs[0].attempt += 1;
    };
    calm, I 11: swapped_attempts, |history| {
        let id = second_attempt(history, "/reset").job_id.clone();
        let last = history.attempts.iter().filter(|one| one.job_id == id).count() as u32;
        let own = history.attempts.iter_mut().filter(|one| one.job_id == id);
        own.for_each(|one| one.attempt = last + 1 - one.attempt);
    };
    calm, I 11: an_open_attempt_with_a_successor, |history| {
        let id = second_attempt(history, "/reset").job_id.clone();
        let first = history.attempts.iter_mut().find(|one| one.job_id == id).unwrap();
        first.outcome = None;
        first.ended_at = None;
    };
    calm, I 11: a_success_with_a_successor, |history| {
        let id = second_attempt(history, "/flaky").job_id.clone();
        let first = history.attempts.iter_mut().find(|one| one.job_id == id).unwrap();
        first.outcome = Some(Outcome::Succeeded);
    };
    calm, I 11: a_succeeded_job_whose_last_attempt_failed, |history| {
        let id = job_in(history, State::Succeeded).id.clone();
        let last = history.attempts.iter_mut().rfind(|one| one.job_id == id).unwrap();
        last.outcome = Some(Outcome::Failed);
    };
    stormy, I 11: a_late_success_that_was_not_adopted_and_yet_counts, |history| {
        let late = history.attempts.iter_mut().find_map(|one| one.late.as_mut()).unwrap();
        late.adopted = false;
    };
    stormy, I 11: a_stale_failure_over_a_success, |history| {
        let job = job_in(history, State::Succeeded);
        job.state = State::Failed;
        job.reason = Some("exhausted".to_owned());
    };
    calm, I 11: a_resolved_job_that_nobody_resolved, |history| {
        history.acts.retain(|act| act.kind != ActKind::Resolve);
    };
    calm, I 11: runs_that_fall, |history| {
        let id = second_attempt(history, "/reset").job_id.clone();
        history.attempts.iter_mut().find(|one| one.job_id == id).unwrap().run = 2;
    };
    calm, I 12: overlapping_attempts, |history| {
        let started = second_attempt(history, "/status/500").started_at.unwrap();
        second_attempt(history, "/status/500").started_at = Some(At(started.0 - 200_000));
    };
    stormy, I 12: a_rescue_while_the_lease_was_alive, |history| {
        let lost = history.attempts.iter().find(|one| {
            one.outcome == Some(Outcome::Lost) && one.late.is_none()
        });
        let (id, number) = lost.map(|one| (one.job_id.clone(), one.attempt)).unwrap();
        let next = history.attempts.iter_mut().find(|one| one.job_id == id && one.attempt == number + 1);
        let next = next.unwrap();
        next.started_at = next.started_at.map(|at| At(at.0 - 20_000_000));
    };
    calm, I 13: more_tries_than_allowed, |history| {
        history.jobs[0].tries = 9;
    };
    stormy, I 13: more_losses_than_allowed, |history| {
        history.jobs[0].losses = 4;
    };
    stormy, I 13: more_calls_than_tries_and_losses_allow, |history| {
        history.faults.retain(|fault| fault.kind != FaultKind::Database);
        let first = arrival(history, "/status/500").clone();
        for number in 10..14 {
            let mut call = first.clone();
            call.at_us += i64::from(number) * 1_000_000;
            call.attempt = number;
            history.arrivals.push(call);
        }
    };
}
