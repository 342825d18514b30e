//! What an operator has set for a queue holds over the whole fleet, from the commit on.

use std::collections::BTreeMap;

use baton_domain::{LeaseId, Timestamp, queue::QueueChange};
use baton_ports::store::LATE;

use super::{Found, leases::Holders};
use crate::{journal::History, witness::Deed};

/// The tokens of a queue, as they come and go by the clock of whoever starts jobs.
#[derive(Default)]
struct Bucket {
    tokens: f64,
    at: Timestamp,
}

impl Bucket {
    fn full(rate: f64, at: Timestamp) -> Self {
        let tokens = rate.max(1.0);
        Self { tokens, at }
    }

    /// Takes over what came back until now, by the clock of whoever asks.
    fn fill(&mut self, rate: f64, now: Timestamp) {
        let gained = now.since(self.at).as_secs_f64() * rate;
        self.tokens = (self.tokens + gained).min(rate.max(1.0));
        // An old reading that comes late turns nothing back; one from longer ago is of a clock put back.
        let is_late = now <= self.at && now >= self.at - LATE;
        self.at = if is_late { self.at } else { now };
    }
}

#[derive(Default)]
struct Limits {
    is_paused: bool,
    max_running: Option<u32>,
    rate: Option<f64>,
    bucket: Bucket,
}

/// Paused means no claim; `max_running` and `rate` are never exceeded.
pub fn a_queue_keeps_its_limits(history: &History) -> Found {
    let mut queues: BTreeMap<&str, Limits> = BTreeMap::new();
    let mut holders = Holders::default();
    let mut found = Vec::new();
    for (at, deed) in &history.deeds {
        // Asked again, it is answered with what the lease holds.
        let is_held = |lease: LeaseId| holders.held.values().any(|hold| hold.lease == lease);
        let is_repeated = match deed {
            Deed::Wanted { lease, .. } => is_held(*lease),
            Deed::Claimed { job, lease, .. } => {
                let hold = holders.held.get(job);
                hold.is_some_and(|hold| hold.lease == *lease)
            }
            _ => false,
        };
        holders.follow(*at, deed);
        match deed {
            _ if is_repeated => {}
            Deed::QueueChanged {
                queue,
                change,
                asked,
            } => queues.entry(queue).or_default().change(change, *asked),
            Deed::Wanted { queue, asked, .. } => queues.entry(queue).or_default().want(*asked),
            Deed::Claimed { queue, .. } => {
                let held = holders.held.values();
                let held = held.filter(|hold| hold.queue == *queue).count();
                let broken = queues.entry(queue).or_default().start(held);
                found.extend(broken.map(|how| (deed.job(), format!("started at {at}: {how}"))));
            }
            _ => {}
        }
    }
    found
}

impl Limits {
    fn change(&mut self, change: &QueueChange, asked: Timestamp) {
        self.is_paused = change.paused.unwrap_or(self.is_paused);
        self.max_running = change.max_running.unwrap_or(self.max_running);
        let rate = change.rate.unwrap_or(self.rate);
        if rate != self.rate {
            self.rate = rate;
            self.bucket = Bucket::full(rate.unwrap_or_default(), asked);
        }
    }

    fn want(&mut self, asked: Timestamp) {
        if let Some(rate) = self.rate {
            self.bucket.fill(rate, asked);
        }
    }

    /// Starts a job, beside those that run with it; says what that breaks.
    fn start(&mut self, held: usize) -> Option<String> {
        self.bucket.tokens -= 1.0;
        if self.is_paused {
            return Some("its queue is paused".to_owned());
        }
        let most = self.max_running.filter(|most| held > *most as usize);
        if let Some(most) = most {
            return Some(format!("{held} run in a queue that runs {most}"));
        }
        let left = self.bucket.tokens;
        let rate = self.rate.filter(|_| left < -1e-6)?;
        Some(format!("it leaves {left} tokens, at {rate} a second"))
    }
}
