//! Answers that say where something is.

use axum::{
    Json as Reply,
    http::{StatusCode, header::LOCATION},
    response::{IntoResponse, Response},
};
use baton_domain::operation;
use baton_protocol::operation::Operation;
use serde::Serialize;

/// Something is new: what it is, and where.
pub fn created(location: String, body: impl Serialize) -> Response {
    (StatusCode::CREATED, [(LOCATION, location)], Reply(body)).into_response()
}

/// An operation has begun: what it is, and where it can be watched.
pub fn accepted(operation: operation::Operation) -> Response {
    let location = format!("/v1/operations/{}", operation.id);
    let operation = Reply(Operation::from(operation));
    (StatusCode::ACCEPTED, [(LOCATION, location)], operation).into_response()
}
