//! Work that a client's hang-up must not cut in two.

use std::future::Future;

use baton_engine::Result;
use tracing::Instrument;

use crate::problem::{Answer, internal, told};

/// Runs a use case that writes in a task of its own: when a client hangs up, the server drops the
/// handler, and what it had begun must still come to its end.
pub async fn unbroken<T: Send + 'static>(
    work: impl Future<Output = Result<T>> + Send + 'static,
) -> Answer<T> {
    match tokio::spawn(work.in_current_span()).await {
        Ok(done) => done.map_err(told),
        Err(error) => {
            tracing::error!(%error, "a use case ended without an answer");
            Err(internal().into())
        }
    }
}
