//! What the scripts of the store do: claim, renew, settle, adopt, take back, release.

use crate::{
    design::{BACKOFF, Flaw, LEASE, LOSSES, STEP, Scene},
    node::{ObservedLease, Run, Verdict, WorkerJob},
    state::{Lease, LeaseId, NodeId, Place, State},
};

impl State {
    /// `claim`: the job under a fresh lease. Nobody waits for the disk.
    pub(crate) fn claim(&mut self, scene: &Scene, node: NodeId) {
        let id = self.next_lease;
        self.next_lease += 1;
        self.store.attempt += 1;
        self.store.place = Place::Leased(Lease {
            id,
            holder: Some(node),
            until: self.until(scene, node),
        });
        self.age = 0;
        self.is_written = false;
        self.nodes[node].hand = WorkerJob::Asked(Run {
            lease: id,
            attempt: self.store.attempt,
            sent: 0,
        });
    }

    /// `renew`: the lease by its id, if the store still has it; says whether.
    pub(crate) fn renew(&mut self, scene: &Scene, node: NodeId, id: LeaseId) -> bool {
        let until = self.until(scene, node);
        let Place::Leased(lease) = &mut self.store.place else {
            return false;
        };
        if lease.id != id {
            return false;
        }
        let is_shown = !scene.has(Flaw::RenewalShowsNothing) || until > lease.until;
        lease.until = lease.until.max(until);
        self.age = 0;
        if is_shown {
            self.for_each_sight(|sight| sight.in_store = false);
            self.is_written = false;
        }
        if !scene.has(Flaw::RenewalMayBeForgotten) {
            self.flush();
        }
        true
    }

    /// `settle`, and `adopt` where the lease is gone.
    pub(crate) fn settle(&mut self, scene: &Scene, node: NodeId, run: Run, verdict: Verdict) {
        let is_held = self.lease().is_some_and(|lease| lease.id == run.lease);
        let unfenced = scene.has(Flaw::SettlementWithoutFence) && self.lease().is_some();
        if is_held || unfenced {
            self.seen.changed_by_stale |= !is_held;
            self.record(run.attempt, run.lease);
            self.store.place = match verdict {
                Verdict::Success => Place::Succeeded,
                Verdict::Retry => Place::Waiting(self.nodes[node].ahead + BACKOFF),
            };
        } else if verdict == Verdict::Success {
            self.adopt(scene, run);
        }
        self.flush();
    }

    /// A late success counts while the job waits and nobody has claimed it since. It was lost, or a
    /// crash of the database forgot that it was claimed.
    fn adopt(&mut self, scene: &Scene, run: Run) {
        let waits = matches!(self.store.place, Place::Ready | Place::Waiting(_));
        let is_next = waits && self.store.attempt <= run.attempt;
        let record = self.store.recorded[usize::from(run.attempt)];
        let is_mine = record.is_none_or(|lease| lease == run.lease);
        let careless = scene.has(Flaw::AdoptionOfTheClaimed) && !self.is_over();
        if is_mine && (is_next || careless) {
            self.seen.changed_by_stale |= !is_next;
            if record.is_none() {
                self.record(run.attempt, run.lease);
            }
            self.seen.adopted = true;
            self.store.attempt = run.attempt;
            self.store.place = Place::Succeeded;
        }
    }

    /// `settle` as the worker that gives a job back.
    pub(crate) fn give_back(&mut self, run: Run) {
        if self.lease().is_some_and(|lease| lease.id == run.lease) {
            self.record(run.attempt, run.lease);
            self.store.place = Place::Ready;
            self.flush();
        }
    }

    /// `settle` as the rescuer: only what still stands as it was seen.
    pub(crate) fn rescue(&mut self, scene: &Scene, node: NodeId, prey: ObservedLease) {
        let ahead = self.nodes[node].ahead;
        let Some(lease) = self.lease().filter(|lease| lease.id == prey.lease) else {
            return;
        };
        let is_guarded = match scene.flaw {
            Some(Flaw::RescueByWallClock) => lease.until < ahead,
            Some(Flaw::RescueFromAnEarlierRead) => true,
            _ => prey.in_store,
        };
        if !is_guarded {
            return;
        }
        self.seen.rescued_early |= self.age < LEASE;
        self.record(self.store.attempt, lease.id);
        self.store.losses += 1;
        self.store.place = if self.store.losses < LOSSES {
            Place::Waiting(ahead)
        } else {
            Place::Dead
        };
        self.flush();
    }

    /// `release`: what is due stands in line.
    pub(crate) fn release(&mut self) {
        self.store.place = Place::Ready;
        self.flush();
    }

    fn record(&mut self, attempt: u8, lease: LeaseId) {
        let record = &mut self.store.recorded[usize::from(attempt)];
        self.seen.recorded_twice |= record.is_some();
        *record = Some(lease);
    }

    /// The end of a lease as its worker dates it. Where nothing compares it, it is left out: fewer states.
    fn until(&self, scene: &Scene, node: NodeId) -> i8 {
        let is_compared =
            scene.has(Flaw::RescueByWallClock) || scene.has(Flaw::RenewalShowsNothing);
        if is_compared {
            (self.nodes[node].ahead + LEASE.cast_signed()).min(STEP + LEASE.cast_signed())
        } else {
            0
        }
    }
}
