//! Where a job can be, and the one table of how it gets from there to elsewhere.
//!
//! [`Lifecycle::on`] looks a move up and is the only source of a [`Transition`]; a
//! store accepts nothing else. SQL repeats the guard, and constraints stand behind it.

use crate::{Lifecycle, lifecycle, words::words};

words! {
    /// Where a job is.
    #[derive(PartialOrd, Ord)]
    pub enum State as "JobState", or "expected a state: {words}" {
        /// Its time has not come. The releaser takes it out when it is due.
        Pending = "pending",
        /// Any worker may claim it.
        Queued = "queued",
        /// Leased to a worker. The worker takes it out by settling, the rescuer when the lease ends.
        Running = "running",
        /// An attempt failed; it waits for its next one. The releaser takes it out when it is due.
        RetryWait = "retry_wait",
        /// Done. Nobody takes it out.
        Succeeded = "succeeded",
        /// The dead letters: it will not be tried again by itself. A person may redrive it.
        Failed = "failed",
        /// Somebody did not want it any more. A person may redrive it.
        Canceled = "canceled",
        /// There was nothing to do. A person may redrive it.
        Skipped = "skipped",
        /// At most once only: it was called and the outcome is unknown. A person decides.
        Uncertain = "uncertain",
    }
}

impl State {
    /// Whether nothing moves the job any more but a person.
    #[must_use]
    pub const fn is_terminal(self) -> bool {
        matches!(
            self,
            Self::Succeeded | Self::Failed | Self::Canceled | Self::Skipped | Self::Uncertain
        )
    }
}

/// What moves a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Trigger {
    /// Its time has come.
    Release,
    /// A worker takes it, under a new lease.
    Claim,
    /// The attempt did what was asked.
    Succeed,
    /// The attempt found nothing to do.
    Skip,
    /// The attempt failed and another may follow.
    FailForNow,
    /// The attempt failed and no other follows.
    FailForGood,
    /// The lease ended without a word; another attempt may follow.
    Lose,
    /// The lease ended without a word too often.
    LoseForGood,
    /// The worker hands it back unstarted.
    GiveBack,
    /// The attempt asks to be run later, without counting as a try.
    Snooze,
    /// The target asked for patience; it does not count as a try.
    Throttle,
    /// Called, but the outcome is unknown, and it must not be called twice.
    Doubt,
    /// Somebody does not want it any more.
    Cancel,
    /// Its `expires_at` has passed.
    Expire,
    /// A person wants it run now rather than later.
    RunNow,
    /// A person runs it again, as its next run.
    Redrive,
    /// A person says that it had succeeded.
    ResolveSucceeded,
    /// A person says that it had failed.
    ResolveFailed,
}

use State as S;
use Trigger as E;

impl Lifecycle for State {
    type Trigger = Trigger;

    const THING: &'static str = "job";

    const MOVES: &'static [(Self, Trigger, Self)] = &[
        (S::Pending, E::Release, S::Queued),
        (S::RetryWait, E::Release, S::Queued),
        (S::Pending, E::RunNow, S::Queued),
        (S::RetryWait, E::RunNow, S::Queued),
        (S::Queued, E::Claim, S::Running),
        (S::Running, E::Succeed, S::Succeeded),
        (S::Running, E::Skip, S::Skipped),
        (S::Running, E::FailForNow, S::RetryWait),
        (S::Running, E::FailForGood, S::Failed),
        (S::Running, E::Lose, S::RetryWait),
        (S::Running, E::LoseForGood, S::Failed),
        (S::Running, E::GiveBack, S::Queued),
        (S::Running, E::Snooze, S::Pending),
        (S::Running, E::Throttle, S::Pending),
        (S::Running, E::Doubt, S::Uncertain),
        (S::Pending, E::Cancel, S::Canceled),
        (S::Queued, E::Cancel, S::Canceled),
        (S::Running, E::Cancel, S::Canceled),
        (S::RetryWait, E::Cancel, S::Canceled),
        (S::Pending, E::Expire, S::Failed),
        (S::Queued, E::Expire, S::Failed),
        (S::RetryWait, E::Expire, S::Failed),
        // A late success is adopted while nobody has claimed the job since.
        (S::RetryWait, E::Succeed, S::Succeeded),
        (S::Queued, E::Succeed, S::Succeeded),
        (S::Failed, E::Redrive, S::Queued),
        (S::Canceled, E::Redrive, S::Queued),
        (S::Skipped, E::Redrive, S::Queued),
        (S::Uncertain, E::Redrive, S::Queued),
        (S::Uncertain, E::ResolveSucceeded, S::Succeeded),
        (S::Uncertain, E::ResolveFailed, S::Failed),
    ];

    fn verb(trigger: Trigger) -> &'static str {
        match trigger {
            E::Release => "be released",
            E::Claim => "be claimed",
            E::Succeed | E::ResolveSucceeded => "be recorded as succeeded",
            E::Skip => "be skipped",
            E::FailForNow | E::FailForGood | E::ResolveFailed => "be recorded as failed",
            E::Lose | E::LoseForGood => "be lost",
            E::GiveBack => "be given back",
            E::Snooze | E::Throttle => "be put off",
            E::Doubt => "be parked as uncertain",
            E::Cancel => "be canceled",
            E::Expire => "expire",
            E::RunNow => "be run now",
            E::Redrive => "be run again",
        }
    }
}

/// A move of a job that the table allows.
pub type Transition = lifecycle::Transition<State>;

/// A move that the table does not have.
pub type Illegal = lifecycle::Illegal<State>;

/// Draws the table as a Mermaid state diagram, for the documents.
#[must_use]
pub fn diagram() -> String {
    let mut text = String::from("stateDiagram-v2\n    [*] --> pending\n    [*] --> queued\n");
    for (from, trigger, to) in State::MOVES {
        text.push_str(&format!("    {from} --> {to} : {trigger:?}\n"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_succeeded_job_stays_succeeded() {
        assert!(
            State::MOVES
                .iter()
                .all(|(from, _, _)| *from != State::Succeeded)
        );
    }

    #[test]
    fn only_a_person_moves_a_terminal_job() {
        for (from, trigger, _) in State::MOVES
            .iter()
            .filter(|(from, _, _)| from.is_terminal())
        {
            let by_hand = matches!(trigger, E::Redrive | E::ResolveSucceeded | E::ResolveFailed);

            assert!(by_hand, "{trigger:?} moves a job that is {from}");
        }
    }

    #[test]
    fn every_state_but_success_has_a_way_out() {
        for state in State::ALL.into_iter().filter(|s| *s != State::Succeeded) {
            assert!(
                State::MOVES.iter().any(|(from, _, _)| *from == state),
                "{state} is a trap"
            );
        }
    }

    #[test]
    fn the_diagram_in_the_documents_is_printed_from_the_table() {
        let page = include_str!("../../../../docs/concepts/life-of-a-job.md");

        assert!(
            page.contains(&diagram()),
            "docs/concepts/life-of-a-job.md is out of date; it should hold:\n{}",
            diagram()
        );
    }
}
