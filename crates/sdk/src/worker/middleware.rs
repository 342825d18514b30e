//! What stands around each attempt, and around each enqueue.

use std::{sync::Arc, time::Instant};

use async_trait::async_trait;
use baton_domain::job::Verdict;
use futures::future::BoxFuture;

use crate::{Context, Enqueued, Enqueuing, Error};

/// What stands around each attempt: it may look at it, and at what is said of it, before and after. That of an application
/// ([`App::layer`](crate::App::layer)) stands around its enqueues, too.
#[async_trait]
pub trait Middleware: Send + Sync + 'static {
    /// Goes on with `next`, or says something itself.
    async fn around(&self, ctx: &Context, next: Next<'_>) -> Verdict;

    /// Goes on with an enqueue, or refuses it. As it is, it goes on.
    async fn enqueuing(&self, next: Enqueuing<'_>) -> Result<Enqueued, Error> {
        next.run().await
    }
}

/// The way on: further middleware, and the handler behind it.
pub struct Next<'a> {
    pub(crate) layers: &'a [Arc<dyn Middleware>],
    pub(crate) handler: &'a dyn Innermost,
}

/// A handler behind all middleware.
pub trait Innermost: Send + Sync + 'static {
    /// Makes the attempt.
    fn call(&self, ctx: Context) -> BoxFuture<'static, Verdict>;
}

impl Next<'_> {
    /// Goes on.
    pub async fn run(self, ctx: &Context) -> Verdict {
        let Self { layers, handler } = self;
        match layers.split_first() {
            Some((layer, layers)) => layer.around(ctx, Next { layers, handler }).await,
            None => handler.call(ctx.clone()).await,
        }
    }
}

/// Writes a line for each attempt that has ended.
#[derive(Debug, Clone, Copy, Default)]
pub struct Logged;

#[async_trait]
impl Middleware for Logged {
    async fn around(&self, ctx: &Context, next: Next<'_>) -> Verdict {
        let began = Instant::now();
        let verdict = next.run(ctx).await;
        let (job, attempt) = (ctx.job_id(), ctx.attempt());
        let ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
        match &verdict {
            Verdict::Failed { failure, .. } => {
                let (class, code) = (failure.class, &failure.code);
                tracing::warn!(%job, kind = ctx.kind(), attempt, ms, %class, code, "{job} failed: {code}");
            }
            Verdict::Accepted { .. } => {
                tracing::info!(%job, kind = ctx.kind(), attempt, ms, "{job} is done");
            }
            _ => tracing::info!(%job, kind = ctx.kind(), attempt, ms, ?verdict, "{job} has ended"),
        }
        verdict
    }
}
