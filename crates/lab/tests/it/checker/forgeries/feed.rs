//! Forgeries of the feed and of what subscribers saw: I10, I17, I18.

use baton_lab::checker::{ActKind, At, Event, EventData, FeedItem, History, State};

use super::{super::world::date_a_claim_before_its_job, forgeries, job_in};

/// Takes an event out and closes the gap, as a writer that forgot it would have left it.
fn forget(history: &mut History, at: usize) {
    history.events.remove(at);
    renumber(history);
}

fn renumber(history: &mut History) {
    for (seq, event) in (1..).zip(&mut history.events) {
        event.seq = seq;
        event.id = format!("1-{seq}");
    }
    history.subscribers.clear();
}

/// Adds a move at the end of the feed, well formed in itself.
fn tell(history: &mut History, job: &str, from: State, to: State) {
    let last = history.events.last().unwrap().clone();
    history.events.push(Event {
        id: format!("1-{}", last.seq + 1),
        seq: last.seq + 1,
        kind: format!("job.{}", to.as_str()),
        subject: job.to_owned(),
        data: EventData {
            queue: None,
            from: Some(from.as_str().to_owned()),
            to: Some(to.as_str().to_owned()),
        },
        ..last
    });
    history.subscribers.clear();
}

fn first_claim(history: &History) -> usize {
    let mut events = history.events.iter();
    events.position(|one| one.kind == "job.running").unwrap()
}

forgeries! {
    calm, I 10: a_terminal_job_run_again_by_nobody, |history| {
        history.acts.retain(|act| act.kind != ActKind::Retry);
    };
    calm, I 10: a_success_overwritten_by_a_late_failure, |history| {
        let id = job_in(history, State::Succeeded).id.clone();
        tell(history, &id, State::Succeeded, State::Failed);
    };
    calm, I 10: a_canceled_job_that_succeeds, |history| {
        let id = job_in(history, State::Canceled).id.clone();
        tell(history, &id, State::Canceled, State::Succeeded);
    };
    calm, I 10: a_doubt_resolved_by_nobody, |history| {
        let id = job_in(history, State::Uncertain).id.clone();
        tell(history, &id, State::Uncertain, State::Succeeded);
        history.acts.retain(|act| act.kind != ActKind::Resolve);
    };
    calm, I 10: a_failed_job_redriven_more_often_than_asked, |history| {
        let redriven = history.acts.iter().find(|act| act.kind == ActKind::Retry).unwrap();
        let id = redriven.job.clone().unwrap();
        tell(history, &id, State::Failed, State::Queued);
    };
    calm, I 17: a_gap_in_the_numbers, |history| {
        history.events.remove(10);
    };
    calm, I 17: a_number_that_was_left_out, |history| {
        for event in &mut history.events[10..] {
            event.seq += 1;
            event.id = format!("1-{}", event.seq);
        }
        history.subscribers.clear();
    };
    calm, I 17: a_whole_attempt_that_was_forgotten, |history| {
        let failed = history.events.iter().find(|one| one.kind == "job.retry_wait").unwrap();
        let id = failed.subject.clone();
        let mut own = (0..).zip(&history.events).filter(|(_, one)| one.subject == id);
        let cycle: Vec<usize> = own.by_ref().skip(1).take(3).map(|(at, _)| at).collect();
        for at in cycle.into_iter().rev() {
            history.events.remove(at);
        }
        renumber(history);
    };
    calm, I 17: a_number_given_twice, |history| {
        let event = history.events[10].clone();
        history.events.insert(10, event);
    };
    calm, I 17: a_feed_that_does_not_begin_at_its_beginning, |history| {
        history.events.remove(0);
    };
    calm, I 17: events_out_of_order, |history| history.events.swap(10, 11);
    calm, I 17: an_id_that_is_not_its_number, |history| {
        history.events[10].id = "1-999".to_owned();
    };
    calm, I 17: an_epoch_that_changes_midway, |history| {
        let seq = history.events[10].seq;
        history.events[10].id = format!("2-{seq}");
    };
    calm, I 17: a_move_that_was_forgotten, |history| {
        let at = first_claim(history);
        forget(history, at);
    };
    calm, I 17: a_birth_that_was_forgotten, |history| forget(history, 0);
    calm, I 17: an_end_that_was_forgotten, |history| {
        let last = history.events.iter().rposition(|one| one.kind == "job.succeeded").unwrap();
        forget(history, last);
    };
    calm, I 17: a_job_that_the_feed_never_tells_of, |history| {
        let id = job_in(history, State::Pending).id.clone();
        history.events.retain(|one| one.subject != id);
        renumber(history);
    };
    calm, I 17: a_move_told_twice, |history| {
        let again = history.events[first_claim(history)].clone();
        history.events.insert(first_claim(history), again);
        renumber(history);
    };
    calm, I 17: a_move_that_the_table_does_not_have, |history| {
        let id = job_in(history, State::Pending).id.clone();
        tell(history, &id, State::Pending, State::Running);
    };
    calm, I 17: a_claim_of_a_job_that_runs, |history| {
        let id = job_in(history, State::Pending).id.clone();
        tell(history, &id, State::Pending, State::Queued);
        tell(history, &id, State::Queued, State::Running);
        tell(history, &id, State::Running, State::Running);
    };
    calm, I 17: a_move_from_where_the_job_was_not, |history| {
        let at = first_claim(history);
        history.events[at].data.from = Some("pending".to_owned());
    };
    calm, I 17: a_move_to_elsewhere_than_its_type_says, |history| {
        history.events[10].data.to = Some("skipped".to_owned());
    };
    calm, I 17: a_final_state_other_than_the_replay, |history| {
        let job = job_in(history, State::Pending);
        job.state = State::RetryWait;
    };
    calm, I 17: an_event_of_a_job_that_never_was, |history| {
        tell(history, "job_ghost", State::Pending, State::Queued);
    };
    calm, I 17: a_move_older_than_the_one_before, |history| {
        let at = history.events.iter().rposition(|one| one.kind == "job.succeeded").unwrap();
        history.events[at].at = At(0);
    };
    calm, I 17: a_move_dated_longer_ago_than_a_statement_takes, |history| {
        let waited = history.rules.statement_us + 2 * history.rules.clock_us;
        date_a_claim_before_its_job(history, waited);
    };
    calm, I 18: a_subscriber_that_missed_one, |history| {
        history.subscribers[1].seen.remove(4);
    };
    calm, I 18: a_subscriber_that_saw_two_in_the_wrong_order, |history| {
        history.subscribers[1].seen.swap(4, 5);
    };
    calm, I 18: a_gap_over_a_reconnection, |history| {
        let half = history.events.len() / 2;
        history.subscribers[0].seen.drain(half - 2..half + 5);
    };
    failed_over, I 18: a_jump_without_a_reset, |history| {
        history.subscribers[2].seen.retain(|one| *one != FeedItem::Reset);
    };
    failed_over, I 18: another_history_without_a_reset, |history| {
        let seen = &mut history.subscribers[0].seen;
        for one in seen.iter_mut().take(4) {
            let FeedItem::Event(event) = one else { panic!("expected an event") };
            event.id = format!("0-{}", event.seq);
        }
    };
    failed_over, I 18: a_reset_that_no_failover_explains, |history| {
        history.faults.clear();
    };
    failed_over, I 18: more_resets_than_failovers, |history| {
        history.subscribers[2].seen.push(FeedItem::Reset);
    };
    calm, I 18: another_epoch_that_no_failover_explains, |history| {
        let FeedItem::Event(event) = &mut history.subscribers[1].seen[4] else {
            panic!("expected an event");
        };
        event.id = format!("2-{}", event.seq);
    };
    calm, I 18: a_subscriber_that_stayed_and_missed_the_end, |history| {
        history.subscribers[0].seen.pop();
    };
    calm, I 18: an_event_that_a_subscriber_saw_otherwise, |history| {
        let FeedItem::Event(event) = &mut history.subscribers[1].seen[4] else {
            panic!("expected an event");
        };
        event.kind = "job.skipped".to_owned();
    };
    calm, I 18: an_event_that_only_a_subscriber_saw, |history| {
        let Some(FeedItem::Event(last)) = history.subscribers[0].seen.last() else {
            panic!("expected an event");
        };
        let mut next = last.clone();
        next.seq += 1;
        next.id = format!("1-{}", next.seq);
        history.subscribers[0].seen.push(FeedItem::Event(next));
    };
}
