//! A job as its places show it.

use baton_domain::{
    JobId, Timestamp,
    job::{Attempt, AttemptCounters, Failure, Job, NewJob, State},
};

use super::Tables;

/// What every place says of a job.
struct CurrentState {
    state: State,
    run_at: Timestamp,
    since: Timestamp,
    counters: AttemptCounters,
}

impl Tables {
    /// One job, in one clear state.
    pub(super) fn view(&self, id: JobId) -> Option<Job> {
        let asked = self.jobs.get(&id)?;
        let seen = self.seen(asked)?;
        let lease = self.lease_of(id).map(|(lease, _)| lease);
        let finished = self.finished.get(&id);
        Some(Job {
            state: seen.state,
            reason: finished.and_then(|row| row.reason.clone()),
            run_at: seen.run_at,
            attempt: seen.counters.attempt,
            tries: seen.counters.tries,
            losses: seen.counters.losses,
            run: seen.counters.run,
            last_error: self.last_error(id, seen.state),
            result: finished.and_then(|row| row.result.clone()),
            updated_at: seen.since,
            finished_at: finished.map(|row| row.at),
            worker: lease.map(|lease| lease.worker),
            leased_until: lease.map(|lease| lease.until),
            cancel_asked_at: self.cancellations.get(&id).map(|asked| asked.at),
            ..Job::from(asked.clone())
        })
    }

    /// Which state a job is in.
    pub(super) fn state(&self, id: JobId) -> Option<State> {
        self.standing(id).map(|(state, _)| state)
    }

    /// Which state a job is in, and its counters there.
    pub(super) fn standing(&self, id: JobId) -> Option<(State, AttemptCounters)> {
        let seen = self.seen(self.jobs.get(&id)?)?;
        Some((seen.state, seen.counters))
    }

    /// Since when it has been where it is.
    pub(super) fn standing_since(&self, id: JobId) -> Option<Timestamp> {
        Some(self.seen(self.jobs.get(&id)?)?.since)
    }

    fn seen(&self, asked: &NewJob) -> Option<CurrentState> {
        let id = asked.id;
        if let Some(row) = self.waiting.get(id) {
            return Some(CurrentState {
                state: row.state,
                run_at: row.run_at,
                since: row.since,
                counters: row.counters,
            });
        }
        if let Some(row) = self.ready.get(&asked.queue).and_then(|row| row.get(id)) {
            return Some(CurrentState {
                state: State::Queued,
                run_at: row.run_at,
                since: row.since,
                counters: row.counters,
            });
        }
        if let Some((lease, leased)) = self.lease_of(id) {
            return Some(CurrentState {
                state: State::Running,
                run_at: leased.run_at,
                since: lease.since,
                counters: leased.counters,
            });
        }
        self.finished.get(&id).map(|row| CurrentState {
            state: row.state,
            run_at: asked.run_at,
            since: row.at,
            counters: row.counters,
        })
    }

    /// Why the last attempt that ended failed; a job that succeeded shows no error, even if its
    /// success was adopted after the attempt had been given up.
    fn last_error(&self, id: JobId, state: State) -> Option<Failure> {
        if state == State::Succeeded {
            return None;
        }
        self.recorded(id).last()?.error.clone()
    }

    /// The attempts of a job that have ended, first to last.
    pub(super) fn recorded(&self, id: JobId) -> impl DoubleEndedIterator<Item = &Attempt> {
        let rows = self.attempts.range((id, 0)..=(id, u32::MAX));
        rows.map(|(_, attempt)| attempt)
    }

    /// The attempts of a job, first to last, the running one included.
    pub(super) fn history(&self, id: JobId) -> Vec<Attempt> {
        let ended = self.recorded(id).map(|attempt| Attempt {
            late: self.late.get(&(id, attempt.attempt)).cloned(),
            ..attempt.clone()
        });
        let running = self.lease_of(id).map(|(lease, leased)| Attempt {
            job: id,
            attempt: leased.counters.attempt,
            run: leased.counters.run,
            lease: self.leased[&id],
            worker: lease.worker,
            started_at: None,
            ended_at: None,
            outcome: None,
            state: None,
            next_run_at: None,
            error: None,
            late: None,
        });
        ended.chain(running).collect()
    }
}
