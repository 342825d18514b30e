//! Where a campaign can be, and the one table of how it gets from there to elsewhere.

use crate::{Lifecycle, lifecycle, words::words};

words! {
    /// Where a campaign is.
    #[derive(PartialOrd, Ord)]
    pub enum State as "CampaignState", or "expected a state: {words}" {
        /// Its time has not come, or its lane is taken. The expander takes it out.
        Scheduled = "scheduled",
        /// Its audience is walked, chunk by chunk. At most one in each lane.
        Expanding = "expanding",
        /// Every delivery is written, and some are not terminal yet.
        Sending = "sending",
        /// Every delivery is written and terminal: found, never set by hope.
        Done = "done",
        /// Somebody stopped it: no chunk is written and no call starts until it is resumed.
        Stopped = "stopped",
        /// Somebody did not want it any more.
        Canceled = "canceled",
    }
}

impl State {
    /// Whether deliveries of it may be called now.
    #[must_use]
    pub const fn may_send(self) -> bool {
        !matches!(self, Self::Stopped | Self::Canceled)
    }
}

/// What moves a campaign.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Trigger {
    /// Its time has come and its lane is free.
    Begin,
    /// The last chunk is written.
    Complete,
    /// Every delivery is found terminal.
    Finish,
    /// A delivery runs again, by a person's wish.
    Reopen,
    /// A person, or a provider that refuses us, stops it.
    Stop,
    /// A person resumes it before the whole audience was walked: it waits for its lane.
    Resume,
    /// A person resumes it when only sending is left.
    ResumeSending,
    /// A person does not want it any more.
    Cancel,
}

use State as S;
use Trigger as E;

impl Lifecycle for State {
    type Trigger = Trigger;

    const THING: &'static str = "campaign";

    const MOVES: &'static [(Self, Trigger, Self)] = &[
        (S::Scheduled, E::Begin, S::Expanding),
        (S::Expanding, E::Complete, S::Sending),
        (S::Sending, E::Finish, S::Done),
        (S::Done, E::Reopen, S::Sending),
        (S::Scheduled, E::Stop, S::Stopped),
        (S::Expanding, E::Stop, S::Stopped),
        (S::Sending, E::Stop, S::Stopped),
        (S::Stopped, E::Resume, S::Scheduled),
        (S::Stopped, E::ResumeSending, S::Sending),
        (S::Scheduled, E::Cancel, S::Canceled),
        (S::Expanding, E::Cancel, S::Canceled),
        (S::Sending, E::Cancel, S::Canceled),
        (S::Stopped, E::Cancel, S::Canceled),
    ];

    fn verb(trigger: Trigger) -> &'static str {
        match trigger {
            E::Begin => "begin",
            E::Complete => "be complete",
            E::Finish => "be done",
            E::Reopen => "be reopened",
            E::Stop => "be stopped",
            E::Resume | E::ResumeSending => "be resumed",
            E::Cancel => "be canceled",
        }
    }
}

/// A move of a campaign that the table allows.
pub type Transition = lifecycle::Transition<State>;

/// A move that the table does not have.
pub type Illegal = lifecycle::Illegal<State>;

impl Transition {
    /// The kind of fact it leaves behind.
    #[must_use]
    pub const fn fact(self) -> &'static str {
        match self.trigger() {
            E::Begin => "campaign.expanding",
            E::Complete => "campaign.sending",
            E::Finish => "campaign.done",
            E::Reopen => "campaign.reopened",
            E::Stop => "campaign.stopped",
            E::Resume | E::ResumeSending => "campaign.resumed",
            E::Cancel => "campaign.canceled",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_active_campaign_can_be_stopped_and_canceled() {
        for state in [S::Scheduled, S::Expanding, S::Sending] {
            assert!(state.on(E::Stop).is_ok() && state.on(E::Cancel).is_ok());
        }
    }

    #[test]
    fn a_canceled_campaign_stays_canceled() {
        assert!(State::MOVES.iter().all(|(from, _, _)| *from != S::Canceled));
    }
}
