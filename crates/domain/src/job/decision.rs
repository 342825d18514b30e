//! What follows from a verdict: which move, why, and when the next attempt is due.

use std::time::Duration;

use rand::Rng;

use super::{
    Backoff, Class, DeliveryGuarantee, Failure, Illegal, Outcome, State, Transition, Trigger,
    Verdict,
};
use crate::{Lifecycle, Timestamp, words::words};

/// After so many attempts without a word a job is taken for poison.
pub const MAX_LOSSES: u32 = 3;

/// How long a target that throttles is left alone, when it does not say.
const THROTTLED: Duration = Duration::from_secs(10);

/// The counters of an attempt, as the claim handed them out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AttemptCounters {
    /// Numbers the claims.
    pub attempt: u32,
    /// Attempts that count, this one included.
    pub tries: u32,
    /// Attempts lost before this one, in this run.
    pub losses: u32,
    /// Which run of the job this is.
    pub run: u32,
}

impl AttemptCounters {
    /// The counters of an attempt that has moved its job's cursor: the job gets on, so what was tried and lost
    /// before counts no more.
    #[must_use]
    pub const fn having_moved(self) -> Self {
        Self {
            tries: 1,
            losses: 0,
            ..self
        }
    }
}

words! {
    /// Why a job failed for good, was canceled, or was skipped.
    pub enum Reason, or "expected a reason: {words}" {
        /// It would never have worked.
        Permanent = "permanent",
        /// It had no tries left.
        Exhausted = "exhausted",
        /// Its workers vanished, each time.
        Lost = "lost",
        /// Its `expires_at` had passed.
        Expired = "expired",
        /// Its target is gone.
        Gone = "gone",
        /// Our credentials, template or money are at fault.
        Misconfigured = "misconfigured",
    }
}

/// What is to be recorded of an attempt.
#[derive(Debug, Clone, PartialEq)]
pub struct Decision {
    /// The move, from `running`.
    pub transition: Transition,
    /// How the attempt ended.
    pub outcome: Outcome,
    /// Why, when the job fails for good or is skipped.
    pub reason: Option<String>,
    /// When the next attempt is due, if there is one.
    pub run_at: Option<Timestamp>,
    /// For how long the handler asked to be left alone: a snooze, a Retry-After. `run_at` follows from it.
    pub asked: Option<Duration>,
    /// The count of tries after this attempt.
    pub tries: u32,
    /// The count of losses after this attempt.
    pub losses: u32,
    /// What went wrong.
    pub failure: Option<Failure>,
    /// What the target answered: JSON text.
    pub result: Option<String>,
}

impl Decision {
    /// Hands an attempt back unstarted: no try is used.
    ///
    /// # Errors
    /// Never, while the table has the move.
    pub fn give_back(counters: AttemptCounters, now: Timestamp) -> Result<Self, Illegal> {
        Ok(Self {
            run_at: Some(now),
            ..Self::new(Trigger::GiveBack, Outcome::GivenBack, counters)?.without_a_try()
        })
    }

    fn new(trigger: Trigger, outcome: Outcome, counters: AttemptCounters) -> Result<Self, Illegal> {
        Ok(Self {
            transition: State::Running.on(trigger)?,
            outcome,
            reason: None,
            run_at: None,
            asked: None,
            tries: counters.tries,
            losses: counters.losses,
            failure: None,
            result: None,
        })
    }

    fn without_a_try(self) -> Self {
        Self {
            tries: self.tries.saturating_sub(1),
            ..self
        }
    }
}

/// What a job allows: how many tries, how far apart, and what to do in doubt.
#[derive(Debug, Clone, Copy)]
pub struct Policy<'a> {
    /// How many tries it has.
    pub max_attempts: u32,
    /// How far apart they are.
    pub backoff: &'a Backoff,
    /// What to do in doubt.
    pub delivery: DeliveryGuarantee,
}

/// Turns a verdict into a decision.
///
/// # Errors
/// Never, while the table has the moves of a running job.
pub fn decide(
    verdict: Verdict,
    counters: AttemptCounters,
    policy: Policy<'_>,
    now: Timestamp,
    chance: &mut impl Rng,
) -> Result<Decision, Illegal> {
    match verdict {
        Verdict::Accepted { result } => Ok(Decision {
            result,
            ..Decision::new(Trigger::Succeed, Outcome::Succeeded, counters)?
        }),
        Verdict::Skipped { why } => Ok(Decision {
            reason: Some(why),
            ..Decision::new(Trigger::Skip, Outcome::Skipped, counters)?
        }),
        Verdict::Snoozed { after } => Ok(Decision {
            run_at: Some(now + after),
            asked: Some(after),
            ..Decision::new(Trigger::Snooze, Outcome::Snoozed, counters)?.without_a_try()
        }),
        Verdict::Canceled => Decision::new(Trigger::Cancel, Outcome::Canceled, counters),
        Verdict::Failed {
            failure,
            retry_after,
        } => decide_failure(failure, retry_after, counters, policy, now, chance),
    }
}

fn decide_failure(
    failure: Failure,
    retry_after: Option<Duration>,
    counters: AttemptCounters,
    policy: Policy<'_>,
    now: Timestamp,
    chance: &mut impl Rng,
) -> Result<Decision, Illegal> {
    let decision = match failure.class {
        Class::Throttled => {
            let wait = policy
                .backoff
                .wait(1, Some(retry_after.unwrap_or(THROTTLED)), chance);
            Decision {
                run_at: Some(now + wait),
                ..Decision::new(Trigger::Throttle, Outcome::Throttled, counters)?.without_a_try()
            }
        }
        Class::Refused => Decision {
            reason: Some("refused".to_owned()),
            ..Decision::new(Trigger::Skip, Outcome::Skipped, counters)?
        },
        Class::Unknown if policy.delivery == DeliveryGuarantee::AtMostOnce => {
            Decision::new(Trigger::Doubt, Outcome::Uncertain, counters)?
        }
        Class::Gone => fail_for_good(Reason::Gone, counters)?,
        Class::Permanent => fail_for_good(Reason::Permanent, counters)?,
        Class::Misconfigured => fail_for_good(Reason::Misconfigured, counters)?.without_a_try(),
        Class::Retry | Class::Unknown | Class::Lost if counters.tries >= policy.max_attempts => {
            fail_for_good(Reason::Exhausted, counters)?
        }
        Class::Retry | Class::Unknown | Class::Lost => {
            let wait = policy.backoff.wait(counters.tries, retry_after, chance);
            Decision {
                run_at: Some(now + wait),
                ..Decision::new(Trigger::FailForNow, Outcome::Failed, counters)?
            }
        }
    };
    Ok(Decision {
        failure: Some(failure),
        asked: retry_after,
        ..decision
    })
}

fn fail_for_good(reason: Reason, counters: AttemptCounters) -> Result<Decision, Illegal> {
    Ok(Decision {
        reason: Some(reason.as_str().to_owned()),
        ..Decision::new(Trigger::FailForGood, Outcome::Failed, counters)?
    })
}

/// What follows when an attempt's lease ended without a word.
///
/// At least once runs it again at once, up to [`MAX_LOSSES`]; at most once cannot know whether the
/// call was made, and leaves it to a person.
///
/// # Errors
/// Never, while the table has the moves of a running job.
pub fn lose(
    counters: AttemptCounters,
    delivery: DeliveryGuarantee,
    now: Timestamp,
) -> Result<Decision, Illegal> {
    let losses = counters.losses + 1;
    let failure = Failure::new(
        Class::Lost,
        "lease_expired",
        "the worker went silent and its lease ran out",
    );
    let decision = if delivery == DeliveryGuarantee::AtMostOnce {
        Decision::new(Trigger::Doubt, Outcome::Lost, counters)?
    } else if losses >= MAX_LOSSES {
        Decision {
            reason: Some(Reason::Lost.as_str().to_owned()),
            ..Decision::new(Trigger::LoseForGood, Outcome::Lost, counters)?
        }
    } else {
        Decision {
            run_at: Some(now),
            ..Decision::new(Trigger::Lose, Outcome::Lost, counters)?
        }
    };
    Ok(Decision {
        losses,
        failure: Some(failure),
        ..decision.without_a_try()
    })
}

#[cfg(test)]
mod tests {
    use rand::{SeedableRng, rngs::StdRng};

    use super::*;

    const NOW: Timestamp = Timestamp::from_micros(1_000_000_000);

    fn counters(tries: u32) -> AttemptCounters {
        AttemptCounters {
            attempt: tries,
            tries,
            losses: 0,
            run: 1,
        }
    }

    fn decided(class: Class, tries: u32, delivery: DeliveryGuarantee) -> Decision {
        let backoff = Backoff::default();
        let policy = Policy {
            max_attempts: 4,
            backoff: &backoff,
            delivery,
        };
        let verdict = Verdict::failed(class, "test", "it did not work");
        decide(
            verdict,
            counters(tries),
            policy,
            NOW,
            &mut StdRng::seed_from_u64(1),
        )
        .unwrap()
    }

    #[test]
    fn a_retryable_failure_waits_while_tries_are_left_and_then_is_exhausted() {
        let third = decided(Class::Retry, 3, DeliveryGuarantee::AtLeastOnce);
        let fourth = decided(Class::Retry, 4, DeliveryGuarantee::AtLeastOnce);

        assert_eq!(third.transition.to(), State::RetryWait);
        assert!(third.run_at >= Some(NOW));
        assert_eq!(fourth.transition.to(), State::Failed);
        assert_eq!(fourth.reason.as_deref(), Some("exhausted"));
    }

    #[test]
    fn a_throttled_attempt_is_put_off_and_is_not_a_try() {
        let decision = decided(Class::Throttled, 1, DeliveryGuarantee::AtLeastOnce);

        assert_eq!(decision.transition.to(), State::Pending);
        assert_eq!(decision.tries, 0);
        assert!(decision.run_at >= Some(NOW + THROTTLED));
    }

    #[test]
    fn an_unknown_outcome_is_called_again_or_left_to_a_person() {
        assert_eq!(
            decided(Class::Unknown, 1, DeliveryGuarantee::AtLeastOnce)
                .transition
                .to(),
            State::RetryWait
        );
        assert_eq!(
            decided(Class::Unknown, 1, DeliveryGuarantee::AtMostOnce)
                .transition
                .to(),
            State::Uncertain
        );
    }

    #[test]
    fn what_can_never_work_fails_at_once_and_says_why() {
        for (class, reason) in [
            (Class::Permanent, "permanent"),
            (Class::Gone, "gone"),
            (Class::Misconfigured, "misconfigured"),
        ] {
            let decision = decided(class, 1, DeliveryGuarantee::AtLeastOnce);

            assert_eq!(decision.transition.to(), State::Failed);
            assert_eq!(decision.reason.as_deref(), Some(reason));
        }
    }

    #[test]
    fn a_lost_attempt_uses_no_try_and_the_third_loss_is_the_last() {
        let first = lose(counters(1), DeliveryGuarantee::AtLeastOnce, NOW).unwrap();
        let third = lose(
            AttemptCounters {
                losses: 2,
                ..counters(1)
            },
            DeliveryGuarantee::AtLeastOnce,
            NOW,
        )
        .unwrap();

        assert_eq!(
            (first.transition.to(), first.tries, first.losses),
            (State::RetryWait, 0, 1)
        );
        assert_eq!(third.transition.to(), State::Failed);
        assert_eq!(third.reason.as_deref(), Some("lost"));
    }

    #[test]
    fn an_attempt_that_moved_the_cursor_has_all_but_one_try_and_loss_left() {
        let worn = AttemptCounters {
            losses: 2,
            ..counters(4)
        };

        let failed = decide(
            Verdict::failed(Class::Retry, "test", "it did not work"),
            worn.having_moved(),
            Policy {
                max_attempts: 4,
                backoff: &Backoff::default(),
                delivery: DeliveryGuarantee::AtLeastOnce,
            },
            NOW,
            &mut StdRng::seed_from_u64(1),
        )
        .unwrap();
        let lost = lose(worn.having_moved(), DeliveryGuarantee::AtLeastOnce, NOW).unwrap();

        assert_eq!(
            (failed.transition.to(), failed.tries),
            (State::RetryWait, 1)
        );
        assert_eq!((lost.transition.to(), lost.losses), (State::RetryWait, 1));
    }

    #[test]
    fn a_lost_attempt_that_must_not_be_repeated_is_left_to_a_person() {
        let decision = lose(counters(1), DeliveryGuarantee::AtMostOnce, NOW).unwrap();

        assert_eq!(decision.transition.to(), State::Uncertain);
    }
}
