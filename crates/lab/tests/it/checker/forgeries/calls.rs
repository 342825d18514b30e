//! Forgeries of what arrived: I6, I7, I8, I9, I14.

use baton_lab::{
    checker::{ActKind, Fault, FaultKind, State},
    target::Arrival,
};

use super::{
    super::world::{forget_a_claim, forget_the_claim_of_a_canceled_job, hold_a_call_back},
    arrival, forgeries, job_in, second_arrival,
};

/// The same call once more, a little later, as the next attempt.
fn repeat(arrival: &Arrival) -> Arrival {
    Arrival {
        at_us: arrival.at_us + 40_000_000,
        ended_us: arrival.ended_us.map(|at| at + 40_000_000),
        attempt: arrival.attempt + 1,
        ..arrival.clone()
    }
}

forgeries! {
    calm, I 6: a_call_of_a_job_canceled_before_any_claim, |history| {
        let canceled = job_in(history, State::Canceled).id.clone();
        let mut call = repeat(arrival(history, "/ok"));
        call.key = format!("{canceled}.1");
        call.job_id = canceled;
        call.attempt = 1;
        history.arrivals.push(call);
    };
    calm, I 6: a_call_of_a_canceled_job_whose_claim_no_database_forgot, |history| {
        forget_the_claim_of_a_canceled_job(history);
        history.faults.clear();
    };
    calm, I 7: a_call_repeated_after_success, |history| {
        let again = repeat(arrival(history, "/ok"));
        history.arrivals.push(again);
    };
    stormy, I 7: a_call_repeated_in_a_storm_that_did_not_meet_it, |history| {
        let met: Vec<_> = history.faults.iter().map(|fault| fault.worker.clone()).collect();
        let spared = history.attempts.iter().find(|one| {
            one.attempt == 1 && one.outcome == Some(baton_lab::checker::Outcome::Succeeded)
                && !met.contains(&one.worker)
        });
        let id = spared.unwrap().job_id.clone();
        let call = history.arrivals.iter().find(|one| one.job_id == id).unwrap();
        let again = repeat(call);
        history.arrivals.push(again);
    };
    stormy, I 7: a_call_repeated_though_the_kill_came_a_minute_later, |history| {
        for fault in &mut history.faults {
            fault.from_us += 60_000_000;
            fault.until_us += 60_000_000;
        }
    };
    stormy, I 7: a_call_repeated_because_redis_was_away, |history| {
        for fault in &mut history.faults {
            fault.kind = FaultKind::Redis;
        }
    };
    calm, I 9: a_claim_that_no_database_forgot, |history| {
        forget_a_claim(history);
        history.faults.clear();
    };
    calm, I 7: a_call_too_few_while_redis_was_away, |history| {
        let id = second_arrival(history, "/reset").job_id.clone();
        let first = history.arrivals.iter().position(|one| one.job_id == id).unwrap();
        let at_us = history.arrivals.remove(first).at_us;
        history.faults.push(Fault {
            kind: FaultKind::Redis,
            name: "wipe Redis".to_owned(),
            worker: None,
            from_us: at_us,
            until_us: at_us,
        });
    };
    calm, I 7: a_call_too_few, |history| {
        let id = second_arrival(history, "/reset").job_id.clone();
        let first = history.arrivals.iter().position(|one| one.job_id == id).unwrap();
        history.arrivals.remove(first);
    };
    calm, I 7: a_call_too_many_where_each_answer_asked_for_the_next, |history| {
        let first = arrival(history, "/status/500").clone();
        let mut again = repeat(&first);
        again.attempt = 5;
        history.arrivals.push(again);
    };
    calm, I 7: a_doubtful_call_repeated_though_it_is_at_most_once, |history| {
        let id = job_in(history, State::Uncertain).id.clone();
        let call = history.arrivals.iter().find(|one| one.job_id == id).unwrap();
        let again = repeat(call);
        history.arrivals.push(again);
    };
    stormy, I 7: a_doubtful_call_repeated_in_a_storm_though_it_is_at_most_once, |history| {
        let id = job_in(history, State::Uncertain).id.clone();
        let call = history.arrivals.iter().find(|one| one.job_id == id).unwrap();
        let again = repeat(call);
        history.arrivals.push(again);
    };
    calm, I 7: a_call_begun_long_after_its_worker_woke_to_a_lost_lease, |history| {
        hold_a_call_back(history, 5_000_000);
    };
    calm, I 7: a_call_held_back_by_a_pause_of_another_worker, |history| {
        hold_a_call_back(history, 60_000);
        history.faults.last_mut().unwrap().worker = Some("wrk_another".to_owned());
    };
    stormy, I 8: a_kill_that_repeats_more_than_its_worker_can_have_had, |history| {
        history.rules.in_doubt = 0;
        history.rules.unnoticed_us = 0;
    };
    calm, I 9: one_idempotency_key_for_two_jobs, |history| {
        let key = arrival(history, "/ok").key.clone();
        arrival(history, "/slow").key = key;
    };
    calm, I 9: two_idempotency_keys_for_one_run, |history| {
        second_arrival(history, "/reset").key.push_str("-again");
    };
    calm, I 9: a_call_without_an_idempotency_key, |history| {
        arrival(history, "/ok").key.clear();
    };
    calm, I 9: an_attempt_that_does_not_rise, |history| {
        second_arrival(history, "/reset").attempt = 1;
    };
    calm, I 9: attempts_in_the_wrong_order, |history| {
        let id = second_arrival(history, "/reset").job_id.clone();
        let calls = history.arrivals.iter_mut().filter(|one| one.job_id == id);
        calls.for_each(|one| one.attempt = 9 - one.attempt);
    };
    calm, I 9: a_call_without_an_attempt, |history| arrival(history, "/ok").attempt = 0;
    stormy, I 9: the_same_attempt_sent_twice_after_a_kill, |history| {
        let killed = history.faults.iter().find(|fault| fault.kind == FaultKind::Kill).unwrap();
        let attempt = history.attempts.iter().find(|one| one.worker == killed.worker).unwrap();
        let (job, number) = (attempt.job_id.clone(), attempt.attempt);
        let call = history.arrivals.iter().find(|one| one.job_id == job && one.attempt == number);
        let mut again = call.unwrap().clone();
        again.at_us += 10;
        history.arrivals.push(again);
    };
    calm, I 14: a_call_before_its_run_at, |history| {
        history.acts.retain(|act| act.kind != ActKind::RunNow);
    };
    calm, I 14: a_retry_before_its_planned_time, |history| {
        let id = second_arrival(history, "/status/500").job_id.clone();
        let mut calls = history.arrivals.iter_mut().filter(|one| one.job_id == id && one.attempt == 3);
        calls.next().unwrap().at_us -= 180_000;
    };
    calm, I 14: a_call_before_the_retry_after_it_was_given, |history| {
        let id = second_arrival(history, "/throttle").job_id.clone();
        let attempts = history.attempts.iter_mut().filter(|one| one.job_id == id);
        attempts.for_each(|one| one.next_run_at = None);
        second_arrival(history, "/throttle").at_us -= 500_000;
    };
}
