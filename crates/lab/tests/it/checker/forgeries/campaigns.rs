//! What campaigns owe: I15, I16, and their share of I1 to I5.

use baton_lab::{
    checker::{
        ActAnswer, CampaignReading, CommandKind, Fault, FaultKind, History, Job, Posted, State,
        check,
    },
    target::Arrival,
};

use super::{
    super::world::{calm, stormy},
    forgeries,
};

const SECOND: i64 = 1_000_000;

fn delivery(history: &mut History) -> &mut Job {
    let mut jobs = history.jobs.iter_mut();
    jobs.find(|job| job.campaign_id.is_some() && job.state == State::Succeeded)
        .unwrap()
}

fn skipped(history: &mut History) -> &mut Job {
    let mut jobs = history.jobs.iter_mut();
    jobs.find(|job| job.campaign_id.is_some() && job.state == State::Skipped)
        .unwrap()
}

fn stop(history: &History) -> i64 {
    let mut commands = history.campaigns.commands.iter();
    let stop = commands.find(|one| one.kind == CommandKind::Stop);
    stop.unwrap().end_us
}

/// The first call of a delivery, this long after the stop was answered.
fn call_after_the_stop(history: &mut History, after: i64) -> String {
    let at_us = stop(history) + after;
    let id = delivery(history).id.clone();
    let mut arrivals = history.arrivals.iter_mut();
    let call = arrivals.find(|one| one.job_id == id).unwrap();
    (call.at_us, call.ended_us) = (at_us, Some(at_us + 1));
    id
}

/// Freezes the worker of a delivery's first attempt from when until when, counted from the stop.
fn freeze(history: &mut History, id: &str, from: i64, until: i64) {
    let at = stop(history);
    let mut attempts = history.attempts.iter();
    let attempt = attempts.find(|one| one.job_id == id).unwrap();
    history.faults.push(Fault {
        kind: FaultKind::Pause,
        name: String::new(),
        worker: attempt.worker.clone(),
        from_us: at + from,
        until_us: at + until,
    });
}

fn look(history: &mut History, number: usize) -> &mut CampaignReading {
    &mut history.campaigns.looks[number]
}

/// Counts one delivery under another state.
fn shift_one(look: &mut CampaignReading, from: State, to: State) {
    let counts = &mut look.campaign.progress.counts;
    *counts.get_mut(&from).unwrap() -= 1;
    *counts.entry(to).or_default() += 1;
}

fn names(history: &History, invariant: u8) -> bool {
    let violations = check(history);
    violations.iter().any(|one| one.invariant == invariant)
}

#[test]
fn a_call_within_two_seconds_of_a_stop_passes() {
    let mut history = calm(5);

    call_after_the_stop(&mut history, 2 * SECOND - 10_000);

    assert!(!names(&history, 16), "{:?}", check(&history));
}

#[test]
fn a_call_that_was_held_back_while_its_worker_was_frozen_passes_as_it_wakes() {
    let mut history = stormy(5);
    let id = call_after_the_stop(&mut history, 6 * SECOND);

    freeze(&mut history, &id, SECOND, 6 * SECOND - 100_000);

    assert!(!names(&history, 16), "{:?}", check(&history));
}

#[test]
fn where_a_resume_without_an_answer_may_still_be_obeyed_a_call_proves_nothing() {
    let mut history = calm(5);
    call_after_the_stop(&mut history, 5 * SECOND);
    let mut early = history.campaigns.commands[1].clone();
    early.start_us = stop(&history) - SECOND;
    early.end_us = early.start_us + SECOND / 2;
    early.answer = ActAnswer::Unknown;

    history.campaigns.commands.push(early);

    assert!(!names(&history, 16), "{:?}", check(&history));
}

forgeries! {
    calm, I 1: an_accepted_campaign_that_does_not_exist, |history| {
        let asked = &mut history.campaigns.asked;
        let mut another = asked[0].clone();
        another.key = "another".to_owned();
        another.answer = Posted::Ok { id: "cmp_2".to_owned(), created: true };
        asked.push(another);
    };
    calm, I 2: a_campaign_that_nobody_asked_for, |history| {
        history.campaigns.asked.clear();
    };
    calm, I 2: a_delivery_of_no_campaign, |history| {
        delivery(history).campaign_id = Some("cmp_2".to_owned());
    };
    calm, I 3: one_key_for_two_campaigns, |history| {
        let asked = &mut history.campaigns.asked;
        let mut again = asked[0].clone();
        again.answer = Posted::Ok { id: "cmp_2".to_owned(), created: true };
        asked.push(again);
    };
    calm, I 4: a_campaign_that_never_comes_to_its_end, |history| {
        history.campaigns.ends[0].state = baton_lab::checker::CampaignState::Sending;
        history.rules.ended_us += 60 * SECOND;
    };
    calm, I 4: a_campaign_that_stands_though_nobody_stopped_it, |history| {
        history.campaigns.ends[0].state = baton_lab::checker::CampaignState::Stopped;
        history.campaigns.commands.clear();
    };
    calm, I 5: a_delivery_that_succeeded_without_a_call, |history| {
        let id = delivery(history).id.clone();
        history.arrivals.retain(|one| one.job_id != id);
    };
    calm, I 5: a_delivery_to_somebody_who_wants_nothing_sent, |history| {
        let id = skipped(history).recipient_id.clone();
        let mut recipients = history.campaigns.recipients.iter_mut();
        recipients.find(|one| Some(&one.id) == id.as_ref()).unwrap().enabled = true;
    };
    calm, I 5: a_call_to_somebody_who_wants_nothing_sent, |history| {
        let id = skipped(history).id.clone();
        let call = history.arrivals[0].clone();
        history.arrivals.push(Arrival { key: format!("{id}.1"), job_id: id, ..call });
    };
    calm, I 5: a_delivery_canceled_in_a_campaign_that_nobody_canceled, |history| {
        delivery(history).state = State::Canceled;
    };
    calm, I 15: a_recipient_without_a_delivery, |history| {
        let id = delivery(history).id.clone();
        history.jobs.retain(|job| job.id != id);
    };
    calm, I 15: a_recipient_with_two_deliveries, |history| {
        let mut again = delivery(history).clone();
        again.id.push_str("_again");
        history.jobs.push(again);
    };
    calm, I 15: a_delivery_to_somebody_who_has_not_opted_in, |history| {
        let mut others = history.campaigns.recipients.iter();
        let other = others.find(|one| one.topics == ["other"]).unwrap().id.clone();
        delivery(history).recipient_id = Some(other);
    };
    calm, I 15: a_delivery_to_somebody_who_joined_after_the_walk_began, |history| {
        let late = history.campaigns.recipients.last().unwrap().id.clone();
        delivery(history).recipient_id = Some(late);
    };
    calm, I 15: a_delivery_to_nobody, |history| delivery(history).recipient_id = None;
    stormy, I 15: a_gap_where_the_cursor_was_moved_past_a_chunk, |history| {
        let ids: Vec<_> = history.jobs.iter().filter(|job| job.campaign_id.is_some())
            .skip(3).take(4).map(|job| job.id.clone()).collect();
        history.jobs.retain(|job| !ids.contains(&job.id));
    };
    calm, I 15: an_audience_that_counts_one_too_many, |history| {
        history.campaigns.ends[0].progress.audience += 1;
    };
    calm, I 15: books_that_are_wrong_at_the_end, |history| {
        let counts = &mut history.campaigns.ends[0].progress.counts;
        *counts.get_mut(&State::Succeeded).unwrap() -= 1;
        *counts.entry(State::Failed).or_default() += 1;
    };
    calm, I 15: a_look_that_counts_more_than_its_audience, |history| {
        let progress = &mut look(history, 2).campaign.progress;
        *progress.counts.get_mut(&State::Succeeded).unwrap() += 1;
    };
    calm, I 15: an_audience_that_falls, |history| {
        look(history, 1).campaign.progress.audience += 1;
    };
    calm, I 15: a_sum_of_states_that_falls, |history| {
        let progress = &mut look(history, 3).campaign.progress;
        *progress.counts.get_mut(&State::Succeeded).unwrap() -= 1;
    };
    calm, I 15: books_that_add_up_and_were_never_so, |history| {
        shift_one(look(history, 3), State::Succeeded, State::Failed);
    };
    calm, I 15: books_that_went_back_to_what_they_were, |history| {
        let before = look(history, 4).campaign.progress.clone();
        look(history, 5).campaign.progress = before;
        let end = history.campaigns.ends[0].progress.clone();
        look(history, 4).campaign.progress = end;
    };
    calm, I 16: a_call_later_than_two_seconds_after_the_stop, |history| {
        call_after_the_stop(history, 2 * SECOND + 100_000);
    };
    calm, I 16: a_call_after_a_cancellation, |history| {
        call_after_the_stop(history, 3 * SECOND);
        history.campaigns.commands[0].kind = CommandKind::Cancel;
    };
    calm, I 16: a_late_call_though_an_earlier_resume_was_answered, |history| {
        call_after_the_stop(history, 5 * SECOND);
        let mut early = history.campaigns.commands[1].clone();
        early.start_us = stop(history) - SECOND;
        early.end_us = early.start_us + SECOND / 2;
        history.campaigns.commands.push(early);
    };
    stormy, I 16: a_call_long_after_its_worker_woke_to_a_stop, |history| {
        let id = call_after_the_stop(history, 7 * SECOND);
        freeze(history, &id, SECOND, 4 * SECOND);
    };
    stormy, I 16: a_call_excused_by_the_sleep_of_another_worker, |history| {
        let id = call_after_the_stop(history, 6 * SECOND);
        freeze(history, &id, SECOND, 6 * SECOND - 100_000);
        history.faults.last_mut().unwrap().worker = Some("wrk_another".to_owned());
    };
    stormy, I 16: a_call_of_a_worker_that_fell_asleep_after_the_time_was_up, |history| {
        let id = call_after_the_stop(history, 6 * SECOND);
        freeze(history, &id, 3 * SECOND, 5 * SECOND + 900_000);
    };
    calm, I 16: a_chunk_that_was_written_after_the_stop, |history| {
        look(history, 3).campaign.progress.audience += 1;
        for number in 4..6 {
            look(history, number).campaign.progress.audience += 1;
        }
    };
}
