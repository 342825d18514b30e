//! The worker: runs the handlers of jobs until it is told to stop.

pub mod batch;
pub mod handler;
pub mod middleware;
mod running;
mod thread;
mod watch;

use std::{
    collections::{BTreeMap, HashMap},
    future::Future,
    sync::Arc,
    time::Duration,
};

use baton_domain::{JobId, duration};
use baton_remote::Until;
use baton_worker::{Report, Stop};
use serde::{Serialize, de::DeserializeOwned};
use tokio::runtime::Handle;

use crate::{App, Context, Error, Job, JobError};
use batch::{Batch, Item};
use handler::Function;
use middleware::{Innermost, Middleware};
use thread::{Signals, WorkerThread};

/// Runs the handlers of jobs until it is told to stop. Made by [`App::worker`].
pub struct Worker {
    app: App,
    handlers: Vec<(String, Arc<dyn Innermost>)>,
    queues: Vec<String>,
    layers: Vec<Arc<dyn Middleware>>,
    slots: u32,
    grace: Duration,
    name: Option<String>,
    version: Option<String>,
    labels: BTreeMap<String, String>,
    until: Until,
    cancels_gracefully: bool,
}

impl Worker {
    pub(crate) fn new(app: &App) -> Self {
        Self {
            app: app.clone(),
            handlers: Vec::new(),
            queues: Vec::new(),
            layers: app.layers().to_vec(),
            slots: 16,
            grace: Duration::from_secs(25),
            name: None,
            version: None,
            labels: BTreeMap::new(),
            until: Until::default(),
            cancels_gracefully: false,
        }
    }

    /// Has it do jobs of this kind with this function. The function runs on the runtime that the worker is run on.
    #[must_use]
    pub fn handle<A, R, F, Fut>(self, job: &Job<A, R>, handler: F) -> Self
    where
        A: DeserializeOwned + 'static,
        R: Serialize,
        F: Fn(A, Context) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<R, JobError>> + Send + 'static,
    {
        self.with(job, Arc::new(Function::new(handler)))
    }

    /// Has it do jobs of this kind many at once: the function is given up to `size` of them, gathered for `linger` at the most,
    /// and has an answer for each under its id, or one error for all. Give the worker as many slots as two batches.
    #[must_use]
    pub fn batch<A, R, F, Fut>(
        self,
        job: &Job<A, R>,
        size: usize,
        linger: Duration,
        handler: F,
    ) -> Self
    where
        A: DeserializeOwned + Send + 'static,
        R: Serialize + 'static,
        F: Fn(Vec<Item<A>>) -> Fut + Send + Sync + 'static,
        Fut:
            Future<Output = Result<HashMap<JobId, Result<R, JobError>>, JobError>> + Send + 'static,
    {
        self.with(job, Arc::new(Batch::new(size, linger, handler)))
    }

    /// Puts middleware around each attempt; the first one is the outermost, but for that of the application ([`App::layer`]).
    #[must_use]
    pub fn layer(mut self, layer: impl Middleware) -> Self {
        self.layers.push(Arc::new(layer));
        self
    }

    /// How many jobs it runs at once; 16 if nothing is said.
    #[must_use]
    pub const fn slots(mut self, slots: u32) -> Self {
        self.slots = slots;
        self
    }

    /// Has it claim from this queue besides those of its jobs.
    #[must_use]
    pub fn queue(mut self, name: impl Into<String>) -> Self {
        self.queues.push(name.into());
        self
    }

    /// How long handlers may take to end once it was told to stop; 25 s if nothing is said.
    #[must_use]
    pub fn grace(mut self, span: Duration) -> Self {
        self.grace = span.min(duration::LONGEST);
        self
    }

    /// What people call it; its machine and process if nothing is said.
    #[must_use]
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// The version of your own program, for the fleet's page.
    #[must_use]
    pub fn version(mut self, version: impl Into<String>) -> Self {
        self.version = Some(version.into());
        self
    }

    /// A word about it, for the fleet's page.
    #[must_use]
    pub fn label(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.labels.insert(name.into(), value.into());
        self
    }

    /// Has it end by itself when a look finds nothing and nothing runs.
    #[must_use]
    pub const fn until_empty(mut self) -> Self {
        self.until.is_empty = true;
        self
    }

    /// Has it end by itself after so many jobs.
    #[must_use]
    pub const fn once(mut self, jobs: u32) -> Self {
        self.until.jobs = Some(jobs);
        self
    }

    /// Leaves it to handlers to end when their jobs are canceled, which [`Context::canceled`] tells them; otherwise they are
    /// dropped where they wait.
    #[must_use]
    pub const fn cancel_gracefully(mut self) -> Self {
        self.cancels_gracefully = true;
        self
    }

    /// Runs until SIGTERM or SIGINT, and then stops in order: it takes nothing new, gives back what has not begun, lets
    /// handlers end within the grace, records what they say and says goodbye. A second signal ends the process at once, with
    /// 130; a worker whose handlers cannot be stopped any more ends it with 70. For a program that is a worker and nothing
    /// else: signals are not heard any more once it has ended.
    ///
    /// # Errors
    /// When the server does not want the worker, or it has no handler.
    pub async fn run(self) -> Result<Report, Error> {
        let signals = Signals::OfTheProcess;
        match self.start(Stop::default(), signals)?.await {
            Err(Error::Stuck { .. }) => std::process::exit(thread::STUCK),
            ended => ended,
        }
    }

    /// Runs until this future ends, and then stops in order, as [`run`](Self::run) does; signals are yours. When what this
    /// returns is dropped, it leaves at once: leases cover what ran.
    ///
    /// # Errors
    /// When the server does not want the worker, it has no handler, or its handlers cannot be stopped any more.
    pub async fn run_until(self, stop: impl Future<Output = ()>) -> Result<Report, Error> {
        let token = Stop::default();
        let mut running = std::pin::pin!(self.start(token.clone(), Signals::OfTheCaller)?);
        tokio::select! {
            ended = &mut running => return ended,
            () = stop => token.soft.cancel(),
        }
        running.await
    }

    fn start(
        self,
        stop: Stop,
        signals: Signals,
    ) -> Result<impl Future<Output = Result<Report, Error>>, Error> {
        let mut kinds: Vec<_> = self.handlers.iter().map(|(kind, _)| kind).collect();
        kinds.sort_unstable();
        if let Some([twice, _]) = kinds.array_windows().find(|[one, next]| one == next) {
            return Err(Error::Worker(format!("there are two handlers of {twice}")));
        }
        if kinds.is_empty() {
            return Err(Error::Worker(
                "a worker needs one handler at least".to_owned(),
            ));
        }
        let runtime = Handle::try_current();
        let runtime = runtime.map_err(|_| {
            Error::Worker("a worker runs on a Tokio runtime: call it from one".to_owned())
        })?;
        WorkerThread::new(self, runtime, stop, signals).begin()
    }

    fn with<A, R>(mut self, job: &Job<A, R>, innermost: Arc<dyn Innermost>) -> Self {
        self.handlers.push((job.kind().to_owned(), innermost));
        self.queues.push(job.queue_name().to_owned());
        self
    }
}
