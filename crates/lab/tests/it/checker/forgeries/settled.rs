//! Forgeries of the final state: I4, I5, I23.

use baton_lab::checker::{ActKind, At, State};

use super::{forgeries, job_for, job_in};

forgeries! {
    calm, I 4: a_job_that_is_due_and_still_pending, |history| {
        let started = history.jobs[0].created_at;
        job_in(history, State::Pending).run_at = started;
    };
    calm, I 4: a_queued_job_that_nobody_claims, |history| {
        let job = &mut history.jobs[0];
        job.state = State::Queued;
        job.finished_at = None;
    };
    stormy, I 4: a_retry_that_never_comes_though_the_storm_is_over, |history| {
        let job = &mut history.jobs[0];
        job.state = State::RetryWait;
        job.finished_at = None;
        history.rules.ended_us += 60_000_000;
    };
    calm, I 5: a_success_without_a_call, |history| {
        let id = job_in(history, State::Succeeded).id.clone();
        history.arrivals.retain(|one| one.job_id != id);
    };
    stormy, I 5: a_success_without_an_accepted_call, |history| {
        let id = job_in(history, State::Succeeded).id.clone();
        let answers = history.arrivals.iter_mut().filter(|one| one.job_id == id);
        answers.for_each(|one| one.answer = baton_lab::target::Answer::Status(503));
    };
    stormy, I 5: a_permanent_failure_that_its_target_never_pronounced, |history| {
        job_for(history, "gone").reason = Some("permanent".to_owned());
        let gone = history.arrivals.iter_mut().filter(|one| one.path == "/gone");
        gone.for_each(|one| one.answer = baton_lab::target::Answer::Status(503));
    };
    stormy, I 5: a_target_that_is_not_gone, |history| {
        job_for(history, "permanent").reason = Some("gone".to_owned());
    };
    stormy, I 5: an_exhausted_job_with_tries_left, |history| {
        job_for(history, "exhausted").tries = 2;
    };
    stormy, I 5: a_lost_job_that_was_not_lost_often_enough, |history| {
        job_for(history, "exhausted").reason = Some("lost".to_owned());
    };
    calm, I 5: a_failed_job_without_a_reason, |history| {
        job_for(history, "gone").reason = None;
    };
    calm, I 5: a_failure_where_the_script_asks_for_success, |history| {
        let job = job_in(history, State::Succeeded);
        job.state = State::Failed;
        job.reason = Some("exhausted".to_owned());
        job.tries = job.max_attempts;
    };
    calm, I 5: a_cancel_that_nobody_asked_for, |history| {
        history.acts.retain(|act| act.kind != ActKind::Cancel);
    };
    stormy, I 5: a_cancel_that_nobody_asked_for_in_a_storm, |history| {
        history.acts.retain(|act| act.kind != ActKind::Cancel);
    };
    calm, I 5: a_doubt_about_a_job_that_may_be_repeated, |history| {
        history.requests.iter_mut().for_each(|one| one.at_most_once = false);
    };
    calm, I 23: a_running_job_long_past_its_lease, |history| {
        let job = &mut history.jobs[0];
        job.state = State::Running;
        job.finished_at = None;
        job.leased_until = Some(job.created_at);
        history.rules.ended_us += 60_000_000;
    };
    calm, I 23: a_running_job_that_never_shows_its_lease_and_never_ends, |history| {
        let job = &mut history.jobs[0];
        job.state = State::Running;
        job.finished_at = None;
        history.rules.ended_us += 120_000_000;
    };
    calm, I 23: a_terminal_job_without_an_end, |history| history.jobs[0].finished_at = None;
    calm, I 23: a_waiting_job_with_an_end, |history| {
        job_in(history, State::Pending).finished_at = Some(At(1));
    };
    calm, I 23: a_terminal_job_with_an_open_attempt, |history| {
        history.attempts[0].ended_at = None;
    };
    calm, I 23: attempts_of_a_job_that_never_was, |history| {
        history.attempts[0].job_id = "job_ghost".to_owned();
    };
}
