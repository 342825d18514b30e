//! Where a campaign can be, and the one table of how it gets from there to elsewhere.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

/// Where a campaign is. Each campaign is in exactly one of these.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// Its time has not come, or its lane is taken. The expander takes it out.
    Scheduled,
    /// Its audience is walked, chunk by chunk. At most one in each lane.
    Expanding,
    /// Every delivery is written, and some are not terminal yet.
    Sending,
    /// Every delivery is written and terminal: found, never set by hope.
    Done,
    /// Somebody stopped it: no chunk is written and no call starts until it is resumed.
    Stopped,
    /// Somebody did not want it any more.
    Canceled,
}

impl State {
    /// Every state, in the order of a campaign's life.
    pub const ALL: [Self; 6] = [
        Self::Scheduled,
        Self::Expanding,
        Self::Sending,
        Self::Done,
        Self::Stopped,
        Self::Canceled,
    ];

    /// The word for it, everywhere: API, SQL, pages.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Scheduled => "scheduled",
            Self::Expanding => "expanding",
            Self::Sending => "sending",
            Self::Done => "done",
            Self::Stopped => "stopped",
            Self::Canceled => "canceled",
        }
    }

    /// Whether deliveries of it may be called now.
    #[must_use]
    pub const fn may_send(self) -> bool {
        !matches!(self, Self::Stopped | Self::Canceled)
    }

    /// Looks the move up in the table.
    ///
    /// # Errors
    /// [`Illegal`] when the table has no such move.
    pub fn on(self, event: Event) -> Result<Transition, Illegal> {
        MOVES
            .iter()
            .find(|(from, on, _)| *from == self && *on == event)
            .map(|&(from, event, to)| Transition { from, event, to })
            .ok_or(Illegal { from: self, event })
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// A text that names no state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected a state: scheduled, expanding, sending, done, stopped or canceled")]
pub struct UnknownState;

impl FromStr for State {
    type Err = UnknownState;

    fn from_str(text: &str) -> Result<Self, UnknownState> {
        let mut all = Self::ALL.into_iter();
        all.find(|state| state.as_str() == text).ok_or(UnknownState)
    }
}

/// What moves a campaign.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Event {
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

use Event as E;
use State as S;

/// Every legal move: from, on, to.
pub const MOVES: &[(State, Event, State)] = &[
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

/// A move that the table allows. It cannot be made in any other way than by [`State::on`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Transition {
    from: State,
    event: Event,
    to: State,
}

impl Transition {
    /// Where it starts.
    #[must_use]
    pub const fn from(self) -> State {
        self.from
    }

    /// What caused it.
    #[must_use]
    pub const fn event(self) -> Event {
        self.event
    }

    /// Where it leads.
    #[must_use]
    pub const fn to(self) -> State {
        self.to
    }

    /// The kind of fact it leaves behind.
    #[must_use]
    pub const fn fact(self) -> &'static str {
        match self.event {
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

/// A move that the table does not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a campaign that is {from} cannot {}", event.verb())]
pub struct Illegal {
    /// Where the campaign is.
    pub from: State,
    /// What was asked of it.
    pub event: Event,
}

impl Event {
    /// How a sentence names it: "a campaign that is done cannot *be stopped*".
    #[must_use]
    pub const fn verb(self) -> &'static str {
        match self {
            Self::Begin => "begin",
            Self::Complete => "be complete",
            Self::Finish => "be done",
            Self::Reopen => "be reopened",
            Self::Stop => "be stopped",
            Self::Resume | Self::ResumeSending => "be resumed",
            Self::Cancel => "be canceled",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_event_leads_to_one_state() {
        for (i, (from, event, _)) in MOVES.iter().enumerate() {
            let again = MOVES[i + 1..]
                .iter()
                .any(|(f, e, _)| f == from && e == event);

            assert!(!again, "{from} on {event:?} stands twice");
        }
    }

    #[test]
    fn every_active_campaign_can_be_stopped_and_canceled() {
        for state in [S::Scheduled, S::Expanding, S::Sending] {
            assert!(state.on(E::Stop).is_ok() && state.on(E::Cancel).is_ok());
        }
    }

    #[test]
    fn a_canceled_campaign_stays_canceled() {
        assert!(MOVES.iter().all(|(from, _, _)| *from != S::Canceled));
    }

    #[test]
    fn an_illegal_move_names_the_state_and_the_wish() {
        let illegal = S::Done.on(E::Stop).unwrap_err();

        assert_eq!(
            illegal.to_string(),
            "a campaign that is done cannot be stopped"
        );
    }
}
