//! The layer that ends requests that take too long, and refuses new ones while the server stops.

use std::time::Duration;

use axum::{
    extract::{Request, State},
    http::Method,
    middleware::Next,
    response::{IntoResponse, Response},
};
use baton_engine::LONGEST_CLAIM;
use baton_protocol::ProblemKind;
use tokio::time::timeout;

use crate::{ApiState, problem::Refusal};

/// Gives up an answer that takes too long. What a write had begun still comes to its end. An import
/// takes as long as its file is; it bounds the wait for each piece by itself. What a worker waits for jobs
/// is not counted.
pub async fn in_time(State(api): State<ApiState>, request: Request, next: Next) -> Response {
    if request.uri().path() == crate::routes::IMPORT {
        return next.run(request).await;
    }
    let waits = if claims(&request) {
        LONGEST_CLAIM
    } else {
        Duration::ZERO
    };
    let most = api.shared.options.timeout + waits;
    match timeout(most, next.run(request)).await {
        Ok(response) => response,
        Err(_) => Refusal::from(ProblemKind::Timeout.because(
            "The request was not answered within its time; a change may still have been made.",
        ))
        .into_response(),
    }
}

/// Refuses changes once the server has been told to stop; looking is still allowed.
pub async fn unless_draining(
    State(api): State<ApiState>,
    request: Request,
    next: Next,
) -> Response {
    let is_new = !request.method().is_safe() && !reports(&request);
    if api.engine.health_board().is_draining() && is_new {
        return Refusal::from(
            ProblemKind::Draining.because("The server is stopping and takes nothing new."),
        )
        .into_response();
    }
    next.run(request).await
}

/// Whether a remote worker asks for jobs.
fn claims(request: &Request) -> bool {
    let path = request.uri().path();
    path.starts_with("/v1/workers/") && path.ends_with("/claim")
}

/// Whether a remote worker tells of what it already has: what runs must be recorded while the server stops.
fn reports(request: &Request) -> bool {
    let path = request.uri().path();
    let is_of_worker = path.starts_with("/v1/workers/");
    let is_report = ["/beat", "/results", "/checkpoints", "/release"];
    is_of_worker
        && (request.method() == Method::DELETE || is_report.iter().any(|end| path.ends_with(end)))
}
