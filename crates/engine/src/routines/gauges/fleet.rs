//! How many workers there are, by how they are, and which queues they claim from.

use std::time::Duration;

use baton_domain::{
    Timestamp,
    fleet::{Presence, Worker},
    queue::{Queue, WorkedBy},
};
use baton_ports::store::{self, Store};
use tokio::time::Instant;

/// How long what was read of the workers is told again.
const LASTING: Duration = Duration::from_secs(15);
/// A worker silent for longer is history: its jobs were rescued long ago.
const HISTORY: Duration = Duration::from_mins(10);
/// The states that are told; who has left is none of the fleet.
const STATES: [Presence; 4] = [
    Presence::Live,
    Presence::Draining,
    Presence::Deaf,
    Presence::Silent,
];

/// The workers as they were read last, and when.
#[derive(Default)]
pub struct FleetGauges(Option<(Instant, Vec<WorkerReading>)>);

/// A worker, and how it was when it was read.
struct WorkerReading {
    worker: Worker,
    presence: Presence,
}

impl FleetGauges {
    /// Reads the workers, where leases last so long.
    pub async fn read(
        &mut self,
        store: &dyn Store,
        now: Timestamp,
        lease: Duration,
    ) -> store::Result<()> {
        let is_old = |(at, _): &(Instant, _)| at.elapsed() >= LASTING;
        if self.0.as_ref().is_none_or(is_old) {
            let workers = store.workers(now - HISTORY).await?.into_iter();
            let seen = workers.map(|worker| WorkerReading {
                presence: worker.presence(now, lease),
                worker,
            });
            self.0 = Some((Instant::now(), seen.collect()));
        }
        Ok(())
    }

    pub fn show(&self) {
        for (is_remote, place) in [(false, "server"), (true, "remote")] {
            for state in STATES {
                let these = self.seen().filter(|seen| {
                    (seen.worker.heartbeat.remote.is_some(), seen.presence) == (is_remote, state)
                });
                #[expect(clippy::cast_precision_loss, reason = "a gauge is a float by nature")]
                let count = these.count() as f64;
                metrics::gauge!("baton_workers", "where" => place, "state" => state.as_str())
                    .set(count);
            }
        }
    }

    /// Whether a live worker claims from a queue.
    pub fn serves(&self, queue: &Queue) -> bool {
        let mut live = self.seen().filter(|seen| seen.presence == Presence::Live);
        live.any(|seen| match &seen.worker.heartbeat.remote {
            Some(remote) => remote.queues.contains(&queue.name),
            None => queue.worked_by == WorkedBy::Server,
        })
    }

    fn seen(&self) -> impl Iterator<Item = &WorkerReading> {
        self.0.iter().flat_map(|(_, seen)| seen)
    }
}
