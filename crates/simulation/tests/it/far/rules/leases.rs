//! Rules of leases: who may begin, settle and move a cursor, and when a lease may end by itself.

use std::{
    collections::{HashMap, HashSet},
    time::Duration,
};

use baton_domain::{
    JobId, LeaseId, Timestamp, WorkerId,
    job::{AttemptCounters, Outcome},
};
use baton_ports::store::{By, SettleOutcome};

use super::Violation;
use crate::far::{scribe::Deed, world::Record};

/// How long after a drain was answered a claim that was asked before may still be granted.
const ON_ITS_WAY: Duration = Duration::from_secs(8);

/// What is known of one job while the book is read.
#[derive(Default)]
struct Known {
    holder: Option<Holder>,
    /// The lease that settled it last, and so may say so again.
    settled: HashSet<LeaseId>,
    claimed: Option<AttemptCounters>,
    moved: HashSet<u32>,
    was_taken_away: bool,
}

#[derive(Clone, Copy)]
struct Holder {
    lease: LeaseId,
    attempt: u32,
    worker: WorkerId,
    since: Timestamp,
}

/// Reads the book from its beginning.
pub fn judge(record: &Record, found: &mut Vec<Violation>) {
    let mut jobs = HashMap::<JobId, Known>::new();
    let mut drained = HashMap::<WorkerId, Timestamp>::new();
    for (at, deed) in &record.deeds {
        let mut broken = |rule, job: JobId, what: String| {
            found.push(Violation::of(rule, job, format!("{what} at {at}")));
        };
        match deed {
            Deed::Claimed {
                job,
                lease,
                worker,
                counters,
            } => {
                let known = jobs.entry(*job).or_default();
                if let Some(holder) = known.holder {
                    let what = format!("{lease} got what {} holds", holder.lease);
                    broken("no_two_leases_hold_a_job_at_once", *job, what);
                }
                if drained
                    .get(worker)
                    .is_some_and(|since| *at > *since + ON_ITS_WAY)
                {
                    let what = format!("{worker} was to take nothing new");
                    broken("a_drained_worker_gets_nothing", *job, what);
                }
                if let Some(before) = known.claimed
                    && before.run == counters.run
                    && counters.tries < before.tries
                    && !known.moved.contains(&before.attempt)
                {
                    let what = format!("{before:?} became {counters:?}");
                    broken("tries_begin_anew_only_after_a_move", *job, what);
                }
                known.claimed = Some(*counters);
                known.was_taken_away = false;
                known.holder = Some(Holder {
                    lease: *lease,
                    attempt: counters.attempt,
                    worker: *worker,
                    since: *at,
                });
            }
            Deed::Settled {
                job,
                lease,
                attempt,
                by,
                outcome,
                answer: SettleOutcome::Recorded,
            } => {
                let known = jobs.entry(*job).or_default();
                let is_again = known.settled.contains(lease);
                match known.holder {
                    Some(holder) if holder.lease == *lease && holder.attempt == *attempt => {
                        if *by == By::Rescuer {
                            rescued(record, *job, holder, *at, found);
                        }
                        known.holder = None;
                        known.settled.insert(*lease);
                    }
                    _ if is_again => {}
                    _ => {
                        let what = format!("{lease} said {outcome:?} and does not hold it");
                        broken("only_the_holder_of_a_lease_settles", *job, what);
                    }
                }
                if *outcome == Outcome::GivenBack {
                    known.settled.insert(*lease);
                }
            }
            Deed::Moved {
                job,
                lease,
                attempt,
                is_repeated: false,
                ..
            } => {
                let known = jobs.entry(*job).or_default();
                known.moved.insert(*attempt);
                if known.holder.is_none_or(|holder| holder.lease != *lease) {
                    let what = format!("{lease} moved it and does not hold it");
                    broken("only_the_holder_of_a_lease_moves_a_cursor", *job, what);
                }
            }
            Deed::ForceCanceled { job } => {
                let known = jobs.entry(*job).or_default();
                known.holder = None;
                known.was_taken_away = true;
            }
            Deed::Drained { worker } => {
                drained.entry(*worker).or_insert(*at);
            }
            Deed::Began {
                job,
                attempt,
                worker,
            } => {
                let known = jobs.entry(*job).or_default();
                let is_held = known
                    .holder
                    .is_some_and(|holder| holder.worker == *worker && holder.attempt == *attempt);
                let is_excused = known.was_taken_away || stood_still(record, *worker, *at);
                if !is_held && !is_excused {
                    let what = format!("{worker} began attempt {attempt} and does not hold it");
                    broken("what_begins_is_leased", *job, what);
                }
            }
            _ => {}
        }
    }
}

/// A lease ends by itself only if its worker could not renew it.
fn rescued(record: &Record, job: JobId, holder: Holder, at: Timestamp, found: &mut Vec<Violation>) {
    if record.weather.is_gentle {
        let what = format!(
            "{} of {} has ended at {at}, held since {}, and nothing was wrong with its worker",
            holder.lease, holder.worker, holder.since
        );
        let rule = "a_lease_ends_only_with_its_worker";
        found.push(Violation::of(rule, job, what));
    }
}

/// Whether a worker stood still a moment ago, or was slow: what it begins then it had begun before.
fn stood_still(record: &Record, worker: WorkerId, at: Timestamp) -> bool {
    let mut mishaps = record.mishaps.iter();
    mishaps.any(|one| {
        one.worker == worker
            && one.what == "frozen"
            && one.from <= at
            && at <= one.until + Duration::from_secs(1)
    })
}
