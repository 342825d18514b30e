//! Nodes: who is there, with a worker or without.

use axum::Json as Reply;
use baton_protocol::{CursorQuery, List, node::Node};

use crate::{
    Api,
    extract::Query,
    pages,
    problem::{ApiResult, told},
};

/// List nodes
///
/// Every process of the installation that is there, whatever its roles, and those that have gone without a word in the last hour. One
/// that stops in order is listed no more; one that is killed is `gone` 45 seconds after its last beat.
#[utoipa::path(
    get, path = "/v1/nodes", tag = "nodes",
    params(CursorQuery),
    responses((status = 200, description = "Every node.", body = List<Node>))
)]
pub async fn list(api: Api, Query(cursor): Query<CursorQuery>) -> ApiResult<Reply<List<Node>>> {
    let nodes = api.engine.nodes().await.map_err(told)?;
    let leader = api.engine.leader().await.map_err(told)?;
    let now = api.engine.now();
    let nodes = nodes.into_iter().map(|node| Node::at(node, now, leader));
    pages::slice(nodes, cursor.after.as_deref(), |node| node.id.to_string())
}
