//! What carries requests to a server where no connection is to do it: a server in the same process, a test.

use std::{fmt, time::Duration};

use futures::future::BoxFuture;
use reqwest::{Request, Response};
use tokio::time::timeout;

use crate::{ANSWER_TIMEOUT, Error, Result};

/// Carries requests to a server, and its answers back.
pub trait Transport: fmt::Debug + Send + Sync {
    /// Carries one. Whoever asks may be gone before it is answered; then it is dropped.
    fn carry(&self, request: Request) -> BoxFuture<'_, Result<Response>>;
}

/// Carries a request for as long as it may take.
pub async fn carry(transport: &dyn Transport, request: Request) -> Result<Response> {
    let url = request.url().to_string();
    let most: Duration = request.timeout().copied().unwrap_or(ANSWER_TIMEOUT);
    timeout(most, transport.carry(request))
        .await
        .unwrap_or_else(|_| {
            Err(Error::Unreachable {
                url,
                cause: "it took too long".to_owned(),
                unsent: false,
            })
        })
}
