//! Runs what writes in a task of its own, so that a client that hangs up does not cut it in two.

use std::future::Future;

use baton_engine::Result;
use tracing::Instrument;

use crate::problem::{ApiResult, internal, told};

/// Runs a use case that writes in a task of its own: when a client hangs up, the server drops the
/// handler, and what it had begun must still come to its end.
pub async fn detached<T: Send + 'static>(
    work: impl Future<Output = Result<T>> + Send + 'static,
) -> ApiResult<T> {
    match tokio::spawn(work.in_current_span()).await {
        Ok(done) => done.map_err(told),
        Err(error) => {
            tracing::error!(%error, "a use case ended without an answer");
            Err(internal().into())
        }
    }
}

#[cfg(test)]
mod tests {
    use futures::poll;
    use tokio::sync::oneshot;

    use super::*;

    #[tokio::test]
    async fn work_comes_to_its_end_when_nobody_waits_for_it_any_more() {
        let (go, gate) = oneshot::channel();
        let (done, is_done) = oneshot::channel();
        let mut waiting = Box::pin(detached(async move {
            gate.await.unwrap();
            done.send(()).unwrap();
            Ok(())
        }));
        assert!(poll!(&mut waiting).is_pending());

        drop(waiting);
        go.send(()).unwrap();

        assert!(is_done.await.is_ok());
    }

    #[tokio::test]
    async fn a_panic_at_work_is_a_problem() {
        let answer: ApiResult<()> = detached(async { panic!("no words for clients") }).await;

        let problem = answer.unwrap_err().0;
        assert_eq!(problem.status, 500);
        assert!(!problem.detail.contains("words"));
    }
}
