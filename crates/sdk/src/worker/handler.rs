//! A handler of a user, as the worker calls it: on the user's own runtime, behind the middleware.

use std::{future::Future, marker::PhantomData, sync::Arc, time::Duration};

use async_trait::async_trait;
use baton_domain::{
    JobId,
    job::{Class, FieldError, Verdict},
};
use baton_ports::{Call, Handler};
use futures::{FutureExt, future::BoxFuture};
use serde::{Serialize, de::DeserializeOwned};
use tokio::{
    runtime::Handle,
    task::{JoinError, JoinHandle},
};
use tokio_util::sync::CancellationToken;

use super::{
    middleware::{Innermost, Middleware, Next},
    running::RunningJobs,
};
use crate::{Context, JobError};

/// How long a handler that was dropped may take to end, before its job is told as canceled.
const LAST_WORD: Duration = Duration::from_secs(1);

/// What all handlers of a worker share.
pub struct Shared {
    /// Where handlers run.
    pub runtime: Handle,
    pub layers: Vec<Arc<dyn Middleware>>,
    pub stopping: CancellationToken,
    pub running: Arc<RunningJobs>,
    /// Whether a handler whose job is canceled ends by itself.
    pub cancels_gracefully: bool,
}

/// A handler of a user, as the worker calls it.
pub struct CustomHandler {
    pub kind: &'static str,
    pub innermost: Arc<dyn Innermost>,
    pub shared: Arc<Shared>,
}

#[async_trait]
impl Handler for CustomHandler {
    fn kind(&self) -> &'static str {
        self.kind
    }

    fn check(&self, _payload: &str) -> Result<(), Vec<FieldError>> {
        Ok(())
    }

    async fn run(&self, call: Call) -> Verdict {
        let left = match call.checkpoints.stands().await {
            Ok(left) => left,
            Err(error) => return Verdict::failed(Class::Retry, "no_checkpoint", error.to_string()),
        };
        let cancel = call.cancel.clone();
        let stopping = self.shared.stopping.clone();
        let context = Context::new(call, left, Handle::current(), stopping);
        let mut attempt = self.start(context);
        let is_dropped = !self.shared.cancels_gracefully;
        tokio::select! {
            biased;
            ended = &mut attempt.task => said(ended),
            () = cancel.cancelled(), if is_dropped => {
                attempt.stop();
                match tokio::time::timeout(LAST_WORD, &mut attempt.task).await {
                    // It was done before it could be dropped.
                    Ok(Ok(verdict)) => verdict,
                    _ => Verdict::Canceled,
                }
            }
        }
    }

    async fn gone(&self, job: JobId, attempt: u32) {
        self.shared.running.gone(job, attempt).await;
    }
}

impl CustomHandler {
    fn start(&self, context: Context) -> Attempt {
        let entry = self.shared.running.enter(context.clone());
        let number = entry.number;
        let (innermost, shared) = (Arc::clone(&self.innermost), Arc::clone(&self.shared));
        let task = self.shared.runtime.spawn(async move {
            let _entry = entry;
            let next = Next {
                layers: &shared.layers,
                handler: &*innermost,
            };
            next.run(&context).await
        });
        Attempt {
            task,
            number,
            running: Arc::clone(&self.shared.running),
        }
    }
}

/// An attempt that runs; it is stopped when this is dropped.
struct Attempt {
    task: JoinHandle<Verdict>,
    number: u64,
    running: Arc<RunningJobs>,
}

impl Attempt {
    fn stop(&self) {
        self.task.abort();
        self.running.stopped(self.number);
    }
}

impl Drop for Attempt {
    fn drop(&mut self) {
        self.stop();
    }
}

fn said(ended: Result<Verdict, JoinError>) -> Verdict {
    match ended {
        Ok(verdict) => verdict,
        Err(error) if error.is_panic() => {
            let panic = error.into_panic();
            tracing::error!(
                "a handler panicked: {}",
                baton_ports::watchdog::message(&*panic)
            );
            Verdict::failed(
                Class::Unknown,
                "panic",
                "the handler panicked, as the log tells; its call may have been made",
            )
        }
        Err(_) => Verdict::failed(
            Class::Unknown,
            "shutdown",
            "the runtime of the handlers has ended; the call may have been made",
        ),
    }
}

/// A function as a handler: reads the payload, writes the result.
pub struct Function<A, F>(F, PhantomData<fn(A)>);

impl<A, F> Function<A, F> {
    /// This function.
    pub const fn new(function: F) -> Self {
        Self(function, PhantomData)
    }
}

impl<A, R, F, Fut> Innermost for Function<A, F>
where
    A: DeserializeOwned + 'static,
    R: Serialize,
    F: Fn(A, Context) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<R, JobError>> + Send + 'static,
{
    fn call(&self, ctx: Context) -> BoxFuture<'static, Verdict> {
        let args = match args(&ctx) {
            Ok(args) => args,
            Err(bad) => return futures::future::ready(bad.into_verdict()).boxed(),
        };
        let call = (self.0)(args, ctx);
        async move { verdict(call.await) }.boxed()
    }
}

/// The payload, as the type that the handler takes.
pub fn args<A: DeserializeOwned>(ctx: &Context) -> Result<A, JobError> {
    serde_json::from_str(ctx.payload())
        .map_err(|why| JobError::permanent("bad_payload", why.to_string()))
}

/// What is told of what a handler has returned.
pub fn verdict<R: Serialize>(said: Result<R, JobError>) -> Verdict {
    let result = match said {
        Ok(result) => serde_json::to_string(&result),
        Err(error) => return error.into_verdict(),
    };
    match result {
        Ok(text) => Verdict::Accepted {
            result: (text != "null").then_some(text),
        },
        Err(why) => JobError::permanent("bad_result", why.to_string()).into_verdict(),
    }
}
