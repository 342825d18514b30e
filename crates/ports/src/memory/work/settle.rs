//! Settling: out of a lease, into the place that the decision names.

use baton_domain::{
    Lifecycle, Timestamp, WorkerId,
    job::{Attempt, AttemptCounters, Decision, Late, Outcome, State, Trigger},
};

use super::super::{Tables, counting::Counting, facts::Fact, moves::Arrival};
use crate::store::{AttemptResult, By, SettleOutcome};

impl Tables {
    pub(super) fn settle(
        &mut self,
        by: By,
        results: &[AttemptResult],
        now: Timestamp,
    ) -> Vec<SettleOutcome> {
        let mut facts = Vec::new();
        let answers = results.iter().map(|result| {
            if self.is_held(by, result) {
                facts.extend(self.record(result, now));
                SettleOutcome::Recorded
            } else if self.is_recorded(result) && !self.is_adopted(result) {
                SettleOutcome::Recorded
            } else if let By::Worker(worker) = by {
                self.remember(worker, result, now);
                self.record_late(result, now, &mut facts)
            } else {
                // The rescuer saw nothing, so it has nothing to tell history.
                SettleOutcome::Stale
            }
        });
        let answers = answers.collect();
        self.ledger.tell(facts);
        answers
    }

    /// The guard: the lease still holds this attempt, and who speaks may speak for it.
    fn is_held(&self, by: By, result: &AttemptResult) -> bool {
        let Some(lease) = self.leases.get(&result.lease) else {
            return false;
        };
        let may_speak = match by {
            By::Worker(worker) => lease.worker == worker,
            By::Rescuer => result.seen == Some(lease.until),
        };
        let held = lease.jobs.get(&result.job);
        may_speak && held.is_some_and(|held| held.counters.attempt == result.counters.attempt)
    }

    fn record(&mut self, result: &AttemptResult, now: Timestamp) -> Option<Fact> {
        let (job, decision) = (result.job, &result.decision);
        let (lease, leased) = self.lease_of(job)?;
        let worker = lease.worker;
        let asked = self
            .cancellations
            .get(&job)
            .map(|asked| asked.reason.clone());
        self.take_leased(job)?;

        let counters = leased.counters.after(decision);
        let ending = Ending::of(decision, asked);
        let run_at = decision.run_at.unwrap_or(now);
        let next_run_at = (!ending.state.is_terminal()).then_some(run_at);
        let attempt = Attempt {
            job,
            attempt: counters.attempt,
            run: counters.run,
            lease: result.lease,
            worker,
            started_at: result.started_at,
            ended_at: Some(now),
            outcome: Some(decision.outcome),
            state: Some(ending.state),
            next_run_at,
            error: decision.failure.clone(),
            late: None,
        };
        self.attempts.insert((job, counters.attempt), attempt);

        let arrival = Arrival {
            counters,
            run_at,
            reason: ending.reason.clone(),
            result: decision.result.clone(),
            failure: decision.failure.clone(),
            fingerprint: result.fingerprint.clone(),
        };
        self.put(job, ending.state, arrival, now);
        let queue = &self.jobs[&job].queue;
        let is_waiting = matches!(ending.state, State::Pending | State::RetryWait);
        let failure = decision.failure.as_ref();
        let fact = Fact::moved(job, queue, Some(State::Running), ending.state, now)
            .with("attempt", counters.attempt)
            .with_any("class", failure.map(|failure| failure.class.as_str()))
            .with_any("code", failure.map(|failure| failure.code.as_str()))
            .with_any("message", failure.map(|failure| failure.message.as_str()))
            .with_any("reason", ending.reason)
            .with_any("run_at", is_waiting.then(|| run_at.to_string()));
        Some(fact)
    }

    /// Whether this very settlement was recorded before.
    fn is_recorded(&self, result: &AttemptResult) -> bool {
        let id = (result.job, result.counters.attempt);
        self.attempts.get(&id).is_some_and(|attempt| {
            attempt.lease == result.lease && attempt.outcome == Some(result.decision.outcome)
        })
    }

    /// Whether it was a success that came late, and counted.
    fn is_adopted(&self, result: &AttemptResult) -> bool {
        let id = (result.job, result.counters.attempt);
        result.decision.outcome == Outcome::Succeeded
            && self.late.get(&id).is_some_and(|late| late.adopted)
    }

    /// Writes an attempt down whose claim was forgotten, if it has succeeded and its job still stands where that claim
    /// found it: the attempt is the next one, nobody has had it, and no lease has the name of its own.
    fn remember(&mut self, worker: WorkerId, result: &AttemptResult, now: Timestamp) {
        let (job, counters) = (result.job, result.counters);
        let standing = self.standing(job);
        let is_next = standing.is_some_and(|(state, seen)| {
            state == State::Queued
                && seen.attempt + 1 == counters.attempt
                && seen.run == counters.run
        });
        let is_known = self.leases.contains_key(&result.lease)
            || self.attempts.contains_key(&(job, counters.attempt));
        if result.decision.outcome != Outcome::Succeeded || !is_next || is_known {
            return;
        }
        let since = self.standing_since(job);
        let attempt = Attempt {
            job,
            attempt: counters.attempt,
            run: counters.run,
            lease: result.lease,
            worker,
            started_at: result.started_at,
            ended_at: Some(since.map_or(now, |since| now.max(since))),
            outcome: Some(Outcome::Succeeded),
            state: Some(State::Succeeded),
            next_run_at: None,
            error: None,
            late: None,
        };
        self.attempts.insert((job, counters.attempt), attempt);
    }

    /// Writes down what came too late; the first word of an attempt counts.
    fn record_late(
        &mut self,
        result: &AttemptResult,
        now: Timestamp,
        facts: &mut Vec<Fact>,
    ) -> SettleOutcome {
        let id = (result.job, result.counters.attempt);
        let outcome = result.decision.outcome;
        let attempt = self.attempts.get(&id);
        if attempt.is_none_or(|attempt| attempt.lease != result.lease) {
            return SettleOutcome::Stale;
        }
        if let Some(late) = self.late.get(&id) {
            let is_repeated = late.adopted && late.outcome == outcome;
            return if is_repeated {
                SettleOutcome::Adopted
            } else {
                SettleOutcome::Stale
            };
        }
        // The moment may have been read by a process that slept since.
        let since = self.standing_since(result.job);
        let at = since.map_or(now, |since| now.max(since));
        let adopted = self.adopt(result, at);
        let late = Late {
            outcome,
            at: if adopted.is_some() { at } else { now },
            adopted: adopted.is_some(),
        };
        self.late.insert(id, late);
        let answer = match adopted {
            Some(_) => SettleOutcome::Adopted,
            None => SettleOutcome::Stale,
        };
        facts.extend(adopted);
        answer
    }

    /// Takes a late success for the job's own, if nobody has claimed the job since.
    fn adopt(&mut self, result: &AttemptResult, now: Timestamp) -> Option<Fact> {
        let (job, decision) = (result.job, &result.decision);
        if decision.outcome != Outcome::Succeeded {
            return None;
        }
        let (from, counters) = self.standing(job)?;
        let transition = from.on(Trigger::Succeed).ok()?;
        // Every claim numbers its attempt higher. Who has the job run again wants it called again, under
        // the key of the new run.
        if counters.attempt > result.counters.attempt || counters.run != result.counters.run {
            return None;
        }
        let (counters, run_at) = self.take(job, from)?;
        // The attempt is the one that has succeeded, also where the store has forgotten that it was claimed.
        let counters = AttemptCounters {
            attempt: result.counters.attempt.max(counters.attempt),
            ..counters.after(decision)
        };
        let arrival = Arrival {
            result: decision.result.clone(),
            ..Arrival::new(counters, run_at)
        };
        self.put(job, transition.to(), arrival, now);
        let queue = &self.jobs[&job].queue;
        let fact = Fact::moved(job, queue, Some(from), transition.to(), now);
        let fact = fact.with("attempt", result.counters.attempt);
        Some(fact.with("late", true))
    }
}

/// Where an attempt's end leads a job.
struct Ending {
    state: State,
    reason: Option<String>,
}

impl Ending {
    /// What was decided; but a job that was asked to stop does not wait for another attempt.
    fn of(decision: &Decision, cancel: Option<Option<String>>) -> Self {
        let to = decision.transition.to();
        match cancel {
            Some(reason) if !to.is_terminal() => Self {
                state: State::Canceled,
                reason,
            },
            Some(reason) if to == State::Canceled => Self {
                state: to,
                reason: decision.reason.clone().or(reason),
            },
            _ => Self {
                state: to,
                reason: decision.reason.clone(),
            },
        }
    }
}
