//! A handler's attempt without a server: what it says, and what it would have saved.

use std::{
    future::{Future, IntoFuture},
    pin::Pin,
    sync::Arc,
    time::Duration,
};

use async_trait::async_trait;
use baton_client::EnqueueJob;
use baton_domain::{
    JobId, Timestamp, Trace,
    checkpoint::{Checkpoint, Progress},
    job::{AttemptCounters, Class, JobOptions, Verdict},
};
use baton_ports::{
    Call, Checkpoints, Origin,
    checkpoints::{Cursor, Saved},
    store::{self, JobArgs},
};
use parking_lot::Mutex;
use serde::{Serialize, de::DeserializeOwned};
use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;

use crate::{
    Context, Job, JobError, Middleware,
    worker::{
        handler::Function,
        middleware::{Innermost, Next},
    },
};

/// Makes one attempt of a handler, without a server: `run(&job, handler, &args).cursor(&1000).await`.
pub fn run<A, R, F, Fut>(job: &Job<A, R>, handler: F, args: &A) -> Run
where
    A: Serialize + DeserializeOwned + 'static,
    R: Serialize,
    F: Fn(A, Context) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<R, JobError>> + Send + 'static,
{
    Run {
        kind: job.kind().to_owned(),
        payload: serde_json::to_string(args).unwrap_or_else(|_| "null".to_owned()),
        handler: Box::new(Function::new(handler)),
        cursor: None,
        attempt: 1,
        timeout: Duration::from_secs(30),
        stop_after: None,
        trace: None,
        layers: Vec::new(),
    }
}

/// An attempt that is not made yet: `await` it.
#[must_use = "an attempt is made when it is awaited"]
pub struct Run {
    kind: String,
    payload: String,
    handler: Box<dyn Innermost>,
    cursor: Option<String>,
    attempt: u32,
    timeout: Duration,
    stop_after: Option<usize>,
    trace: Option<Trace>,
    layers: Vec<Arc<dyn Middleware>>,
}

/// What came of an attempt.
#[derive(Debug, Clone, PartialEq)]
pub struct Attempted {
    /// What the handler said.
    pub verdict: Verdict,
    /// The checkpoints it saved, in their order.
    pub steps: Vec<Step>,
    /// What it told people.
    pub progress: Vec<Progress>,
}

/// A checkpoint that was saved.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// Where the job was, as JSON text.
    pub cursor: String,
    /// How far it was.
    pub progress: Option<Progress>,
    /// The jobs that were added with it.
    pub jobs: Vec<EnqueueJob>,
}

impl Attempted {
    /// All jobs that the attempt has added.
    #[must_use]
    pub fn jobs(&self) -> Vec<&EnqueueJob> {
        self.steps.iter().flat_map(|step| &step.jobs).collect()
    }
}

impl Run {
    /// The attempt begins where an earlier one left off.
    pub fn cursor<C: Serialize>(mut self, cursor: &C) -> Self {
        self.cursor = serde_json::to_string(cursor).ok();
        self
    }

    /// Which attempt it is; 1 if nothing is said.
    pub const fn attempt(mut self, attempt: u32) -> Self {
        self.attempt = attempt;
        self
    }

    /// How long it may take; 30 s if nothing is said.
    pub const fn timeout(mut self, span: Duration) -> Self {
        self.timeout = span;
        self
    }

    /// The trace of whoever asked for the job.
    pub fn trace(mut self, trace: Trace) -> Self {
        self.trace = Some(trace);
        self
    }

    /// With this middleware around it; the first one is the outermost.
    pub fn layer(mut self, layer: impl Middleware) -> Self {
        self.layers.push(Arc::new(layer));
        self
    }

    /// The worker is told to stop at so many checkpoints.
    pub const fn stopped_after(mut self, checkpoints: usize) -> Self {
        self.stop_after = Some(checkpoints);
        self
    }

    async fn make(self) -> Attempted {
        let job = JobId::new(Timestamp::from_micros(0));
        let book = Arc::new(Book {
            stop_after: self.stop_after,
            told: Mutex::default(),
        });
        let left = self.cursor.map(|cursor| Checkpoint {
            job,
            seq: 1,
            era: 1,
            attempt: 1,
            cursor: Some(cursor),
            progress: None,
            moved: true,
            at: Timestamp::from_micros(0),
        });
        let call = Call {
            args: Arc::new(JobArgs {
                id: job,
                queue: self.kind.clone(),
                kind: self.kind,
                payload: self.payload,
                expires_at: None,
                options: JobOptions {
                    timeout: self.timeout,
                    trace: self.trace,
                    ..JobOptions::default()
                },
                created_at: Timestamp::from_micros(0),
                key: None,
            }),
            counters: AttemptCounters {
                attempt: self.attempt,
                tries: self.attempt,
                losses: 0,
                run: 1,
            },
            timeout: self.timeout,
            cancel: CancellationToken::new(),
            prepared: None,
            checkpoints: Checkpoints::of(Arc::clone(&book) as _),
            span: Origin::default(),
        };
        let context = Context::new(call, left, Handle::current(), CancellationToken::new());
        let next = Next {
            layers: &self.layers,
            handler: &*self.handler,
        };
        let attempt = tokio::time::timeout(self.timeout, next.run(&context)).await;
        let timed_out = |_| Verdict::failed(Class::Unknown, "timeout", "it took too long");
        let verdict = attempt.unwrap_or_else(timed_out);
        let told = book.told.lock();
        Attempted {
            verdict,
            steps: told.steps.clone(),
            progress: told.progress.clone(),
        }
    }
}

impl IntoFuture for Run {
    type Output = Attempted;
    type IntoFuture = Pin<Box<dyn Future<Output = Attempted> + Send>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.make())
    }
}

/// Takes checkpoints where no server does.
struct Book {
    stop_after: Option<usize>,
    told: Mutex<TestRun>,
}

#[derive(Default)]
struct TestRun {
    steps: Vec<Step>,
    progress: Vec<Progress>,
}

#[async_trait]
impl Cursor for Book {
    async fn stands(&self) -> store::Result<Option<Checkpoint>> {
        Ok(None)
    }

    async fn save(
        &self,
        cursor: String,
        progress: Option<Progress>,
        jobs: Vec<EnqueueJob>,
    ) -> Saved {
        let mut told = self.told.lock();
        let made = jobs
            .iter()
            .map(|_| (JobId::new(Timestamp::from_micros(0)), true));
        let made = made.collect();
        told.steps.push(Step {
            cursor,
            progress,
            jobs,
        });
        let saved = told.steps.len();
        Saved::Recorded {
            seq: saved as u64,
            jobs: made,
            is_to_stop: self.stop_after.is_some_and(|most| saved >= most),
        }
    }

    fn tell(&self, progress: Progress) {
        self.told.lock().progress.push(progress);
    }
}
