//! `baton nodes`: the processes of the installation.

use baton_client::{Client, Node, NodeClock};
use baton_domain::time::SignedDuration;

use crate::{
    exit::{Exit, Failure},
    output::{Output, clean},
};

pub async fn run(client: &Client, output: &Output) -> Result<Exit, Failure> {
    let nodes = client.nodes().await?;
    let head = [
        "node", "name", "state", "roles", "address", "version", "clock", "since", "seen at",
    ];
    output.list(&nodes, &head, |node| row(node, output));
    Ok(Exit::Ok)
}

fn row(node: &Node, output: &Output) -> Vec<String> {
    vec![
        node.id.to_string(),
        clean(&node.name),
        match node.leads {
            true => format!("{}, leads", node.state),
            false => node.state.clone(),
        },
        clean(&node.roles.join(", ")),
        clean(node.address.as_deref().unwrap_or_default()),
        clean(&node.version),
        node.clock.as_ref().map(offset).unwrap_or_default(),
        output.moment(node.started_at),
        output.moment(node.seen_at),
    ]
}

/// How far its machine's clock is from the database's, to the millisecond.
fn offset(clock: &NodeClock) -> String {
    let ahead = SignedDuration::try_from_secs_f64(-clock.offset_seconds).unwrap_or_default();
    let by = SignedDuration::from_millis(i64::try_from(ahead.as_millis()).unwrap_or(i64::MAX));
    let sign = match by.signum() {
        1 => "+",
        0 => "",
        _ => "-",
    };
    format!("{sign}{:#}", by.abs())
}
