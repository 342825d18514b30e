//! Calls that write are never cancelled halfway.

use std::future::Future;

use baton_ports::store::{Error, Result};

/// Makes a store's call in a task of its own: who waits for it may be dropped, the call goes on.
///
/// A dropped write leaves a connection in the middle of a transaction, and nobody knows which half.
pub async fn detached<T: Send + 'static>(
    call: impl Future<Output = Result<T>> + Send + 'static,
) -> Result<T> {
    match tokio::spawn(call).await {
        Ok(answer) => answer,
        Err(broken) => Err(Error::Unconfirmed(format!(
            "the call ended without an answer: {broken}"
        ))),
    }
}
