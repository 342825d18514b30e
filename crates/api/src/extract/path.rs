//! Ids and words in a path.

use axum::{
    extract::{FromRequestParts, RawPathParams},
    http::request::Parts,
};
use baton_domain::{JobId, OperationId, ScheduleId};
use baton_protocol::ProblemKind;

use crate::problem::Refusal;

/// The job that a path names. A text that cannot be a job's id names no job.
pub struct JobPath(pub JobId);

impl<S: Send + Sync> FromRequestParts<S> for JobPath {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Refusal> {
        let word = word(parts, state).await?;
        let id = word.parse().map_err(|error| {
            ProblemKind::JobNotFound.because(format!("This cannot be a job's id: {error}."))
        })?;
        Ok(Self(id))
    }
}

/// The operation that a path names.
pub struct OperationPath(pub OperationId);

impl<S: Send + Sync> FromRequestParts<S> for OperationPath {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Refusal> {
        let word = word(parts, state).await?;
        let id = word.parse().map_err(|error| {
            ProblemKind::OperationNotFound
                .because(format!("This cannot be an operation's id: {error}."))
        })?;
        Ok(Self(id))
    }
}

/// The schedule that a path names.
pub struct SchedulePath(pub ScheduleId);

impl<S: Send + Sync> FromRequestParts<S> for SchedulePath {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Refusal> {
        let word = word(parts, state).await?;
        let id = word.parse().map_err(|error| {
            ProblemKind::ScheduleNotFound
                .because(format!("This cannot be a schedule's id: {error}."))
        })?;
        Ok(Self(id))
    }
}

/// A word in a path, whatever it says.
pub struct WordPath(pub String);

impl<S: Send + Sync> FromRequestParts<S> for WordPath {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Refusal> {
        word(parts, state).await.map(Self)
    }
}

async fn word<S: Send + Sync>(parts: &mut Parts, state: &S) -> Result<String, Refusal> {
    let unreadable = || ProblemKind::Malformed.because("The path is not UTF-8 text.");
    let params = RawPathParams::from_request_parts(parts, state)
        .await
        .map_err(|_| unreadable())?;
    let (_, word) = params.iter().next().ok_or_else(unreadable)?;
    Ok(word.to_owned())
}
