//! Unheard jobs: claimed for a worker whose connection has gone, and given back.

use baton_domain::{LeaseId, Timestamp, WorkerId};
use baton_ports::store::Claimed;

use super::waiting_claims::Term;
use crate::Engine;

/// Jobs that were claimed and that nobody has heard of yet: given back if nobody ever does.
pub struct Unheard {
    pub engine: Engine,
    pub worker: WorkerId,
    /// Nothing, once they are on their way.
    pub leases: Vec<LeaseId>,
    pub jobs: Vec<Claimed>,
    pub is_any: bool,
    /// How long their leases last, if nobody has renewed them since.
    pub term: Term,
}

impl Unheard {
    pub fn is_empty(&self) -> bool {
        self.jobs.is_empty()
    }
}

impl Drop for Unheard {
    fn drop(&mut self) {
        if self.is_any && !self.leases.is_empty() {
            let leases = std::mem::take(&mut self.leases);
            spawn_give_back(self.engine.clone(), self.worker, leases, self.term.until);
        }
    }
}

/// Gives back what nobody has heard of. Whoever asks again here under these leases waits for it: what is given back is not
/// to be handed out by a repetition that came in between. One at another node renews them, and then they stay.
pub fn spawn_give_back(engine: Engine, worker: WorkerId, leases: Vec<LeaseId>, until: Timestamp) {
    engine.remote().given_back.lock().extend(&leases);
    tokio::spawn(async move {
        give_back_unheard(engine.clone(), worker, leases.clone(), until).await;
        let mut given_back = engine.remote().given_back.lock();
        for lease in &leases {
            given_back.remove(lease);
        }
        drop(given_back);
        engine.remote().has_given_back.notify_waiters();
    });
}

async fn give_back_unheard(
    engine: Engine,
    worker: WorkerId,
    leases: Vec<LeaseId>,
    until: Timestamp,
) {
    match engine.give_back_unrenewed(worker, &leases, until).await {
        Ok(0) => {}
        Ok(count) => {
            metrics::counter!("baton_remote_given_back_total", "why" => "hung_up")
                .increment(count.into());
            tracing::info!(%worker, count, "{count} jobs were claimed for {worker}, whose connection had gone; they are given back");
        }
        Err(error) => {
            tracing::warn!(%worker, %error, "jobs that were claimed for {worker}, whose connection had gone, cannot be given back: {error}; it releases them, or their leases end");
        }
    }
}
