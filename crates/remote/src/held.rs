//! What the worker holds: the right to each attempt, until its result is answered.

use std::{collections::HashMap, sync::Arc, time::Duration};

use baton_domain::{JobId, LeaseId, checkpoint::Checkpoint};
use parking_lot::Mutex;
use tokio::time::Instant;

/// How long what was held under a lease that is over stays known.
const GRACE: Duration = Duration::from_mins(1);

/// What the worker holds, by lease.
#[derive(Default)]
pub struct HeldJobs(Mutex<HashMap<LeaseId, Batch>>);

struct Batch {
    jobs: HashMap<JobId, HeldJob>,
    /// From when the lease counts.
    from: Instant,
    /// Since when the server says that the lease is over; what was done under it may still be told for a while.
    lost: Option<Instant>,
}

/// An attempt that the worker may make.
pub struct HeldJob {
    /// The right to it.
    pub token: Arc<str>,
    /// Which one it is.
    pub attempt: u32,
    /// Where an earlier attempt left off.
    pub checkpoint: Option<Checkpoint>,
}

impl HeldJobs {
    /// Takes a batch in, whose lease counts from then.
    pub fn take_in(&self, lease: LeaseId, jobs: HashMap<JobId, HeldJob>, from: Instant) {
        let lost = None;
        self.0.lock().insert(lease, Batch { jobs, from, lost });
    }

    /// From when a lease counts.
    pub fn granted_at(&self, lease: LeaseId) -> Option<Instant> {
        Some(self.0.lock().get(&lease)?.from)
    }

    /// The leases it is held under.
    pub fn leases(&self) -> Vec<LeaseId> {
        let batches = self.0.lock();
        let held = batches.iter().filter(|(_, batch)| batch.lost.is_none());
        held.map(|(lease, _)| *lease).collect()
    }

    /// Whether there is nothing.
    pub fn is_empty(&self) -> bool {
        let batches = self.0.lock();
        batches.values().all(|batch| batch.lost.is_some())
    }

    /// The right to an attempt.
    pub fn token(&self, lease: LeaseId, job: JobId) -> Option<Arc<str>> {
        let batches = self.0.lock();
        let held = batches.get(&lease)?.jobs.get(&job)?;
        Some(Arc::clone(&held.token))
    }

    /// Where an earlier attempt of a job left off, as its last claim told: what was held of it before stays known for a while.
    pub fn checkpoint(&self, job: JobId) -> Option<Checkpoint> {
        let batches = self.0.lock();
        let held = batches.values().filter_map(|batch| batch.jobs.get(&job));
        held.max_by_key(|held| held.attempt)?.checkpoint.clone()
    }

    /// Forgets an attempt whose result was answered.
    pub fn settled(&self, lease: LeaseId, job: JobId) {
        let mut batches = self.0.lock();
        if let Some(batch) = batches.get_mut(&lease) {
            batch.jobs.remove(&job);
            if batch.jobs.is_empty() {
                batches.remove(&lease);
            }
        }
    }

    /// Takes note of leases that are over, and forgets those that have been for a while; says whether any is news.
    pub fn lost(&self, leases: &[LeaseId]) -> bool {
        let (mut batches, now) = (self.0.lock(), Instant::now());
        let mut is_news = false;
        for lease in leases {
            if let Some(batch) = batches.get_mut(lease) {
                is_news |= batch.lost.is_none();
                batch.lost.get_or_insert(now);
            }
        }
        batches.retain(|_, batch| batch.lost.is_none_or(|lost| now - lost < GRACE));
        is_news
    }
}

#[cfg(test)]
mod tests {
    use baton_domain::Timestamp;

    use super::*;

    #[test]
    fn an_attempt_begins_where_its_own_claim_says_and_not_where_a_lost_one_did() {
        let (held, job) = (HeldJobs::default(), JobId::new(Timestamp::from_micros(1)));
        let claimed = |attempt: u32| {
            let checkpoint = Some(stood(job, attempt));
            let token = format!("token-{attempt}").as_str().into();
            let claimed = HeldJob {
                token,
                attempt,
                checkpoint,
            };
            HashMap::from([(job, claimed)])
        };
        for attempt in [1, 2, 3, 5, 4] {
            held.take_in(LeaseId::random(), claimed(attempt), Instant::now());
        }

        let begins = held.checkpoint(job).unwrap();

        assert_eq!(begins.seq, 5);
    }

    #[test]
    fn under_a_lease_that_is_over_nothing_is_held_and_what_was_done_can_be_told() {
        let (held, job, lease) = (
            HeldJobs::default(),
            JobId::new(Timestamp::from_micros(1)),
            LeaseId::random(),
        );
        let claimed = HeldJob {
            token: "token".into(),
            attempt: 1,
            checkpoint: None,
        };
        held.take_in(lease, HashMap::from([(job, claimed)]), Instant::now());

        let is_news = [held.lost(&[lease]), held.lost(&[lease])];

        assert_eq!(is_news, [true, false]);
        assert!(held.is_empty() && held.leases().is_empty());
        assert!(held.token(lease, job).is_some());
    }

    fn stood(job: JobId, attempt: u32) -> Checkpoint {
        Checkpoint {
            job,
            seq: attempt.into(),
            era: 1,
            attempt,
            cursor: None,
            progress: None,
            moved: false,
            at: Timestamp::from_micros(1),
        }
    }
}
