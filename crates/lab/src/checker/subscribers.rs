//! What each subscriber saw: I18.

use std::collections::BTreeMap;

use super::{
    Findings,
    history::{Seen, Subscriber},
    index::Index,
    wire::Event,
};

pub(super) fn check(index: &Index<'_>, findings: &mut Findings) {
    let feed: BTreeMap<i64, &Event> = index
        .history
        .events
        .iter()
        .map(|one| (one.seq, one))
        .collect();
    for subscriber in &index.history.subscribers {
        let last = saw_no_gap(subscriber, &feed, findings);
        let end = feed.last_key_value().map(|(seq, _)| *seq);
        if subscriber.stayed && last < end {
            let name = &subscriber.name;
            findings.add(
                18,
                format!("{name} stayed to the end and saw up to {last:?} of {end:?}"),
            );
        }
    }
}

/// After repeats are dropped, each number follows the one before, or a reset does.
fn saw_no_gap(
    subscriber: &Subscriber,
    feed: &BTreeMap<i64, &Event>,
    findings: &mut Findings,
) -> Option<i64> {
    let name = &subscriber.name;
    let mut last = None;
    for seen in &subscriber.seen {
        let event = match seen {
            Seen::Reset => {
                last = None;
                continue;
            }
            Seen::Event(event) => event,
        };
        if feed
            .get(&event.seq)
            .is_none_or(|told| !is_same(told, event))
        {
            findings.add(
                18,
                format!(
                    "{name} saw {} as {} of {}, and the feed does not",
                    event.id, event.kind, event.subject
                ),
            );
        }
        match last {
            Some(last) if event.seq <= last => continue,
            Some(last) if event.seq > last + 1 => {
                findings.add(18, format!("{name} saw {} after {last}", event.seq));
            }
            _ => {}
        }
        last = Some(event.seq);
    }
    last
}

fn is_same(told: &Event, seen: &Event) -> bool {
    told.id == seen.id && told.kind == seen.kind && told.subject == seen.subject
}
