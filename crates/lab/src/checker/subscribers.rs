//! What each subscriber saw: I18.

use std::collections::BTreeMap;

use super::{
    Findings,
    history::{FeedItem, Subscriber},
    index::Index,
    service,
    wire::Event,
};

pub(super) fn check(index: &Index<'_>, findings: &mut Findings) {
    let feed: BTreeMap<i64, &Event> = index
        .history
        .events
        .iter()
        .map(|one| (one.seq, one))
        .collect();
    let failovers = service::failovers(index.history).count();
    for subscriber in &index.history.subscribers {
        let last = saw_no_gap(subscriber, &feed, failovers, findings);
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

/// After repeats are dropped, each number follows the one before in the same history, or a reset does; of those there is
/// at most one for each failover.
fn saw_no_gap(
    subscriber: &Subscriber,
    feed: &BTreeMap<i64, &Event>,
    failovers: usize,
    findings: &mut Findings,
) -> Option<i64> {
    let name = &subscriber.name;
    let (mut last, mut resets) = (None, 0);
    for seen in &subscriber.seen {
        let event = match seen {
            FeedItem::Reset => {
                resets += 1;
                last = None;
                continue;
            }
            FeedItem::Event(event) => event,
        };
        if feed
            .get(&event.seq)
            .is_none_or(|told| !is_same(told, event, failovers > 0))
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
            Some((epoch, last)) if epoch != epoch_of(event) => {
                findings.add(
                    18,
                    format!(
                        "{name} saw {} after {epoch}-{last} without a reset",
                        event.id
                    ),
                );
            }
            Some((_, last)) if event.seq <= last => continue,
            Some((_, last)) if event.seq > last + 1 => {
                findings.add(18, format!("{name} saw {} after {last}", event.seq));
            }
            _ => {}
        }
        last = Some((epoch_of(event), event.seq));
    }
    if resets > failovers {
        findings.add(
            18,
            format!(
                "{name} was told {resets} times to start over, and there were {failovers} failovers"
            ),
        );
    }
    last.map(|(_, seq)| seq)
}

fn epoch_of(event: &Event) -> &str {
    event.id.split('-').next().unwrap_or_default()
}

/// A failover begins another epoch: the same event has another one in its id from then on.
fn is_same(told: &Event, seen: &Event, has_epochs: bool) -> bool {
    let number = |event: &Event| event.id.rsplit('-').next().map(str::to_owned);
    let is_named = told.id == seen.id || has_epochs && number(told) == number(seen);
    is_named && told.kind == seen.kind && told.subject == seen.subject
}
