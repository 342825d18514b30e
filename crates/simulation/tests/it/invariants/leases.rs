//! I12: a lease is the exclusive right to one attempt. The witness saw every commit in its order.

use std::collections::{BTreeMap, BTreeSet};

use baton_domain::{JobId, LeaseId, Timestamp, WorkerId, job::Outcome};
use baton_ports::store::{By, SettleOutcome};

use super::Found;
use crate::{fleet::LEASE, journal::History, witness::Deed};

/// Who holds what, as the commits say.
#[derive(Default)]
pub struct Holders {
    pub held: BTreeMap<JobId, Hold>,
    renewed: BTreeMap<LeaseId, Timestamp>,
    left: BTreeSet<WorkerId>,
}

/// The hold on one job.
#[derive(Debug, Clone)]
pub struct Hold {
    pub lease: LeaseId,
    pub attempt: u32,
    pub worker: WorkerId,
    pub queue: String,
}

impl Holders {
    /// Takes over what a commit did.
    pub fn follow(&mut self, at: Timestamp, deed: &Deed) {
        match deed {
            Deed::Claimed {
                job,
                attempt,
                lease,
                worker,
                queue,
                ..
            } => {
                let hold = Hold {
                    lease: *lease,
                    attempt: *attempt,
                    worker: *worker,
                    queue: queue.clone(),
                };
                self.held.insert(*job, hold);
                self.renewed.insert(*lease, at);
            }
            Deed::Renewed { lease, .. } => {
                self.renewed.insert(*lease, at);
            }
            Deed::Settled {
                job,
                lease,
                answer: SettleOutcome::Recorded,
                ..
            } => {
                // Under another lease it is only said again.
                self.held
                    .retain(|held, hold| held != job || hold.lease != *lease);
            }
            Deed::ForceCanceled { job } => {
                self.held.remove(job);
            }
            Deed::Left { worker } => {
                self.left.insert(*worker);
            }
            _ => {}
        }
    }
}

/// Plays the commits; says what `objection` has against each, the holders being as before it.
fn played(
    history: &History,
    mut objection: impl FnMut(&Holders, Timestamp, &Deed) -> Option<String>,
) -> Found {
    let mut holders = Holders::default();
    let mut found = Vec::new();
    for (at, deed) in &history.deeds {
        found.extend(objection(&holders, *at, deed).map(|message| (deed.job(), message)));
        holders.follow(*at, deed);
    }
    found
}

/// I12
pub fn no_two_leases_hold_a_job_at_once(history: &History) -> Found {
    played(history, |holders, at, deed| {
        let Deed::Claimed {
            job, lease, worker, ..
        } = deed
        else {
            return None;
        };
        let hold = holders.held.get(job).filter(|hold| hold.lease != *lease)?;
        let owner = hold.worker;
        Some(format!(
            "was claimed by {worker} at {at} while {owner} held it"
        ))
    })
}

/// G2: the fence
pub fn only_the_holder_of_a_lease_settles(history: &History) -> Found {
    let mut ended: BTreeMap<(JobId, u32), (LeaseId, Outcome)> = BTreeMap::new();
    played(history, |holders, at, deed| {
        let Deed::Settled {
            job,
            attempt,
            lease,
            by,
            outcome,
            answer: SettleOutcome::Recorded,
        } = deed
        else {
            return None;
        };
        let is_holder = holders.held.get(job).is_some_and(|hold| {
            let is_its = match by {
                By::Worker(worker) => hold.worker == *worker,
                By::Rescuer => true,
            };
            hold.lease == *lease && hold.attempt == *attempt && is_its
        });
        let id = (*job, *attempt);
        let is_repeated = ended.get(&id) == Some(&(*lease, *outcome));
        if is_holder {
            ended.insert(id, (*lease, *outcome));
        }
        (!is_holder && !is_repeated).then(|| {
            format!(
                "was settled as {outcome} at {at} by {by:?}, under a lease that held it no more"
            )
        })
    })
}

/// G2: the rescuer's patience, with whoever did not say goodbye
pub fn a_lease_is_rescued_only_when_it_has_run_out(history: &History) -> Found {
    played(history, |holders, at, deed| {
        let Deed::Settled {
            job,
            lease,
            by: By::Rescuer,
            answer: SettleOutcome::Recorded,
            ..
        } = deed
        else {
            return None;
        };
        // Said again, it is what was said before.
        let hold = holders.held.get(job).filter(|hold| hold.lease == *lease)?;
        if holders.left.contains(&hold.worker) {
            return None;
        }
        let renewed = *holders.renewed.get(lease)?;
        let is_too_soon = at.since(renewed) < LEASE;
        is_too_soon.then(|| format!("was taken back at {at}, and its lease renewed at {renewed}"))
    })
}

/// I31: whatever the clocks do
pub fn no_lease_of_a_living_reachable_worker_is_lost(history: &History) -> Found {
    played(history, |holders, at, deed| {
        let Deed::Settled {
            job,
            lease,
            by: By::Rescuer,
            answer: SettleOutcome::Recorded,
            ..
        } = deed
        else {
            return None;
        };
        let hold = holders.held.get(job).filter(|hold| hold.lease == *lease)?;
        let renewed = *holders.renewed.get(lease)?;
        let is_excused =
            holders.left.contains(&hold.worker) || history.was_disturbed(hold.worker, renewed, at);
        (!is_excused).then(|| {
            let worker = hold.worker;
            format!("was taken from {worker} at {at}, which is alive and renewed it at {renewed}")
        })
    })
}
