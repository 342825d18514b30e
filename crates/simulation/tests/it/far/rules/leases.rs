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
    /// How the attempt that was claimed last has ended.
    ended: Option<Outcome>,
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
    let mut judge = Judge {
        record,
        found,
        jobs: HashMap::new(),
        drained: HashMap::new(),
    };
    for (at, deed) in &record.deeds {
        judge.read(*at, deed);
    }
}

/// Who reads the book, and what is known so far.
struct Judge<'a> {
    record: &'a Record,
    found: &'a mut Vec<Violation>,
    jobs: HashMap<JobId, Known>,
    drained: HashMap<WorkerId, Timestamp>,
}

impl Judge<'_> {
    fn read(&mut self, at: Timestamp, deed: &Deed) {
        match deed {
            Deed::Claimed {
                job,
                lease,
                worker,
                counters,
            } => {
                let holder = Holder {
                    lease: *lease,
                    attempt: counters.attempt,
                    worker: *worker,
                    since: at,
                };
                self.claimed(*job, holder, *counters);
            }
            Deed::Settled {
                job,
                lease,
                attempt,
                by,
                outcome,
                answer: SettleOutcome::Recorded,
            } => self.settled(at, *job, (*lease, *attempt), *by, *outcome),
            Deed::Moved {
                job,
                lease,
                attempt,
                is_repeated: false,
                ..
            } => self.moved(at, *job, *lease, *attempt),
            Deed::ForceCanceled { job } => {
                let known = self.jobs.entry(*job).or_default();
                known.holder = None;
                known.was_taken_away = true;
            }
            Deed::Drained { worker } => {
                self.drained.entry(*worker).or_insert(at);
            }
            Deed::Began {
                job,
                attempt,
                worker,
            } => self.began(at, *job, *attempt, *worker),
            _ => {}
        }
    }

    fn claimed(&mut self, job: JobId, holder: Holder, counters: AttemptCounters) {
        let Holder {
            lease,
            worker,
            since: at,
            ..
        } = holder;
        let known = self.jobs.entry(job).or_default();
        let (other, before) = (known.holder, known.claimed.replace(counters));
        let has_moved = before.is_some_and(|before| known.moved.contains(&before.attempt));
        let has_failed = known.ended == Some(Outcome::Failed);
        known.was_taken_away = false;
        known.holder = Some(holder);
        known.ended = None;
        if let Some(other) = other {
            let what = format!("{lease} got what {} holds", other.lease);
            self.broken("no_two_leases_hold_a_job_at_once", job, at, &what);
        }
        let since = self.drained.get(&worker);
        if since.is_some_and(|since| at > *since + ON_ITS_WAY) {
            let what = format!("{worker} was to take nothing new");
            self.broken("a_drained_worker_gets_nothing", job, at, &what);
        }
        if let Some(before) = before.filter(|before| before.run == counters.run && !has_moved) {
            let has_fallen = counters.tries < before.tries;
            if has_fallen || has_failed && counters.tries != before.tries + 1 {
                let what = format!("{before:?} became {counters:?}");
                self.broken("tries_begin_anew_only_after_a_move", job, at, &what);
            }
        }
    }

    fn settled(
        &mut self,
        at: Timestamp,
        job: JobId,
        (lease, attempt): (LeaseId, u32),
        by: By,
        outcome: Outcome,
    ) {
        let known = self.jobs.entry(job).or_default();
        let holder = known.holder;
        let is_holder = holder.is_some_and(|one| one.lease == lease && one.attempt == attempt);
        let is_again = known.settled.contains(&lease);
        if is_holder {
            known.holder = None;
            known.ended = Some(outcome);
        }
        if is_holder || outcome == Outcome::GivenBack {
            known.settled.insert(lease);
        }
        match holder {
            // A node gives back what nobody can have heard of, guarded as a rescue is.
            Some(holder) if is_holder && by == By::Rescuer && outcome != Outcome::GivenBack => {
                rescued(self.record, job, holder, at, self.found);
            }
            _ if is_holder || is_again => {}
            _ => {
                let what = format!("{lease} said {outcome:?} and does not hold it");
                self.broken("only_the_holder_of_a_lease_settles", job, at, &what);
            }
        }
    }

    fn moved(&mut self, at: Timestamp, job: JobId, lease: LeaseId, attempt: u32) {
        let known = self.jobs.entry(job).or_default();
        known.moved.insert(attempt);
        if known.holder.is_none_or(|holder| holder.lease != lease) {
            let what = format!("{lease} moved it and does not hold it");
            self.broken("only_the_holder_of_a_lease_moves_a_cursor", job, at, &what);
        }
    }

    fn began(&mut self, at: Timestamp, job: JobId, attempt: u32, worker: WorkerId) {
        let known = self.jobs.entry(job).or_default();
        let is_holder = |holder: Holder| holder.worker == worker && holder.attempt == attempt;
        let is_held = known.holder.is_some_and(is_holder);
        let is_excused = known.was_taken_away || stood_still(self.record, worker, at);
        if !is_held && !is_excused {
            let what = format!("{worker} began attempt {attempt} and does not hold it");
            self.broken("what_begins_is_leased", job, at, &what);
        }
    }

    fn broken(&mut self, rule: &'static str, job: JobId, at: Timestamp, what: &str) {
        let violation = Violation::of(rule, job, format!("{what} at {at}"));
        self.found.push(violation);
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
