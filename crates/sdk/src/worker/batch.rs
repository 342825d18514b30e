//! Handlers that take many jobs with one call.

use std::{
    collections::HashMap,
    future::Future,
    marker::PhantomData,
    sync::{Arc, Weak},
    time::Duration,
};

use baton_domain::{
    JobId,
    job::{Class, Verdict},
};
use futures::{FutureExt, future::BoxFuture};
use parking_lot::Mutex;
use serde::{Serialize, de::DeserializeOwned};
use tokio::{sync::oneshot, task::AbortHandle};

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
    next: Mutex<Vec<PendingCall<A>>>,
}

struct PendingCall<A> {
    item: Item<A>,
    answer: oneshot::Sender<Verdict>,
    call: Arc<Call>,
}

/// The call of one batch, stopped when no attempt waits for it any more: each holds on to it.
#[derive(Default)]
struct Call(Mutex<Option<AbortHandle>>);

impl Drop for Call {
    fn drop(&mut self) {
        if let Some(task) = self.0.get_mut() {
            task.abort();
        }
    }
}

impl<A, R, F> Batch<A, R, F> {
    /// This function, which is given up to `size` jobs, gathered for `linger` at the most.
    pub fn new(size: usize, linger: Duration, handler: F) -> Self {
        let gathered = Gathered {
            handler,
            size: size.max(1),
            linger,
            next: Mutex::new(Vec::new()),
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
            let (answer, _call) = gathered.add(Item { id, args, context });
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
    fn add<R, Fut>(self: &Arc<Self>, item: Item<A>) -> (oneshot::Receiver<Verdict>, Arc<Call>)
    where
        A: Send + 'static,
        R: Serialize + 'static,
        F: Fn(Vec<Item<A>>) -> Fut + Send + Sync + 'static,
        Fut:
            Future<Output = Result<HashMap<JobId, Result<R, JobError>>, JobError>> + Send + 'static,
    {
        let (answer, answered) = oneshot::channel();
        let mut next = self.next.lock();
        let call = next.first().map(|first| Arc::clone(&first.call));
        let is_first = call.is_none();
        let call = call.unwrap_or_default();
        let mine = Arc::clone(&call);
        next.push(PendingCall {
            item,
            answer,
            call: mine,
        });
        if next.len() >= self.size {
            let all = std::mem::take(&mut *next);
            let task = tokio::spawn(Arc::clone(self).run(begun(all)));
            *call.0.lock() = Some(task.abort_handle());
        } else if is_first {
            let (gathered, waits) = (Arc::clone(self), Arc::downgrade(&call));
            let task = tokio::spawn(async move {
                tokio::time::sleep(gathered.linger).await;
                if let Some(all) = gathered.take(&waits) {
                    gathered.run(all).await;
                }
            });
            *call.0.lock() = Some(task.abort_handle());
        }
        (answered, call)
    }

    /// The batch of this call, if it has not begun yet.
    fn take(&self, call: &Weak<Call>) -> Option<Vec<Begun<A>>> {
        let mut next = self.next.lock();
        let first = next.first()?;
        let is_mine = std::ptr::eq(Arc::as_ptr(&first.call), call.as_ptr());
        is_mine.then(|| begun(std::mem::take(&mut *next)))
    }

    async fn run<R, Fut>(self: Arc<Self>, all: Vec<Begun<A>>)
    where
        R: Serialize,
        F: Fn(Vec<Item<A>>) -> Fut,
        Fut: Future<Output = Result<HashMap<JobId, Result<R, JobError>>, JobError>>,
    {
        let (items, answers): (Vec<_>, Vec<_>) = all
            .into_iter()
            .map(|(item, answer)| {
                let id = item.id;
                (item, (id, answer))
            })
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

type Begun<A> = (Item<A>, oneshot::Sender<Verdict>);

/// What a call begins with: those whose attempts were stopped meanwhile are left out, and it does not hold on to itself.
fn begun<A>(all: Vec<PendingCall<A>>) -> Vec<Begun<A>> {
    let wanted = all.into_iter().filter(|one| !one.answer.is_closed());
    wanted.map(|one| (one.item, one.answer)).collect()
}

fn unanswered() -> Verdict {
    let message = "the handler of its batch has no answer for it";
    Verdict::failed(Class::Retry, "no_answer", message)
}
