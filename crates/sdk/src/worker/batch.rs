//! Handlers that take many jobs with one call.

use std::{collections::HashMap, future::Future, marker::PhantomData, sync::Arc, time::Duration};

use baton_domain::{
    JobId,
    job::{Class, Verdict},
};
use futures::{FutureExt, future::BoxFuture};
use parking_lot::Mutex;
use serde::{Serialize, de::DeserializeOwned};
use tokio::sync::oneshot;

use super::{
    handler::{args, verdict},
    middleware::Innermost,
};
use crate::{Context, JobError};

/// One job of a batch.
#[derive(Debug)]
pub struct Item<A> {
    /// Its id: the answer is given under it.
    pub id: JobId,
    /// Its payload.
    pub args: A,
    /// What its handler knows of it.
    pub context: Context,
}

/// A function that takes many jobs with one call.
pub struct Batch<A, R, F> {
    gathered: Arc<Gathered<A, F>>,
    result: PhantomData<fn() -> R>,
}

struct Gathered<A, F> {
    handler: F,
    size: usize,
    linger: Duration,
    waiting: Mutex<Vec<Waiting<A>>>,
}

struct Waiting<A> {
    item: Item<A>,
    answer: oneshot::Sender<Verdict>,
}

impl<A, R, F> Batch<A, R, F> {
    /// This function, which is given up to `size` jobs, gathered for `linger` at the most.
    pub fn new(size: usize, linger: Duration, handler: F) -> Self {
        let gathered = Gathered {
            handler,
            size: size.max(1),
            linger,
            waiting: Mutex::new(Vec::new()),
        };
        Self {
            gathered: Arc::new(gathered),
            result: PhantomData,
        }
    }
}

impl<A, R, F, Fut> Innermost for Batch<A, R, F>
where
    A: DeserializeOwned + Send + 'static,
    R: Serialize + 'static,
    F: Fn(Vec<Item<A>>) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<HashMap<JobId, Result<R, JobError>>, JobError>> + Send + 'static,
{
    fn call(&self, context: Context) -> BoxFuture<'static, Verdict> {
        let gathered = Arc::clone(&self.gathered);
        async move {
            let args = match args(&context) {
                Ok(args) => args,
                Err(bad) => return bad.into_verdict(),
            };
            let id = context.job_id();
            let answer = gathered.add(Item { id, args, context });
            let panicked = |_| {
                let message = "the handler of its batch panicked; its call may have been made";
                Verdict::failed(Class::Unknown, "panic", message)
            };
            answer.await.unwrap_or_else(panicked)
        }
        .boxed()
    }
}

impl<A, F> Gathered<A, F> {
    fn add<R, Fut>(self: &Arc<Self>, item: Item<A>) -> oneshot::Receiver<Verdict>
    where
        A: Send + 'static,
        R: Serialize + 'static,
        F: Fn(Vec<Item<A>>) -> Fut + Send + Sync + 'static,
        Fut:
            Future<Output = Result<HashMap<JobId, Result<R, JobError>>, JobError>> + Send + 'static,
    {
        let (answer, answered) = oneshot::channel();
        let mut waiting = self.waiting.lock();
        waiting.push(Waiting { item, answer });
        if waiting.len() >= self.size {
            let all = std::mem::take(&mut *waiting);
            tokio::spawn(Arc::clone(self).run(all));
        } else if waiting.len() == 1 {
            let gathered = Arc::clone(self);
            tokio::spawn(async move {
                tokio::time::sleep(gathered.linger).await;
                let all = std::mem::take(&mut *gathered.waiting.lock());
                gathered.run(all).await;
            });
        }
        answered
    }

    async fn run<R, Fut>(self: Arc<Self>, all: Vec<Waiting<A>>)
    where
        R: Serialize,
        F: Fn(Vec<Item<A>>) -> Fut,
        Fut: Future<Output = Result<HashMap<JobId, Result<R, JobError>>, JobError>>,
    {
        // Those whose attempts were stopped meanwhile are not begun.
        let wanted = all.into_iter().filter(|one| !one.answer.is_closed());
        let (items, answers): (Vec<_>, Vec<_>) = wanted
            .map(|one| (one.item.id, one))
            .map(|(id, one)| (one.item, (id, one.answer)))
            .unzip();
        if items.is_empty() {
            return;
        }
        match (self.handler)(items).await {
            Ok(mut said) => {
                for (id, answer) in answers {
                    let _ = answer.send(said.remove(&id).map_or_else(unanswered, verdict));
                }
            }
            Err(error) => {
                for (_, answer) in answers {
                    let _ = answer.send(error.verdict().clone());
                }
            }
        }
    }
}

fn unanswered() -> Verdict {
    let message = "the handler of its batch has no answer for it";
    Verdict::failed(Class::Retry, "no_answer", message)
}
