//! Taking: what is there in one step, and waiting for what is not.

use std::time::Duration;

use baton_domain::{JobId, WorkerId};
use baton_ports::hints::Result;
use metrics::counter;
use tokio::time::Instant;

use crate::{entry, hints::Inner, script::call};

impl Inner {
    pub async fn take(
        &self,
        worker: WorkerId,
        queue: &str,
        limit: u32,
        wait: Duration,
    ) -> Result<Vec<JobId>> {
        let until = Instant::now() + wait;
        let mut first = None;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let found = self
                .take_what_is_there(worker, queue, limit, first.take(), left)
                .await?;
            let is_empty = found.is_empty();
            let jobs = self.sift(worker, queue, found).await;
            if !jobs.is_empty() || (is_empty && left.is_zero()) {
                return Ok(jobs);
            }
            if is_empty {
                first = self.wait(worker, queue, left).await?;
            }
        }
    }

    /// Up to `limit` entries, `first` among them; with time left, the worker is known as one who waits.
    async fn take_what_is_there(
        &self,
        worker: WorkerId,
        queue: &str,
        limit: u32,
        first: Option<Vec<u8>>,
        left: Duration,
    ) -> Result<Vec<Vec<u8>>> {
        let script = &self.scripts.take;
        let more = limit.saturating_sub(u32::from(first.is_some()));
        let command = |generation| {
            let keys = [
                self.keys.sentinel(),
                self.keys.ready(generation, queue),
                self.keys.processing(generation, worker),
                self.keys.workers(generation),
            ];
            let mut command = call(script, &keys, Some(generation));
            let waits = u8::from(first.is_some() || !left.is_zero());
            command.arg(more).arg(worker.uuid().to_string()).arg(waits);
            command
        };
        let others = self.call::<Vec<Vec<u8>>>(script, command).await;
        match (first, others) {
            (None, others) => others,
            // It is taken already: what became of the others does not matter.
            (Some(first), others) => {
                let others = others.unwrap_or_default();
                Ok([first].into_iter().chain(others).collect())
            }
        }
    }

    /// Forgets what is in front.
    pub async fn trim(&self, queue: &str, count: u32) -> Result<()> {
        let script = &self.scripts.trim;
        let command = |generation| {
            let keys = [self.keys.sentinel(), self.keys.ready(generation, queue)];
            let mut command = call(script, &keys, Some(generation));
            command.arg(count);
            command
        };
        self.call::<u64>(script, command).await?;
        counter!("baton_hints_trimmed_total").increment(count.into());
        Ok(())
    }

    /// The jobs among entries; what is none is removed.
    async fn sift(&self, worker: WorkerId, queue: &str, entries: Vec<Vec<u8>>) -> Vec<JobId> {
        let mut garbage = Vec::new();
        let mut jobs = Vec::with_capacity(entries.len());
        for entry in entries {
            match entry::read(&entry, queue) {
                Some(job) => jobs.push(job),
                None => garbage.push(entry),
            }
        }
        counter!("baton_hints_taken_total").increment(jobs.len() as u64);
        if !garbage.is_empty() {
            counter!("baton_hints_refused_total").increment(garbage.len() as u64);
            tracing::warn!(
                queue,
                count = garbage.len(),
                "hints that nobody has offered were removed"
            );
            // What cannot be removed now goes when the worker gives back.
            let _ = self.remove(worker, &garbage).await;
        }
        jobs
    }
}
