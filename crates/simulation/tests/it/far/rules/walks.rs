//! Rules of walks: a cursor never falls, and every item it has passed has one child.

use std::collections::HashMap;

use baton_domain::JobId;

use super::Violation;
use crate::far::{handlers::Order, scribe::Deed, world::Record};

pub fn judge(record: &Record, found: &mut Vec<Violation>) {
    no_cursor_falls(record, found);
    every_item_has_one_child(record, found);
}

fn no_cursor_falls(record: &Record, found: &mut Vec<Violation>) {
    let mut stands = HashMap::<JobId, (u64, u32)>::new();
    for (at, deed) in &record.deeds {
        let Deed::Moved {
            job,
            seq,
            cursor,
            is_repeated: false,
            ..
        } = deed
        else {
            continue;
        };
        let to: u32 = cursor.parse().unwrap();
        let (before, from) = stands.insert(*job, (*seq, to)).unwrap_or_default();
        if *seq != before + 1 || to <= from {
            let what = format!("move {before} to {from} is followed by {seq} to {to} at {at}");
            found.push(Violation::of("a_cursor_never_falls", *job, what));
        }
    }
    for (job, (seq, to)) in stands {
        let stored = record.checkpoints.get(&job);
        let stored = stored.map(|one| (one.seq, one.cursor.clone().unwrap_or_default()));
        if stored != Some((seq, to.to_string())) {
            let what = format!("it was moved to {to} by {seq}, and {stored:?} is left");
            found.push(Violation::of("a_cursor_never_falls", job, what));
        }
    }
}

fn every_item_has_one_child(record: &Record, found: &mut Vec<Violation>) {
    let mut children = HashMap::<(u32, u32), u32>::new();
    let orders = record.jobs.values().map(|job| {
        let order: Order = serde_json::from_str(&job.payload).unwrap();
        (job, order)
    });
    let orders: Vec<_> = orders.collect();
    for (_, order) in &orders {
        if let Some(item) = order.of {
            *children.entry(item).or_default() += 1;
        }
    }
    for (job, order) in orders.iter().filter(|(_, order)| order.items > 0) {
        let cursor = record.checkpoints.get(&job.id);
        let cursor = cursor.and_then(|one| one.cursor.as_ref());
        let passed: u32 = cursor.map_or(0, |cursor| cursor.parse().unwrap());
        for item in 0..order.items {
            let count = children.get(&(order.number, item)).copied().unwrap_or(0);
            if count != u32::from(item < passed) {
                let what = format!("item {item} has {count} children, the cursor is at {passed}");
                found.push(Violation::of("every_item_has_one_child", job.id, what));
            }
        }
    }
}
