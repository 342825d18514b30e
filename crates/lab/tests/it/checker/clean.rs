//! Clean histories pass, and are summed up rightly.

use baton_lab::checker::{ClockStep, History, Posted, Request, State, check, summary};

use super::world::{
    calm, date_a_claim_before_its_job, failed_over, forget_a_claim,
    forget_the_claim_of_a_canceled_job, hold_a_call_back, step_the_clock, stormy,
};

fn assert_clean(history: &History, seed: u64) {
    let violations: Vec<_> = check(history).iter().map(ToString::to_string).collect();

    assert!(violations.is_empty(), "seed {seed}: {violations:#?}");
}

#[test]
fn calm_histories_pass() {
    for seed in 0..200 {
        assert_clean(&calm(seed), seed);
    }
}

#[test]
fn a_reset_for_a_failover_passes() {
    for seed in 0..20 {
        assert_clean(&failed_over(seed), seed);
    }
}

#[test]
fn stormy_histories_pass_with_the_faults_that_excuse_them() {
    let mut duplicates = 0;
    for seed in 0..200 {
        let history = stormy(seed);

        assert_clean(&history, seed);
        duplicates += summary(&history).duplicates.len();
    }
    assert!(duplicates > 100, "the storm was a breeze: {duplicates}");
}

#[test]
fn stormy_histories_do_not_pass_once_their_faults_are_kept_secret() {
    for seed in 0..20 {
        let mut history = stormy(seed);
        let had_duplicates = !summary(&history).duplicates.is_empty();

        history.faults.clear();

        assert!(
            !had_duplicates || check(&history).iter().any(|one| one.invariant == 7),
            "seed {seed}"
        );
    }
}

/// Puts the clock an hour off in the middle of a history, and right again later.
fn stepped(mut history: History, ahead_us: i64) -> History {
    let moments: Vec<_> = history.events.iter().map(|one| one.at.0).collect();
    let (middle, later) = (moments[moments.len() / 2], moments[moments.len() * 3 / 4]);
    let step = |at_us, ahead_us| ClockStep { at_us, ahead_us };
    step_the_clock(&mut history, &[step(middle, ahead_us), step(later, 0)]);
    history
}

const HOUR: i64 = 3_600_000_000;

#[test]
fn histories_whose_clock_was_stepped_pass() {
    for seed in 0..50 {
        for ahead_us in [HOUR, -HOUR, 3_000_000] {
            assert_clean(&stepped(calm(seed), ahead_us), seed);
            assert_clean(&stepped(stormy(seed), ahead_us), seed);
        }
    }
}

#[test]
fn a_clock_that_was_stepped_in_secret_is_noticed() {
    for ahead_us in [HOUR, -HOUR] {
        let mut history = stepped(stormy(5), ahead_us);

        history.clock_steps.clear();

        assert!(!check(&history).is_empty());
    }
}

#[test]
fn what_a_step_of_the_clock_does_not_explain_is_named_all_the_same() {
    let mut history = stepped(calm(5), HOUR);
    let of_job = |history: &History, attempt| {
        let mut attempts = history.attempts.iter();
        attempts.position(|one| one.attempt == attempt).unwrap()
    };
    let second = of_job(&history, 2);
    let early = history.attempts[second].started_at.as_mut().unwrap();
    early.0 -= 10_000_000;

    let named = check(&history);

    assert!(named.iter().any(|one| one.invariant == 12), "{named:?}");
}

#[test]
fn a_kill_excuses_what_a_store_that_stood_still_had_not_recorded_before_it() {
    const MINUTE: i64 = 60_000_000;
    let mut history = stormy(5);
    for fault in &mut history.faults {
        fault.from_us += MINUTE;
        fault.until_us += MINUTE;
    }
    let is_named = |history: &History| check(history).iter().any(|one| one.invariant == 7);
    let was_named = is_named(&history);

    // Everybody had their answers before, but one who waited until after.
    let first = history.arrivals.iter().map(|one| one.at_us).min().unwrap();
    let last = history.faults.iter().map(|one| one.until_us).max().unwrap();
    for request in &mut history.requests {
        request.end_us = first;
    }
    let mut requests = history.requests.iter_mut();
    let is_accepted = |one: &&mut Request| matches!(one.answer, Posted::Ok { .. });
    let waiting = requests.find(is_accepted).unwrap();
    (waiting.start_us, waiting.end_us) = (first, last + MINUTE);

    assert!(was_named);
    assert!(!is_named(&history));
}

#[test]
fn a_claim_that_waited_for_its_job_can_be_dated_before_it() {
    let mut history = calm(5);

    let waited = history.rules.statement_us;
    date_a_claim_before_its_job(&mut history, waited);

    assert_clean(&history, 5);
}

#[test]
fn a_call_that_a_pause_held_back_can_arrive_after_its_successors_success() {
    let mut history = calm(5);

    hold_a_call_back(&mut history, 60_000);

    assert_clean(&history, 5);
}

#[test]
fn a_wait_that_went_with_a_forgotten_claim_need_not_be_kept() {
    let mut history = calm(5);

    forget_a_claim(&mut history);

    assert_clean(&history, 5);
}

#[test]
fn a_call_whose_claim_was_forgotten_may_be_that_of_a_job_canceled_before_any_claim() {
    let mut history = calm(5);

    forget_the_claim_of_a_canceled_job(&mut history);

    assert_clean(&history, 5);
}

#[test]
fn a_history_reads_back_as_it_was_written() {
    let history = stormy(1);

    let text = serde_json::to_string(&history).unwrap();
    let again: History = serde_json::from_str(&text).unwrap();

    assert_eq!(again.events, history.events);
    assert_eq!(again.jobs, history.jobs);
    assert_eq!(again.arrivals, history.arrivals);
    assert_clean(&again, 1);
}

#[test]
fn a_summary_counts_every_accepted_job_once() {
    let history = stormy(1);

    let summary = summary(&history);

    let counted = summary.succeeded
        + summary.dead.values().sum::<usize>()
        + summary.other.values().sum::<usize>()
        + summary.lost.len();
    let of_clients = history.jobs.iter().filter(|job| job.campaign_id.is_none());
    assert_eq!(summary.accepted, of_clients.count());
    assert_eq!(counted, summary.accepted);
    assert_eq!(summary.other[&State::Pending], 1);
    assert!(summary.dead["gone"] >= 7 && summary.rescued > 0 && summary.retried > 0);
}

#[test]
fn a_summary_counts_campaigns_and_how_long_after_a_stop_the_last_call_started() {
    let mut history = calm(1);
    let stopped = history.campaigns.commands[0].end_us;
    let delivery = history.jobs.iter().find(|job| job.campaign_id.is_some());
    let id = delivery.unwrap().id.clone();
    let mut arrivals = history.arrivals.iter_mut();
    let call = arrivals.find(|one| one.job_id == id).unwrap();
    call.at_us = stopped + 700_000;

    let summary = summary(&history).campaigns;

    assert_eq!((summary.campaigns, summary.stops), (1, 1));
    assert_eq!(summary.last_call_us, Some(700_000));
    assert_eq!(summary.states.values().sum::<usize>(), 16);
    assert_eq!(summary.states[&State::Skipped], 1);
    assert_eq!(summary.looks, history.campaigns.looks.len());
}

#[test]
fn a_summary_gives_each_duplicate_its_reason_and_names_the_lost() {
    let mut history = stormy(1);
    let lost = history.jobs.remove(0);

    let summary = summary(&history);

    assert_eq!(summary.lost, [lost.id]);
    assert!(!summary.duplicates.is_empty());
    for duplicate in &summary.duplicates {
        assert!(
            duplicate.reason.contains("before the answer"),
            "{duplicate:?}"
        );
    }
}
