//! What everybody wrote down while a simulation ran, and what the store said at its end.

use std::collections::{BTreeMap, BTreeSet};

use baton_domain::{
    JobId, Timestamp, WorkerId,
    campaign::Campaign,
    event::Event,
    job::{Attempt, Job},
    operation::{Action, DeadLetterGroup, Operation},
    queue::Queue,
};
use baton_ports::store::{Drift, SettleOutcome};
use parking_lot::Mutex;

use crate::{clock::Shown, script::Answer, witness::Deed};

/// What everybody writes down while a simulation runs.
#[derive(Debug, Default)]
pub struct Journal {
    pub asked: Mutex<Vec<Asked>>,
    pub acts: Mutex<Vec<Act>>,
    pub operations: Mutex<Vec<Started>>,
    pub calls: Mutex<Vec<Called>>,
    pub deeds: Mutex<Vec<(Timestamp, Deed)>>,
    pub faults: Mutex<Vec<Fault>>,
    pub mischief: Mutex<Vec<Fault>>,
    pub probes: Mutex<Vec<Probe>>,
}

/// A job that a client asked for, once for each time it asked.
#[derive(Debug, Clone)]
pub struct Asked {
    pub key: Option<String>,
    pub payload: String,
    pub said: Said,
}

/// What a client was told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Said {
    /// It is accepted, as this job.
    Accepted(JobId),
    /// The key belongs to another job.
    Conflict(JobId),
    /// Nothing for certain.
    Unknown,
}

/// What a person did to a job.
#[derive(Debug, Clone)]
pub struct Act {
    pub job: JobId,
    pub kind: ActKind,
    pub sent: Timestamp,
    /// When it was confirmed, and the job as it was then; `None` if nobody said so.
    pub confirmed: Option<(Timestamp, Box<Job>)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ActKind {
    Cancel,
    Revoke,
    Retry,
    RunNow,
    Resolve,
}

/// An operation that a person started, or tried to.
#[derive(Debug, Clone)]
pub struct Started {
    pub action: Action,
    pub is_confirmed: bool,
}

/// A call that the target got.
#[derive(Debug, Clone)]
pub struct Called {
    pub job: JobId,
    pub run: u32,
    pub attempt: u32,
    pub key: String,
    pub worker: WorkerId,
    pub started: Timestamp,
    /// What the script answers.
    pub answer: Answer,
    /// When the handler returned with it; `None` if it was dropped before, or panicked.
    pub returned: Option<Timestamp>,
}

/// What was done to a process, from when to when; to all of them without a name.
#[derive(Debug, Clone)]
pub struct Fault {
    pub what: &'static str,
    pub process: Option<WorkerId>,
    pub from: Timestamp,
    pub until: Timestamp,
}

/// A job with a delay that was asked for when the clocks had settled, and when it is due by true time.
#[derive(Debug, Clone)]
pub struct Probe {
    pub job: JobId,
    pub not_before: Timestamp,
    pub not_after: Timestamp,
}

/// All that is known of a simulation that has ended.
#[derive(Debug)]
pub struct History {
    pub asked: Vec<Asked>,
    pub acts: Vec<Act>,
    pub started: Vec<Started>,
    pub calls: Vec<Called>,
    pub deeds: Vec<(Timestamp, Deed)>,
    pub faults: Vec<Fault>,
    /// What was done to hints and to clocks, which is no excuse for anything.
    pub mischief: Vec<Fault>,
    pub jobs: BTreeMap<JobId, Job>,
    pub attempts: BTreeMap<JobId, Vec<Attempt>>,
    pub events: Vec<Event>,
    pub queues: Vec<Queue>,
    pub drifts: Vec<Drift>,
    pub letters: Vec<DeadLetterGroup>,
    pub operations: Vec<Operation>,
    /// Jobs that stood still although nothing held them up, seen half a minute after the last fault.
    pub idle: Vec<JobId>,
    pub campaigns: Vec<Campaign>,
    /// Who there was before the first campaign.
    pub recipients: BTreeSet<String>,
    pub probes: Vec<Probe>,
    pub store_clock: Shown,
}

impl History {
    /// The acts on a job of one of these kinds, confirmed or not.
    pub fn acts_on<'a>(
        &'a self,
        job: JobId,
        kinds: &'a [ActKind],
    ) -> impl Iterator<Item = &'a Act> {
        let acts = self.acts.iter().filter(move |act| act.job == job);
        acts.filter(|act| kinds.contains(&act.kind))
    }

    /// The calls of each job, in order.
    pub fn calls_by_job(&self) -> BTreeMap<JobId, Vec<&Called>> {
        let mut calls: BTreeMap<JobId, Vec<&Called>> = BTreeMap::new();
        for call in &self.calls {
            calls.entry(call.job).or_default().push(call);
        }
        calls
    }

    /// When each attempt ended, by true time: what the store says of that it says by its own clock.
    pub fn ends(&self) -> BTreeMap<(JobId, u32), Timestamp> {
        let (mut running, mut ends) = (BTreeMap::new(), BTreeMap::new());
        for (at, deed) in &self.deeds {
            let ended = match deed {
                Deed::Claimed { job, attempt, .. } => {
                    running.insert(*job, *attempt);
                    None
                }
                Deed::Settled {
                    job,
                    attempt,
                    answer: SettleOutcome::Recorded,
                    ..
                } => Some((*job, *attempt)),
                Deed::ForceCanceled { job } => running.get(job).map(|attempt| (*job, *attempt)),
                _ => None,
            };
            if let Some(ended) = ended {
                ends.entry(ended).or_insert(*at);
            }
        }
        ends
    }

    /// When each job was added, by true time.
    pub fn births(&self) -> BTreeMap<JobId, Timestamp> {
        let births = self.deeds.iter().filter_map(|(at, deed)| match deed {
            Deed::Added { job } => Some((*job, *at)),
            _ => None,
        });
        births.collect()
    }

    /// The states a job moved to, with where from, in the order of the events.
    pub fn moves_by_job(&self) -> BTreeMap<JobId, Vec<(Option<&str>, &str)>> {
        let mut moves: BTreeMap<JobId, Vec<_>> = BTreeMap::new();
        for event in &self.events {
            let (from, to) = (&event.data["from"], &event.data["to"]);
            if let (Ok(job), Some(to)) = (event.subject.parse(), to.as_str()) {
                moves.entry(job).or_default().push((from.as_str(), to));
            }
        }
        moves
    }

    /// Whether something was done to a process, or to all, in this span.
    pub fn was_disturbed(&self, process: WorkerId, from: Timestamp, until: Timestamp) -> bool {
        self.faults.iter().any(|fault| {
            fault.process.is_none_or(|one| one == process)
                && fault.from <= until
                && from <= fault.until
        })
    }
}
