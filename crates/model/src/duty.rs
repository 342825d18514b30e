//! What nobody may put off for ever: the fairness under which the liveness of the model is judged.

use crate::{
    action::Action,
    design::Scene,
    state::{NODES, NodeId, State},
};

/// Which duties there are, a bit for each.
///
/// A loop of a worker or a routine that speaks with the store makes its next step at last, if that step does not
/// go away by itself; so does time, and the database comes back. That a job ends is no duty: it may run for ever.
/// Nor is it one that a certain node comes back. It may stay away, as long as there is another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Duties(u32);

/// Time passes.
const TIME: Duties = Duties(1 << 30);
/// The database is there again.
const DATABASE: Duties = Duties(1 << 29);
/// Where no node is alive, awake and reachable, one is again.
const SOMEBODY: Duties = Duties(1 << 28);

impl Duties {
    pub(crate) const NONE: Self = Self(0);
    pub(crate) const ALL: Self = Self(u32::MAX);

    /// Some kind of step of one node.
    const fn of(kind: usize, node: NodeId) -> Self {
        Self(1 << (kind * NODES + node))
    }

    pub(crate) const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(crate) const fn common(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub(crate) const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

impl Action {
    /// The duty that is done by this step.
    pub(crate) const fn duty(self) -> Duties {
        match self {
            Self::Claim(node) => Duties::of(0, node),
            Self::Hear(node) => Duties::of(1, node),
            Self::Renew(node) => Duties::of(2, node),
            Self::GiveBack(node) => Duties::of(3, node),
            Self::Expire(node) => Duties::of(4, node),
            Self::Settle(node) => Duties::of(5, node),
            Self::Look(node) => Duties::of(6, node),
            Self::Rescue(node) => Duties::of(7, node),
            Self::Release(node) => Duties::of(8, node),
            Self::Follow(node) => Duties::of(9, node),
            Self::Wake(_) | Self::Mend(_) | Self::Restart(_) => SOMEBODY,
            Self::Recover => DATABASE,
            Self::Tick => TIME,
            Self::End(..) | Self::Hurt(_) => Duties::NONE,
        }
    }
}

/// The steps without faults that lead on from a state.
pub(crate) struct Steps {
    /// What each leads to, and the duty that it does.
    pub(crate) after: Vec<(Duties, State)>,
    /// The duties that can be done here.
    pub(crate) open: Duties,
}

impl Steps {
    pub(crate) fn from(scene: &Scene, state: &State) -> Self {
        let mut actions = Vec::new();
        state.calm(scene, &mut actions);
        let step = |action: Action| {
            let next = state.after(scene, action)?;
            Some((action.duty(), next.without_its_past()))
        };
        let after: Vec<_> = actions.into_iter().filter_map(step).collect();
        let open = after
            .iter()
            .fold(Duties::NONE, |open, (duty, _)| open.and(*duty));
        let is_somebody_there = state
            .nodes
            .iter()
            .any(|node| node.is_at_work() && node.is_reachable);
        let excused = if is_somebody_there {
            SOMEBODY
        } else {
            Duties::NONE
        };
        Self {
            after,
            open: open.without(excused),
        }
    }
}
