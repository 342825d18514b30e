//! How many workers there are, by how they are.

use std::time::Duration;

use baton_domain::{
    Timestamp,
    fleet::{Presence, Worker},
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
pub struct FleetGauges(Option<(Instant, Vec<Worker>)>);

impl FleetGauges {
    pub async fn read(&mut self, store: &dyn Store, now: Timestamp) -> store::Result<()> {
        let is_old = |(at, _): &(Instant, _)| at.elapsed() >= LASTING;
        if self.0.as_ref().is_none_or(is_old) {
            let workers = store.workers(now - HISTORY).await?;
            self.0 = Some((Instant::now(), workers));
        }
        Ok(())
    }

    pub fn show(&self, now: Timestamp, lease: Duration) {
        let workers = self.0.iter().flat_map(|(_, workers)| workers);
        let workers: Vec<_> = workers
            .map(|worker| {
                (
                    worker.heartbeat.remote.is_some(),
                    worker.presence(now, lease),
                )
            })
            .collect();
        for (is_remote, place) in [(false, "server"), (true, "remote")] {
            for state in STATES {
                let these = workers
                    .iter()
                    .filter(|worker| **worker == (is_remote, state));
                #[expect(clippy::cast_precision_loss, reason = "a gauge is a float by nature")]
                let count = these.count() as f64;
                metrics::gauge!("baton_workers", "where" => place, "state" => state.as_str())
                    .set(count);
            }
        }
    }
}
