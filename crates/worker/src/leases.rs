//! The worker's leases, and the claims whose fate it does not know.

use std::{
    collections::{BTreeMap, BTreeSet, HashSet},
    sync::Arc,
};

use baton_domain::LeaseId;
use parking_lot::Mutex;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::lease::{Fate, Lease};

/// The worker's leases.
#[derive(Debug, Default)]
pub struct Leases {
    leases: Mutex<BTreeMap<LeaseId, Arc<Lease>>>,
    /// Leases of claims that may have been granted without our hearing of it, and until when that is
    /// worth thinking about.
    doubts: Mutex<BTreeMap<LeaseId, Instant>>,
}

impl Leases {
    /// Enters a lease that was granted.
    pub fn add(
        &self,
        id: LeaseId,
        deadline: Instant,
        jobs: usize,
        over: CancellationToken,
    ) -> Arc<Lease> {
        let lease = Arc::new(Lease::new(id, deadline, jobs, over));
        self.leases.lock().insert(id, Arc::clone(&lease));
        lease
    }

    /// Takes note that one of a lease's jobs is settled or dropped.
    pub fn close_one(&self, lease: &Lease) {
        if lease.close_one() {
            self.leases.lock().remove(&lease.id);
        }
    }

    /// Every lease it has now.
    pub fn ids(&self) -> Vec<LeaseId> {
        self.leases.lock().keys().copied().collect()
    }

    /// Those whose claims were never answered.
    pub fn doubted(&self) -> Vec<LeaseId> {
        self.doubts.lock().keys().copied().collect()
    }

    /// Takes over a renewal of these leases.
    pub fn extend(&self, renewed: &HashSet<LeaseId>, deadline: Instant) {
        for lease in self.leases.lock().values() {
            if renewed.contains(&lease.id) {
                lease.extend(deadline);
            }
        }
    }

    /// Ends the work under leases that were asked for and not renewed; says how many.
    pub fn lose(&self, asked: &[LeaseId], renewed: &HashSet<LeaseId>) -> usize {
        let leases = self.leases.lock();
        let lost = asked
            .iter()
            .filter(|id| !renewed.contains(id))
            .filter_map(|id| leases.get(id));
        lost.map(|lease| lease.end(Fate::Lost)).count()
    }

    /// Ends the work under leases whose deadline has passed; says when the next one does.
    pub fn expire(&self, now: Instant) -> Option<Instant> {
        let leases = self.leases.lock();
        let mut next = None;
        for lease in leases.values().filter(|lease| lease.fate() == Fate::Held) {
            let deadline = lease.deadline();
            if deadline <= now {
                tracing::warn!(lease = %lease.id, "lease {} could not be renewed in time: its work is stopped", lease.id);
                lease.end(Fate::Expired);
            } else if next.is_none_or(|next| deadline < next) {
                next = Some(deadline);
            }
        }
        next
    }

    /// Remembers leases that may have been granted without our hearing of it.
    pub fn doubt(&self, ids: impl Iterator<Item = LeaseId>, until: Instant) {
        self.doubts.lock().extend(ids.map(|id| (id, until)));
    }

    /// Those of these leases that were granted without our hearing of it.
    pub fn unheard(&self, renewed: &HashSet<LeaseId>, now: Instant) -> BTreeSet<LeaseId> {
        let mut doubts = self.doubts.lock();
        doubts.retain(|id, until| *until > now || renewed.contains(id));
        let unheard = doubts.keys().filter(|id| renewed.contains(id));
        unheard.copied().collect()
    }

    /// Whether there is nothing to renew.
    pub fn is_empty(&self) -> bool {
        self.leases.lock().is_empty() && self.doubts.lock().is_empty()
    }
}
