//! Forgeries of notifications: I1, I2, I3, I24, I25.

use baton_lab::checker::Posted;

use super::forgeries;

forgeries! {
    calm, I 1: a_notification_that_does_not_lie_in_an_inbox, |history| {
        history.notifications.items.pop();
    };
    calm, I 1: a_notification_that_lies_twice_in_an_inbox, |history| {
        let item = history.notifications.items[0].clone();
        history.notifications.items.push(item);
    };
    calm, I 1: a_notification_that_lies_there_under_another_id, |history| {
        history.notifications.items[0].notification = "ntf_other".to_owned();
    };
    calm, I 2: a_notification_that_nobody_asked_for, |history| {
        history.notifications.items[0].title = "told-3".to_owned();
        history.notifications.asked.clear();
    };
    calm, I 2: a_notification_that_was_told_that_nothing_was_done, |history| {
        let mut item = history.notifications.items[0].clone();
        item.title = "told-2".to_owned();
        history.notifications.items.push(item);
    };
    calm, I 3: a_key_of_a_notification_with_two_ids, |history| {
        let mut again = history.notifications.asked[1].clone();
        again.answer = Posted::Ok { id: "ntf_2".to_owned(), created: false };
        history.notifications.asked.push(again);
    };
    calm, I 24: a_notification_answered_with_a_bare_500, |history| {
        let refused = Posted::Refused { status: 500, problem: Some("internal".to_owned()) };
        history.notifications.asked[2].answer = refused;
    };
    calm, I 25: a_notification_that_is_new_although_it_was_known, |history| {
        let mut again = history.notifications.asked[1].clone();
        again.start_us = again.end_us + 1;
        again.end_us = again.start_us + 1;
        again.answer = Posted::Ok { id: "ntf_1".to_owned(), created: true };
        history.notifications.asked.push(again);
    };
    calm, I 25: a_notification_that_is_known_although_nothing_was_done_before, |history| {
        history.notifications.asked[0].answer =
            Posted::Refused { status: 503, problem: Some("draining".to_owned()) };
    };
}
