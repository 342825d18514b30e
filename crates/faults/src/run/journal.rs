//! What was done, to whom, from when until when.

use std::collections::{BTreeMap, HashMap};

use baton_client::Worker;
use baton_lab::{
    checker::{Fault, FaultKind},
    proxy::{Deed, How, Proxy},
};
use parking_lot::Mutex;

use crate::now_us;

use super::{node::Node, scenario::Scenario};

/// What was done so far.
#[derive(Default)]
pub struct Journal {
    entries: Mutex<Vec<Entry>>,
    played: Mutex<BTreeMap<Scenario, u64>>,
}

struct Entry {
    kind: FaultKind,
    scenario: Scenario,
    whom: Whom,
    from_us: i64,
    until_us: i64,
}

/// Whom a fault met.
#[derive(Debug, Clone)]
pub enum Whom {
    Everybody,
    /// This process of this node.
    One {
        node: String,
        works: bool,
        process: u32,
    },
}

impl Whom {
    /// The process that a node was at this moment; nobody if it was down.
    pub fn at(node: &Node, at_us: i64) -> Option<Self> {
        Some(Self::One {
            node: node.name.clone(),
            works: node.duty.works(),
            process: node.process_at(at_us)?,
        })
    }
}

impl Journal {
    /// Counts a scenario as played.
    pub fn played(&self, scenario: Scenario) {
        *self.played.lock().entry(scenario).or_default() += 1;
    }

    /// How often each scenario was played.
    pub fn plays(&self) -> BTreeMap<Scenario, u64> {
        self.played.lock().clone()
    }

    /// Notes a fault that began then and ends now.
    pub fn note(&self, kind: FaultKind, scenario: Scenario, whom: Whom, from_us: i64) {
        self.note_span(kind, scenario, whom, (from_us, now_us()));
    }

    /// Notes a fault that began and ended then.
    pub fn note_span(&self, kind: FaultKind, scenario: Scenario, whom: Whom, span: (i64, i64)) {
        let (from_us, until_us) = span;
        self.entries.lock().push(Entry {
            kind,
            scenario,
            whom,
            from_us,
            until_us,
        });
    }

    /// Every fault, the broken connections included, under the names by which the judge knows workers.
    pub fn faults(&self, nodes: &[Node], workers: &[Worker]) -> Vec<Fault> {
        let names = Names::of(workers);
        let entries = self.entries.lock();
        let noted = entries.iter().map(|entry| Fault {
            kind: entry.kind,
            name: entry.scenario.as_str().to_owned(),
            worker: names.worker(&entry.whom),
            from_us: entry.from_us,
            until_us: entry.until_us,
        });
        let mut faults: Vec<_> = noted.collect();
        for node in nodes {
            let cut = |kind, deeds: Vec<Deed>| {
                let names = &names;
                // Who is cut off stays away for a while, and whoever did that has noted how long.
                let deeds = deeds.into_iter();
                let at_once = deeds.filter(|deed| deed.how != How::BehindMessage);
                at_once.filter_map(move |deed| {
                    let scenario = scenario(kind, deed.how);
                    Some(Fault {
                        kind,
                        name: scenario.as_str().to_owned(),
                        worker: names.worker(&Whom::at(node, deed.at_us)?),
                        from_us: deed.at_us,
                        until_us: deed.at_us,
                    })
                })
            };
            let of_database = node.database.as_ref().map(Proxy::deeds);
            faults.extend(cut(FaultKind::Cut, of_database.unwrap_or_default()));
            let of_redis = node.redis.as_ref().map(Proxy::deeds);
            faults.extend(cut(FaultKind::Redis, of_redis.unwrap_or_default()));
        }
        faults.sort_by_key(|fault| fault.from_us);
        faults
    }
}

const fn scenario(kind: FaultKind, how: How) -> Scenario {
    match (kind, how) {
        (_, How::BeforeCommit | How::AfterCommit) => Scenario::CutCommits,
        (_, How::BehindMessage) => Scenario::CutOff,
        (_, How::AfterMove) => Scenario::CutMoves,
        (FaultKind::Redis, _) => Scenario::CutRedis,
        (_, How::CutAfterBytes) => Scenario::CutBytes,
        (_, How::CutAll) => Scenario::CutDatabase,
    }
}

/// Workers by the processes they were.
struct Names(HashMap<u32, Vec<String>>);

impl Names {
    fn of(workers: &[Worker]) -> Self {
        let mut names = HashMap::<u32, Vec<String>>::new();
        for worker in workers {
            let process = worker.name.rsplit(':').next();
            if let Some(process) = process.and_then(|text| text.parse().ok()) {
                names
                    .entry(process)
                    .or_default()
                    .push(worker.id.to_string());
            }
        }
        Self(names)
    }

    /// As its attempts carry it. A server that runs no jobs is known by its node's name, so that what
    /// befell it excuses no call; a worker that cannot be told could be any.
    fn worker(&self, whom: &Whom) -> Option<String> {
        let Whom::One {
            node,
            works,
            process,
        } = whom
        else {
            return None;
        };
        match self.0.get(process).map(Vec::as_slice) {
            Some([id]) => Some(id.clone()),
            _ if *works => None,
            _ => Some(node.clone()),
        }
    }
}
