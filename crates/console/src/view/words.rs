//! What words of the API are called on a page.

use baton_domain::{
    campaign::Limit, erasure::Stage, fleet::Presence, job::Outcome, node::NodeState,
    operation::Action,
};
use baton_engine::RoutineState;

/// How a worker is.
pub fn presence_word(presence: Presence) -> &'static str {
    match presence {
        Presence::Live => tr!("live"),
        Presence::Draining => tr!("draining"),
        Presence::Deaf => tr!("deaf"),
        Presence::Silent => tr!("silent"),
        Presence::Left => tr!("left"),
    }
}

/// How a node is.
pub fn node_word(state: NodeState) -> &'static str {
    match state {
        NodeState::Live => tr!("live"),
        NodeState::Gone => tr!("gone"),
    }
}

/// How a routine is.
pub fn routine_word(state: RoutineState) -> &'static str {
    match state {
        RoutineState::Starting => tr!("starting"),
        RoutineState::Idle => tr!("idle"),
        RoutineState::Busy => tr!("busy"),
        RoutineState::Failing => tr!("failing"),
        RoutineState::Stopped => tr!("stopped"),
    }
}

/// What an operation does.
pub fn action_word(action: Action) -> &'static str {
    match action {
        Action::Retry => tr!("retry"),
        Action::Cancel => tr!("cancel"),
        Action::Discard => tr!("discard"),
        Action::Erase => tr!("erase"),
    }
}

/// Where an erasure is.
pub fn stage_word(stage: Stage) -> &'static str {
    match stage {
        Stage::Schedules => tr!("schedules"),
        Stage::Deliveries => tr!("deliveries"),
        Stage::Campaigns => tr!("campaigns"),
        Stage::Notifications => tr!("notifications"),
        Stage::Facts => tr!("facts"),
        Stage::Events => tr!("events"),
        Stage::DeadLetters => tr!("dead_letters"),
    }
}

/// What keeps a campaign from going faster.
pub fn limit_words(limit: &Limit) -> String {
    match limit {
        Limit::Time(at) => tr!("begins at {at}", at = at),
        Limit::Lane(other) => tr!(
            "waits for {campaign}, which is ahead of it in its lane",
            campaign = other
        ),
        Limit::Approval => tr!("waits for a second person to approve it").to_owned(),
        Limit::Stopped => tr!("stopped").to_owned(),
        Limit::Walk => tr!("the audience is still walked").to_owned(),
        Limit::Due => tr!("written ahead, and not due yet").to_owned(),
        Limit::Rate(rate) => tr!("its rate of {n} a second", n = rate),
        Limit::Workers => tr!("workers: deliveries wait for free slots").to_owned(),
        Limit::Retries => tr!("retries: what is left waits for its next attempt").to_owned(),
        Limit::Nothing => tr!("nothing").to_owned(),
    }
}

/// How an attempt ended.
pub fn outcome_word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Succeeded => tr!("succeeded"),
        Outcome::Skipped => tr!("skipped"),
        Outcome::Failed => tr!("failed"),
        Outcome::Lost => tr!("lost"),
        Outcome::GivenBack => tr!("given back"),
        Outcome::Snoozed => tr!("snoozed"),
        Outcome::Throttled => tr!("throttled"),
        Outcome::Canceled => tr!("canceled"),
        Outcome::Uncertain => tr!("uncertain"),
    }
}
