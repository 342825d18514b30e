//! Ids and words in a path.

use axum::{
    extract::{FromRequestParts, RawPathParams},
    http::request::Parts,
};
use baton_domain::{CampaignId, InboxItemId, JobId, KeyId, OperationId, ScheduleId, WorkerId};
use baton_protocol::ProblemKind;

use crate::problem::Refusal;

/// Writes down the ids that a path can name. A text that cannot be one names nothing there is.
macro_rules! ids {
    ($($(#[$doc:meta])* $path:ident($id:ty), $missing:ident, $what:literal;)*) => {$(
        $(#[$doc])*
        pub struct $path(pub $id);

        impl<S: Send + Sync> FromRequestParts<S> for $path {
            type Rejection = Refusal;

            async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Refusal> {
                let word = word(parts, state).await?;
                let id = word.parse().map_err(|error| {
                    let message = format!("This cannot be {} id: {error}.", $what);
                    ProblemKind::$missing.because(message)
                })?;
                Ok(Self(id))
            }
        }
    )*};
}

ids! {
    /// The job that a path names.
    JobPath(JobId), JobNotFound, "a job's";
    /// The operation that a path names.
    OperationPath(OperationId), OperationNotFound, "an operation's";
    /// The worker that a path names.
    WorkerPath(WorkerId), WorkerNotFound, "a worker's";
    /// The campaign that a path names.
    CampaignPath(CampaignId), CampaignNotFound, "a campaign's";
    /// The schedule that a path names.
    SchedulePath(ScheduleId), ScheduleNotFound, "a schedule's";
    /// The API key that a path names.
    KeyPath(KeyId), KeyNotFound, "a key's";
}

/// The recipient that a path names, and the item of its inbox.
pub struct ItemPath(pub String, pub InboxItemId);

impl<S: Send + Sync> FromRequestParts<S> for ItemPath {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Refusal> {
        let [recipient, item] = words(parts, state).await?;
        let item = item.parse().map_err(|error| {
            ProblemKind::InboxItemNotFound.because(format!("This cannot be an item's id: {error}."))
        })?;
        Ok(Self(recipient, item))
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
    let [word] = words(parts, state).await?;
    Ok(word)
}

/// The first words in a path.
async fn words<const N: usize, S: Send + Sync>(
    parts: &mut Parts,
    state: &S,
) -> Result<[String; N], Refusal> {
    let unreadable = || ProblemKind::Malformed.because("The path is not UTF-8 text.");
    let params = RawPathParams::from_request_parts(parts, state)
        .await
        .map_err(|_| unreadable())?;
    let words: Vec<_> = params
        .iter()
        .take(N)
        .map(|(_, word)| word.to_owned())
        .collect();
    words.try_into().map_err(|_| unreadable().into())
}
