//! What workers have taken: dropped, given back, and who they are.

use baton_domain::WorkerId;
use baton_ports::{Hint, hints::Result};
use metrics::counter;
use redis::ToRedisArgs;
use uuid::Uuid;

use crate::{entry, hints::Inner, script::call};

/// Hints in one call: a few milliseconds, in which Redis serves nobody else.
const MOST: usize = 3_000;

impl Inner {
    pub async fn drop_taken(&self, worker: WorkerId, hints: &[Hint]) -> Result<()> {
        let entries: Vec<_> = hints
            .iter()
            .map(|hint| entry::write(hint.job, &hint.queue))
            .collect();
        let dropped = self.remove(worker, &entries).await?;
        counter!("baton_hints_dropped_total").increment(dropped);
        Ok(())
    }

    /// Removes each entry once from what a worker has taken.
    pub async fn remove<T: ToRedisArgs + Sync>(
        &self,
        worker: WorkerId,
        entries: &[T],
    ) -> Result<u64> {
        let script = &self.scripts.drop;
        let mut removed = 0;
        for some in entries.chunks(MOST) {
            let command = |generation| {
                let keys = [
                    self.keys.sentinel(),
                    self.keys.processing(generation, worker),
                ];
                let mut command = call(script, &keys, Some(generation));
                command.arg(some);
                command
            };
            removed += self.call::<u64>(script, command).await?;
        }
        Ok(removed)
    }

    pub async fn give_back(&self, worker: WorkerId) -> Result<u64> {
        let script = &self.scripts.give_back;
        let command = |generation| {
            let keys = [
                self.keys.sentinel(),
                self.keys.processing(generation, worker),
                self.keys.workers(generation),
            ];
            let mut command = call(script, &keys, Some(generation));
            let lists = self.keys.ready(generation, "");
            command.arg(worker.uuid().to_string()).arg(MOST).arg(lists);
            command
        };
        let mut given_back = 0;
        loop {
            let (back, garbage, left): (u64, u64, u64) = self.call(script, command).await?;
            given_back += back;
            counter!("baton_hints_given_back_total").increment(back);
            counter!("baton_hints_refused_total").increment(garbage);
            if left == 0 {
                return Ok(given_back);
            }
        }
    }

    pub async fn consumers(&self) -> Result<Vec<WorkerId>> {
        let script = &self.scripts.consumers;
        let command = |generation| {
            let keys = [self.keys.sentinel(), self.keys.workers(generation)];
            call(script, &keys, Some(generation))
        };
        let members: Vec<Vec<u8>> = self.call(script, command).await?;
        let ids = members
            .iter()
            .filter_map(|member| Uuid::try_parse_ascii(member).ok());
        Ok(ids.map(WorkerId::from_uuid).collect())
    }
}
