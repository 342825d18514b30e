//! The rescuer takes back what a silent worker held. Any node does it; the guard is in the store.

use std::{ops::Range, time::Duration};

use async_trait::async_trait;
use baton_domain::{Timestamp, chance, fingerprint::fingerprint, job};
use baton_ports::{
    Wake,
    store::{self, By, Held, Settled, Settlement},
};
use rand::RngExt;

use super::Tools;
use crate::{Next, Routine};

/// How many jobs one turn takes back.
const BATCH: u32 = 1_000;
/// How long after its end a lease is left alone, for a renewal that is on its way.
const GRACE: Duration = Duration::from_secs(1);
/// How long it is from one look to the next, in milliseconds: with the grace above, what a dead worker
/// had stands in line again 4 s after the end of its lease.
const PAUSE: Range<u64> = 1_500..3_000;

/// Takes back what a silent worker held.
pub struct Rescuer {
    tools: Tools,
}

impl Rescuer {
    /// A rescuer.
    #[must_use]
    pub const fn new(tools: Tools) -> Self {
        Self { tools }
    }

    async fn take_back(
        &self,
        held: &[Held],
        overdue_before: Timestamp,
        now: Timestamp,
    ) -> store::Result<()> {
        let settlements: Vec<_> = held.iter().filter_map(|held| loss(held, now)).collect();
        let by = By::Rescuer { overdue_before };
        let settled = self.tools.store.settle(by, &settlements, now).await?;
        let rescued = settled
            .iter()
            .filter(|settled| **settled == Settled::Recorded)
            .count();
        metrics::counter!("baton_jobs_rescued_total").increment(rescued as u64);
        if let (true, Some(first)) = (rescued > 0, held.first()) {
            tracing::warn!(rescued, worker = %first.worker, "took back jobs of a worker that went silent");
        }
        Ok(())
    }
}

#[async_trait]
impl Routine for Rescuer {
    fn name(&self) -> &'static str {
        "rescuer"
    }

    fn duty(&self) -> &'static str {
        "takes back jobs whose worker has gone silent"
    }

    async fn turn(&mut self) -> store::Result<Next> {
        let now = self.tools.clock.now();
        let overdue_before = now - GRACE;
        let held = self.tools.store.overdue(overdue_before, BATCH).await?;
        if !held.is_empty() {
            self.take_back(&held, overdue_before, now).await?;
            self.tools.signal.ring(Wake::Due);
            self.tools.signal.ring(Wake::Facts);
        }
        let pause = Duration::from_millis(chance::draw(|chance| chance.random_range(PAUSE)));
        Ok(Next::now_if(held.len() >= BATCH as usize, pause))
    }
}

fn loss(held: &Held, now: Timestamp) -> Option<Settlement> {
    let decision = job::lose(held.ticket, held.delivery, now).ok()?;
    let dead = decision.transition.to() == job::State::Failed;
    let failure = decision.failure.as_ref().filter(|_| dead);
    let fingerprint = failure.map(|failure| fingerprint(&held.kind, failure));
    Some(Settlement {
        lease: held.lease,
        job: held.job,
        ticket: held.ticket,
        queued_at: held.queued_at,
        started_at: None,
        decision,
        fingerprint,
    })
}
