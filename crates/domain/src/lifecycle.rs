//! How anything gets from one state to another: a table of moves, and what may leave it.
//!
//! A table is data. [`Lifecycle::on`] looks a move up and is the only source of a [`Transition`]; a store
//! accepts nothing else. SQL repeats the guard, and constraints stand behind it.

use std::fmt;

/// The states of one kind of thing, with the table of moves between them.
pub trait Lifecycle: fmt::Debug + fmt::Display + Copy + Eq + 'static {
    /// What moves it.
    type Trigger: fmt::Debug + Copy + Eq;
    /// What a sentence calls a thing of this kind.
    const THING: &'static str;
    /// Every legal move: from, on, to.
    const MOVES: &'static [(Self, Self::Trigger, Self)];

    /// How a sentence names an trigger: "a job that is running cannot *be run again*".
    fn verb(trigger: Self::Trigger) -> &'static str;

    /// Looks the move up in the table.
    fn on(self, trigger: Self::Trigger) -> Result<Transition<Self>, Illegal<Self>> {
        Self::MOVES
            .iter()
            .find(|(from, on, _)| *from == self && *on == trigger)
            .map(|&(from, trigger, to)| Transition { from, trigger, to })
            .ok_or(Illegal {
                from: self,
                trigger,
            })
    }
}

/// A move that the table allows. It cannot be made in any other way than by [`Lifecycle::on`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Transition<S: Lifecycle> {
    from: S,
    trigger: S::Trigger,
    to: S,
}

impl<S: Lifecycle> Transition<S> {
    /// Where it starts.
    #[must_use]
    pub const fn from(self) -> S {
        self.from
    }

    /// What caused it.
    #[must_use]
    pub const fn trigger(self) -> S::Trigger {
        self.trigger
    }

    /// Where it leads.
    #[must_use]
    pub const fn to(self) -> S {
        self.to
    }
}

/// A move that the table does not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a {} that is {from} cannot {}", S::THING, S::verb(*trigger))]
pub struct Illegal<S: Lifecycle> {
    /// Where the thing is.
    pub from: S,
    /// What was asked of it.
    pub trigger: S::Trigger,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{campaign, job};

    fn each_trigger_leads_to_one_state<S: Lifecycle>() {
        for (i, (from, trigger, _)) in S::MOVES.iter().enumerate() {
            let mut others = S::MOVES[i + 1..].iter();
            let again = others.any(|(f, e, _)| f == from && e == trigger);

            assert!(!again, "{from} on {trigger:?} stands twice");
        }
    }

    #[test]
    fn in_every_table_one_trigger_leads_to_one_state() {
        each_trigger_leads_to_one_state::<job::State>();
        each_trigger_leads_to_one_state::<campaign::State>();
    }

    #[test]
    fn an_illegal_move_names_the_thing_its_state_and_the_wish() {
        let job = job::State::Succeeded.on(job::Trigger::Cancel).unwrap_err();
        let campaign = campaign::State::Done
            .on(campaign::Trigger::Stop)
            .unwrap_err();

        assert_eq!(
            job.to_string(),
            "a job that is succeeded cannot be canceled"
        );
        assert_eq!(
            campaign.to_string(),
            "a campaign that is done cannot be stopped"
        );
    }
}
