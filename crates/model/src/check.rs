//! The model as the checker takes it, and what has to hold.

use std::collections::BTreeSet;

use stateright::{Checker, HasDiscoveries, Model, Property};

use crate::{
    action::Action,
    design::Scene,
    ends::Ends,
    node::{Node, WorkerJob},
    state::{Place, State},
    stuck::Stuck,
};

/// No attempt has two results.
pub const RECORDED_ONCE: &str = "an attempt is recorded once";
/// Results are fenced.
pub const NOTHING_STALE: &str = "no stale result changes a job";
/// The living keep what they hold.
pub const NO_EARLY_RESCUE: &str = "no lease that was renewed within its length is taken back";
/// A lease excludes.
pub const NOT_TWICE: &str = "a job runs twice at once only if a crash forgot its claim";
/// Nothing is stuck: some way leads to the end of the job, if everybody comes back and every job that runs ends.
pub const ENDS: &str = "each job can still end when nothing more goes wrong";
/// Nothing is left alone: all ways lead there, also if nodes stay away and a job runs for ever.
pub const CARED_FOR: &str =
    "once nothing more goes wrong each job at last ends, waits, or is held by somebody alive";

/// The model.
pub struct Leases {
    scene: Scene,
    ends: Ends,
    stuck: Stuck,
}

/// Some job is lost once.
pub const IS_RESCUED: &str = "a job is taken back and runs again";
/// Some job is lost too often.
pub const IS_DEAD: &str = "a job becomes a dead letter";
/// Some result comes late and counts.
pub const IS_ADOPTED: &str = "a late success is adopted";
/// Some claim is forgotten.
pub const IS_FORGOTTEN: &str = "a crash forgets a claim";
/// The examples, without which the sentences would say nothing.
pub const EXAMPLES: [&str; 4] = [IS_RESCUED, IS_DEAD, IS_ADOPTED, IS_FORGOTTEN];

/// What a check found.
pub struct Report {
    /// The sentences that were broken, each with a way there.
    pub broken: Vec<(&'static str, Vec<Action>)>,
    /// What was come upon that may happen.
    pub examples: Vec<&'static str>,
    /// How many states there are.
    pub states: usize,
}

/// Visits every state of a scene.
#[must_use]
pub fn check(scene: Scene) -> Report {
    let checker = Leases::new(scene).checker().spawn_bfs().join();
    let found = checker.discoveries().into_iter();
    let (examples, broken): (Vec<_>, Vec<_>) = found.partition(|(name, _)| EXAMPLES.contains(name));
    Report {
        broken: broken
            .into_iter()
            .map(|(name, path)| (name, path.into_actions()))
            .collect(),
        examples: examples.into_iter().map(|(name, _)| name).collect(),
        states: checker.unique_state_count(),
    }
}

/// A way to break a sentence, if there is one.
#[must_use]
pub fn counterexample(scene: Scene, sentence: &'static str) -> Option<Vec<Action>> {
    let found = HasDiscoveries::AnyOf(BTreeSet::from([sentence]));
    let checker = Leases::new(scene)
        .checker()
        .finish_when(found)
        .spawn_bfs()
        .join();
    let path = checker.discovery(sentence)?;
    Some(path.into_actions())
}

impl Leases {
    fn new(scene: Scene) -> Self {
        Self {
            scene,
            ends: Ends::default(),
            stuck: Stuck::default(),
        }
    }
}

impl Model for Leases {
    type State = State;
    type Action = Action;

    fn init_states(&self) -> Vec<State> {
        vec![State::first(&self.scene)]
    }

    fn actions(&self, state: &State, actions: &mut Vec<Action>) {
        state.calm(&self.scene, actions);
        state.faults(&self.scene, actions);
    }

    fn next_state(&self, state: &State, action: Action) -> Option<State> {
        state.after(&self.scene, action)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![
            Property::always(RECORDED_ONCE, |_: &Self, state: &State| {
                !state.seen.recorded_twice
            }),
            Property::always(NOTHING_STALE, |_: &Self, state: &State| {
                !state.seen.changed_by_stale
            }),
            Property::always(NO_EARLY_RESCUE, |_: &Self, state: &State| {
                !state.seen.rescued_early
            }),
            Property::always(NOT_TWICE, |_: &Self, state: &State| {
                let all_rely = state.nodes.iter().all(Node::relies_on_its_lease);
                !all_rely || state.seen.claim_forgotten
            }),
            Property::always(ENDS, |model: &Self, state: &State| {
                model.ends.reaches(&model.scene, state)
            }),
            Property::always(CARED_FOR, |model: &Self, state: &State| {
                !model.stuck.is_at(&model.scene, state)
            }),
            Property::sometimes(IS_RESCUED, |_: &Self, state: &State| {
                let is_running = matches!(state.nodes[0].hand, WorkerJob::Runs(_));
                state.store.losses == 1 && is_running
            }),
            Property::sometimes(IS_DEAD, |_: &Self, state: &State| {
                state.store.place == Place::Dead
            }),
            Property::sometimes(IS_ADOPTED, |_: &Self, state: &State| state.seen.adopted),
            Property::sometimes(IS_FORGOTTEN, |_: &Self, state: &State| {
                state.seen.claim_forgotten
            }),
        ]
    }
}
