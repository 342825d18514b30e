//! Moving: out of one place, into another.

use baton_domain::{
    JobId, Timestamp,
    fingerprint::fingerprint,
    job::{AttemptCounters, Failure, Reason, State, Transition, Trigger},
};

use super::{
    DeadLetter, Finished, Lease, Leased, Ready, Tables, WaitingJob, counting::Counting, facts::Fact,
};

/// How a job arrives in a place. What the place does not keep is dropped.
pub(super) struct Arrival {
    pub(super) counters: AttemptCounters,
    pub(super) run_at: Timestamp,
    pub(super) reason: Option<String>,
    pub(super) result: Option<String>,
    pub(super) failure: Option<Failure>,
    pub(super) fingerprint: Option<String>,
}

impl Arrival {
    pub(super) fn new(counters: AttemptCounters, run_at: Timestamp) -> Self {
        Self {
            counters,
            run_at,
            reason: None,
            result: None,
            failure: None,
            fingerprint: None,
        }
    }
}

impl Tables {
    /// Moves a job that nobody holds; `None` means that it is not where the transition starts.
    pub(super) fn transition(
        &mut self,
        job: JobId,
        transition: Transition,
        reason: Option<&str>,
        now: Timestamp,
    ) -> Option<Fact> {
        if transition.to() == State::Running {
            return None;
        }
        let (counters, run_at) = self.take(job, transition.from())?;
        let event = transition.trigger();
        let reason = match event {
            Trigger::Expire => reason.or(Some(Reason::Expired.as_str())),
            Trigger::ResolveFailed => reason.or(Some(Reason::Permanent.as_str())),
            _ => reason,
        };
        let arrival = Arrival {
            reason: reason.map(str::to_owned),
            failure: Failure::without_attempt(event),
            ..match event {
                Trigger::Redrive => Arrival::new(counters.of_next_run(), now),
                Trigger::RunNow => Arrival::new(counters, now),
                _ => Arrival::new(counters, run_at),
            }
        };
        self.put(job, transition.to(), arrival, now);
        let queue = &self.jobs[&job].queue;
        let fact = Fact::moved(job, queue, Some(transition.from()), transition.to(), now);
        Some(fact.with_any("reason", reason))
    }

    /// Takes a job that nobody holds out of its place, if it is in this state; a running job is
    /// taken by who has its lease.
    pub(super) fn take(&mut self, job: JobId, from: State) -> Option<(AttemptCounters, Timestamp)> {
        match from {
            State::Pending | State::RetryWait => {
                self.waiting.get(job).filter(|row| row.state == from)?;
                let row = self.waiting.remove(job)?;
                Some((row.counters, row.run_at))
            }
            State::Queued => {
                let queue = &self.jobs.get(&job)?.queue;
                let row = self.ready.get_mut(queue)?.remove(job)?;
                Some((row.counters, row.run_at))
            }
            State::Running => None,
            _ => {
                self.finished.get(&job).filter(|row| row.state == from)?;
                let row = self.finished.remove(&job)?;
                Some((row.counters, row.at))
            }
        }
    }

    /// Takes a job out of its lease; the lease goes with its last job.
    pub(super) fn take_leased(&mut self, job: JobId) -> Option<Leased> {
        let id = self.leased.remove(&job)?;
        self.cancellations.remove(&job);
        let lease = self.leases.get_mut(&id)?;
        let leased = lease.jobs.remove(&job);
        if lease.jobs.is_empty() {
            self.leases.remove(&id);
        }
        leased
    }

    /// The lease that holds a job, and the job in it.
    pub(super) fn lease_of(&self, job: JobId) -> Option<(&Lease, Leased)> {
        let lease = self.leases.get(self.leased.get(&job)?)?;
        Some((lease, *lease.jobs.get(&job)?))
    }

    /// Puts a job into the place of a state; `running` has its own way in, the claim.
    pub(super) fn put(&mut self, job: JobId, to: State, arrival: Arrival, now: Timestamp) {
        let asked = &self.jobs[&job];
        match to {
            State::Pending | State::RetryWait => {
                let row = WaitingJob {
                    state: to,
                    run_at: arrival.run_at,
                    since: now,
                    counters: arrival.counters,
                };
                self.waiting.insert(job, row);
            }
            State::Queued => {
                let row = Ready {
                    priority: asked.priority,
                    run_at: arrival.run_at,
                    since: now,
                    counters: arrival.counters,
                };
                let queue = asked.queue.clone();
                self.ready.entry(queue).or_default().insert(job, row);
            }
            State::Running => unreachable!("a job is put into a lease by the claim alone"),
            _ => {
                let kind = asked.kind.clone();
                self.finished
                    .insert(job, arrival.into_finished(&kind, to, now));
            }
        }
    }
}

impl Arrival {
    fn into_finished(self, kind: &str, state: State, at: Timestamp) -> Finished {
        let (given, failure) = (self.fingerprint, self.failure);
        let letter = failure.filter(|_| state == State::Failed);
        Finished {
            state,
            reason: self.reason,
            result: self.result,
            at,
            counters: self.counters,
            letter: letter.map(|failure| DeadLetter {
                fingerprint: given.unwrap_or_else(|| fingerprint(kind, &failure)),
                failure,
                is_discarded: false,
            }),
        }
    }
}
