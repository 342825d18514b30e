//! Rollups: what pictures are drawn from.

use std::collections::BTreeMap;

use async_trait::async_trait;
use baton_domain::{
    Timestamp,
    job::{Class, State},
    queue::campaign_of,
    rollup::{Marker, Resolution, Rollup},
    waits::{WaitRollup, Waits},
};

use serde_json::Value;

use super::{MemoryStore, facts::Fact};
use crate::store::{Claimed, Result, RollupRequest, Rollups};

/// By queue, resolution and span. What has no name is of all queues.
type Key = (String, Resolution, i64);

/// What is kept span by span.
#[derive(Default)]
pub(super) struct RollupTable {
    flows: BTreeMap<(Key, State), Flow>,
    waits: BTreeMap<Key, Waits>,
    /// What happened, by minute and kind.
    markers: BTreeMap<(i64, String), Marker>,
}

/// How many came, and how many went.
#[derive(Default, Clone, Copy)]
struct Flow {
    came: u64,
    went: u64,
}

#[async_trait]
impl Rollups for MemoryStore {
    async fn rollups(&self, request: &RollupRequest, since: Timestamp) -> Result<Vec<Rollup>> {
        Ok(self.tables().ledger.rollups.told(request, since))
    }

    async fn waits(&self, request: &RollupRequest, since: Timestamp) -> Result<Vec<WaitRollup>> {
        Ok(self.tables().ledger.rollups.waited(request, since))
    }

    /// They are written down as the jobs are claimed.
    async fn write_waits(&self) -> Result<u64> {
        Ok(0)
    }

    async fn markers(&self, minutes: u32, since: Timestamp) -> Result<Vec<Marker>> {
        Ok(self.tables().ledger.rollups.marked(minutes, since))
    }
}

impl RollupTable {
    /// Takes note that a job of a queue came to a state, or went from it.
    pub(super) fn count(&mut self, queue: &str, state: State, change: i64, at: Timestamp) {
        for key in keys(queue, at) {
            let flow = self.flows.entry((key, state)).or_default();
            if change > 0 {
                flow.came += change.unsigned_abs();
            } else {
                flow.went += change.unsigned_abs();
            }
        }
    }

    /// Takes note of jobs that were claimed.
    pub(super) fn claimed(&mut self, claimed: &[Claimed], now: Timestamp) {
        for one in claimed {
            let wait = now.since(one.queued_at);
            let [own, of_all @ ..] = keys(&one.args.queue, now);
            // Of the line of a campaign nobody asks by itself.
            let own = Some(own).filter(|_| campaign_of(&one.args.queue).is_none());
            for key in own.into_iter().chain(of_all) {
                self.waits.entry(key).or_default().note(wait, 1);
            }
        }
    }

    /// Takes note of a fact, if pictures are marked with it.
    pub(super) fn mark(&mut self, fact: &Fact) {
        let Some(kind) = marker(fact) else {
            return;
        };
        let minute = Resolution::Minute.number(fact.at);
        let key = (minute, kind.to_owned());
        let marker = self.markers.entry(key).or_insert_with(|| Marker {
            start: Resolution::Minute.start(minute),
            kind: kind.to_owned(),
            n: 0,
            subject: None,
            version: None,
        });
        marker.n += 1;
        if kind != Marker::LOST {
            marker.subject = Some(fact.subject.clone());
        }
        if kind == "worker.joined" {
            let version = fact
                .data
                .get("version")
                .and_then(Value::as_str)
                .map(str::to_owned);
            marker.version = marker.version.take().max(version);
        }
    }

    fn told(&self, request: &RollupRequest, since: Timestamp) -> Vec<Rollup> {
        let mut told = BTreeMap::<(i64, &str), (State, Flow)>::new();
        for ((key, state), flow) in &self.flows {
            if let Some(span) = wanted(request, since, key) {
                let (_, sum) = told
                    .entry((span, state.as_str()))
                    .or_insert((*state, Flow::default()));
                sum.came += flow.came;
                sum.went += flow.went;
            }
        }
        let told = told.into_iter();
        told.map(|((span, _), (state, flow))| Rollup {
            start: request.resolution.start(span),
            state,
            came: flow.came,
            went: flow.went,
        })
        .collect()
    }

    fn waited(&self, request: &RollupRequest, since: Timestamp) -> Vec<WaitRollup> {
        let mut told = BTreeMap::<i64, Waits>::new();
        for (key, waits) in &self.waits {
            if let Some(span) = wanted(request, since, key) {
                told.entry(span).or_default().merge(waits);
            }
        }
        let told = told.into_iter();
        told.map(|(span, waits)| WaitRollup {
            start: request.resolution.start(span),
            waits,
        })
        .collect()
    }

    fn marked(&self, minutes: u32, since: Timestamp) -> Vec<Marker> {
        let (first, step) = (Resolution::Minute.number(since), i64::from(minutes.max(1)));
        let mut told = BTreeMap::<(i64, &str), Marker>::new();
        let recent = self.markers.iter();
        for ((minute, kind), marker) in recent.filter(|((minute, _), _)| *minute >= first) {
            let span = minute.div_euclid(step) * step;
            let start = Resolution::Minute.start(span);
            let sum = told.entry((span, kind)).or_insert_with(|| Marker {
                start,
                n: 0,
                ..marker.clone()
            });
            sum.n += marker.n;
            sum.subject = sum.subject.clone().max(marker.subject.clone());
            sum.version = sum.version.clone().max(marker.version.clone());
        }
        told.into_values().collect()
    }

    /// Forgets what is kept no longer.
    pub(super) fn prune(&mut self, now: Timestamp) -> u32 {
        let before = self.flows.len() + self.waits.len() + self.markers.len();
        let is_kept =
            |(_, resolution, span): &Key| *span >= resolution.number(now - resolution.kept());
        self.flows.retain(|(key, _), _| is_kept(key));
        self.waits.retain(|key, _| is_kept(key));
        let first = Resolution::Minute.number(now - Marker::KEPT);
        self.markers.retain(|(minute, _), _| *minute >= first);
        let left = self.flows.len() + self.waits.len() + self.markers.len();
        u32::try_from(before - left).unwrap_or(u32::MAX)
    }
}

/// Where something of a queue is counted: once for the queue, and twice for all of them.
fn keys(queue: &str, at: Timestamp) -> [Key; 3] {
    [
        (queue, Resolution::Minute),
        ("", Resolution::Minute),
        ("", Resolution::Hour),
    ]
    .map(|(queue, resolution)| (queue.to_owned(), resolution, resolution.number(at)))
}

/// The first of the spans that this one is told with, if it is asked for.
fn wanted(request: &RollupRequest, since: Timestamp, key: &Key) -> Option<i64> {
    let (queue, resolution, span) = key;
    let first = request.resolution.number(since);
    let step = i64::from(request.step.max(1));
    let is_wanted = queue == request.queue.as_deref().unwrap_or_default()
        && *resolution == request.resolution
        && *span >= first;
    is_wanted.then(|| span.div_euclid(step) * step)
}

/// What a picture is marked with for a fact.
fn marker(fact: &Fact) -> Option<&str> {
    let kind = fact.kind.as_str();
    if Marker::EVENTS.contains(&kind) {
        return Some(kind);
    }
    if kind == "worker.joined" {
        return (fact.data.get("remote").is_none()).then_some(kind);
    }
    let is_lost = kind.starts_with("job.")
        && fact
            .data
            .get("class")
            .is_some_and(|class| class == Class::Lost.as_str());
    is_lost.then_some(Marker::LOST)
}
