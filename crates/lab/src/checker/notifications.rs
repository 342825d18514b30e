//! Notifications, once each: I1, I2, I3.
//!
//! What was accepted lies in each inbox once, under the one id of its key; what was not done, in none. The order of the
//! answers is looked at beside that of jobs.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    Findings,
    history::{InboxItem, Notified, Posted},
    index::Index,
};

pub(super) fn check(index: &Index<'_>, findings: &mut Findings) {
    let items = &index.history.notifications.items;
    let mut lying = BTreeMap::<(&str, &str), Vec<&InboxItem>>::new();
    for item in items {
        let place = (&*item.title, &*item.recipient);
        lying.entry(place).or_default().push(item);
    }
    for (key, asked) in &index.notified {
        have_one_id(key, asked, findings);
        let recipients: BTreeSet<_> = asked.iter().flat_map(|one| &one.recipients).collect();
        for recipient in recipients {
            let items = lying.remove(&(*key, &**recipient)).unwrap_or_default();
            lies_as_was_told(key, recipient, asked, &items, findings);
        }
    }
    for (title, recipient) in lying.keys() {
        findings.add(
            2,
            format!("{title} lies in the inbox of {recipient}, and nobody asked for it"),
        );
    }
}

/// I3: one key has one id in every answer, and is new once at most.
fn have_one_id(key: &str, asked: &[&Notified], findings: &mut Findings) {
    let (mut ids, mut times_created) = (BTreeSet::new(), 0);
    for one in asked {
        if let Posted::Ok { id, created } = &one.answer {
            ids.insert(id);
            times_created += usize::from(*created);
        }
    }
    if ids.len() > 1 || times_created > 1 {
        findings.add(
            3,
            format!("the key {key} of a notification was created {times_created} times and answered with {ids:?}"),
        );
    }
}

/// I1 and I2: once if it was accepted, under the id of the answer; never if it was told that nothing was done.
fn lies_as_was_told(
    key: &str,
    recipient: &str,
    asked: &[&Notified],
    items: &[&InboxItem],
    findings: &mut Findings,
) {
    let id = asked.iter().find_map(|one| match &one.answer {
        Posted::Ok { id, .. } => Some(id),
        _ => None,
    });
    match (id, items) {
        (Some(_), []) => findings.add(
            1,
            format!("the notification {key} was accepted and does not lie in the inbox of {recipient}"),
        ),
        (Some(id), [item]) if item.notification != *id => findings.add(
            1,
            format!("the notification {key} was accepted as {id} and lies in the inbox of {recipient} as {}", item.notification),
        ),
        (_, [_, _, ..]) => findings.add(
            1,
            format!("the notification {key} lies {} times in the inbox of {recipient}", items.len()),
        ),
        (None, [_]) if !asked.iter().any(|one| one.answer.may_have_created()) => findings.add(
            2,
            format!("the notification {key} lies in the inbox of {recipient}, and no request that may have created it was sent"),
        ),
        _ => {}
    }
}
