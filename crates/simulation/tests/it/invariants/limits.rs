//! What an operator has set for a queue holds over the whole fleet, from the commit on.

use std::collections::BTreeMap;

use baton_domain::Timestamp;

use super::{Found, leases::Holders};
use crate::{journal::History, witness::Deed};

#[derive(Default)]
struct Limits {
    is_paused: bool,
    max_running: Option<u32>,
    rate: Option<f64>,
    /// The starts since the rate was set, each when its worker asked; an old wish that arrives late
    /// counts as one of the latest moment seen.
    starts: Vec<Timestamp>,
}

/// Paused means no claim; `max_running` and `rate` are never exceeded.
pub fn a_queue_keeps_its_limits(history: &History) -> Found {
    let mut queues: BTreeMap<&str, Limits> = BTreeMap::new();
    let mut holders = Holders::default();
    let mut found = Vec::new();
    for (at, deed) in &history.deeds {
        holders.follow(*at, deed);
        match deed {
            Deed::QueueChanged { queue, change } => {
                let limits = queues.entry(queue).or_default();
                limits.is_paused = change.paused.unwrap_or(limits.is_paused);
                limits.max_running = change.max_running.unwrap_or(limits.max_running);
                let rate = change.rate.unwrap_or(limits.rate);
                if rate != limits.rate {
                    limits.rate = rate;
                    limits.starts.clear();
                }
            }
            Deed::Claimed { queue, asked, .. } => {
                let held = holders.held.values();
                let held = held.filter(|hold| hold.queue == *queue).count();
                let limits = queues.entry(queue).or_default();
                let latest = limits.starts.last().copied().unwrap_or(*asked);
                limits.starts.push(latest.max(*asked));
                let broken = limits.broken(held);
                found.extend(broken.map(|how| (deed.job(), format!("started at {at}: {how}"))));
            }
            _ => {}
        }
    }
    found
}

impl Limits {
    fn broken(&self, held: usize) -> Option<String> {
        if self.is_paused {
            return Some("its queue is paused".to_owned());
        }
        let most = self.max_running.filter(|most| held > *most as usize);
        if let Some(most) = most {
            return Some(format!("{held} run in a queue that runs {most}"));
        }
        self.rate.and_then(|rate| self.too_many(rate))
    }

    /// Whether more have started since any earlier start than a full bucket and its refill allow.
    fn too_many(&self, rate: f64) -> Option<String> {
        let last = *self.starts.last()?;
        let too_many = self.starts.iter().enumerate().find(|(i, first)| {
            let gained = rate * last.since(**first).as_secs_f64();
            (self.starts.len() - i) as f64 > rate.max(1.0) + gained + 1e-6
        });
        let (i, first) = too_many?;
        let count = self.starts.len() - i;
        Some(format!(
            "{count} have started since {first}, at {rate} a second"
        ))
    }
}
