//! A history: jobs that have long succeeded, written straight into their places.

use std::time::Duration;

use baton_domain::{LeaseId, Timestamp, job::Backoff};
use baton_ports::store::{Error, Result};

use super::Tools;
use crate::{kernel::ConnectionPool, statement as sql, value::params};

/// How many jobs one transaction writes: well inside the time a statement may take.
const CHUNK: u32 = 10_000;
/// How far apart the jobs of a history are, on average.
const STEP: Duration = Duration::from_micros(100);

/// What a history consists of.
#[derive(Debug, Clone)]
pub struct History {
    /// How many jobs; whole thousands, as they are written in batches of so many.
    pub jobs: u32,
    /// When the last of them finished.
    pub until: Timestamp,
    /// The queue they stood in.
    pub queue: String,
    /// Their kind.
    pub kind: String,
    /// Their payload.
    pub payload: String,
}

impl Tools {
    /// Writes a history into an empty database, before anything turns on it; `seen` hears how many
    /// jobs are written.
    pub async fn write_history(&self, history: &History, mut seen: impl FnMut(u32)) -> Result<()> {
        let start = history.until - STEP * (history.jobs + 1_000);
        let backoff = serde_json::to_string(&Backoff::default())
            .map_err(|error| Error::Refused(error.to_string()))?;
        let worker = LeaseId::random().uuid();
        let mut first = 0;
        while first < history.jobs {
            let count = CHUNK.min(history.jobs - first);
            let params = params! {
                first: first, count: count, start: start, queue: history.queue.as_str(), kind: history.kind.as_str(),
                payload: history.payload.as_str(), backoff: backoff.as_str(), worker: worker,
            };
            let kernel = self.store.kernel();
            kernel
                .write(ConnectionPool::Front, &sql::bench::HISTORY, params)
                .await?;
            first += count;
            seen(first);
        }
        Ok(())
    }
}
