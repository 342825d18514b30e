//! The table of nodes.

use askama::Template;
use baton_domain::{
    WorkerId,
    node::{NodeState, SeenNode},
    time::ClockDrift,
};

use crate::{
    overview_cache::OverviewSnapshot,
    view::{Markup, ago, node_word, short, span},
};

/// The table of nodes.
pub fn table(glance: &OverviewSnapshot) -> Markup {
    let leader = glance.installation.as_ref().and_then(|seen| seen.leader);
    let rows = glance.nodes().iter();
    Markup::of(&Nodes {
        rows: rows
            .map(|seen| NodeRow::new(seen, glance, leader))
            .collect(),
    })
}

#[derive(Template)]
#[template(path = "panels/nodes.html")]
struct Nodes {
    rows: Vec<NodeRow>,
}

struct NodeRow {
    id: String,
    short: String,
    name: String,
    address: Option<String>,
    version: String,
    roles: String,
    state: &'static str,
    state_word: &'static str,
    leads: bool,
    /// How far its clock is from the database's, and how well that is known.
    clock: Option<(String, String)>,
    since: Markup,
    seen: Markup,
}

impl NodeRow {
    fn new(seen: &SeenNode, glance: &OverviewSnapshot, leader: Option<WorkerId>) -> Self {
        let node = &seen.node;
        let state = seen.state(glance.at);
        Self {
            id: node.id.to_string(),
            short: short(node.id),
            name: node.name.clone(),
            address: node.address.clone(),
            version: node.version.clone(),
            roles: node.roles.join(", "),
            state: state.as_str(),
            state_word: node_word(state),
            // Its term goes on for a while after its death.
            leads: leader == Some(node.id) && state == NodeState::Live,
            clock: seen.clock.map(clock),
            since: ago(node.started_at, glance.at),
            seen: ago(seen.seen_at, glance.at),
        }
    }
}

/// The database's clock is followed, wherever the machine's is.
fn clock(drift: ClockDrift) -> (String, String) {
    let by = drift.ahead.unsigned_abs();
    let told = match drift.ahead.is_negative() {
        _ if by <= drift.bound => tr!("as the database's").to_owned(),
        true => tr!("{by} ahead", by = span(by)),
        false => tr!("{by} behind", by = span(by)),
    };
    let bound = tr!("give or take {bound}", bound = span(drift.bound));
    (told, bound)
}
