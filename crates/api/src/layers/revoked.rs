//! Open streams end when whoever opened them may not read any more.

use std::time::Duration;

use axum::{
    body::{Body, HttpBody},
    response::Response,
};
use baton_domain::access::Requirement;
use baton_engine::{Credential, Engine};
use futures::StreamExt;
use tokio::time::sleep;

use super::gate::still_meets;

/// How often it is looked whether whoever reads still may. With what the engine remembers, a revocation acts within five
/// seconds.
const LOOK: Duration = Duration::from_millis(1_500);

/// The same answer; one that goes on, as streams of events do, ends with the right to it.
pub fn ends_when(response: Response, over: impl Future<Output = ()> + Send + 'static) -> Response {
    // What has a length is on its way already.
    if response.body().size_hint().exact().is_some() {
        return response;
    }
    response.map(|body| Body::from_stream(body.into_data_stream().take_until(Box::pin(over))))
}

/// Waits until there is somebody who can say who they are, and nobody is let in unasked any more.
pub async fn set_up(engine: Engine) {
    loop {
        sleep(LOOK).await;
        if let Ok(true) = engine.has_principals().await {
            return;
        }
    }
}

/// Waits until whoever has this credential may not any more. While the store cannot be asked, it has not said so.
pub async fn revoked(engine: Engine, credential: Credential, requirement: Requirement) {
    loop {
        sleep(LOOK).await;
        if let Ok(whose) = engine.authenticate_again(&credential).await
            && !still_meets(whose, requirement)
        {
            return;
        }
    }
}
