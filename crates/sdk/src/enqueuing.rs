//! An enqueue on its way to the server, through the middleware of its application.

use std::sync::Arc;

use baton_client::EnqueueJob;

use crate::{App, CreatedJob, Error, Middleware};

/// An enqueue of one job or of many: further middleware, and the server behind it.
pub struct Enqueuing<'a> {
    layers: &'a [Arc<dyn Middleware>],
    app: &'a App,
    jobs: Vec<EnqueueJob>,
    is_many: bool,
}

/// What the server has answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Enqueued {
    jobs: Vec<CreatedJob>,
    queue: Option<String>,
}

impl<'a> Enqueuing<'a> {
    pub(crate) fn one(app: &'a App, job: EnqueueJob) -> Self {
        Self::new(app, vec![job], false)
    }

    pub(crate) fn many(app: &'a App, jobs: Vec<EnqueueJob>) -> Self {
        Self::new(app, jobs, true)
    }

    fn new(app: &'a App, jobs: Vec<EnqueueJob>, is_many: bool) -> Self {
        Self {
            layers: app.layers(),
            app,
            jobs,
            is_many,
        }
    }

    /// What is asked for.
    #[must_use]
    pub fn jobs(&self) -> &[EnqueueJob] {
        &self.jobs
    }

    /// Whether it is an enqueue of many, though it may be many of one.
    #[must_use]
    pub const fn is_many(&self) -> bool {
        self.is_many
    }

    /// Goes on.
    pub async fn run(mut self) -> Result<Enqueued, Error> {
        if let Some((layer, layers)) = self.layers.split_first() {
            self.layers = layers;
            return layer.enqueuing(self).await;
        }
        let jobs: Vec<_> = self.jobs.into_iter().map(in_trace_of_here).collect();
        match (self.is_many, &*jobs) {
            (false, [job]) => enqueue(self.app, job).await,
            _ => enqueue_many(self.app, &jobs).await,
        }
    }
}

impl Enqueued {
    /// The jobs, in the order in which they were asked for.
    #[must_use]
    pub fn jobs(&self) -> &[CreatedJob] {
        &self.jobs
    }

    /// The queue that the job stands in; nothing after an enqueue of many.
    #[must_use]
    pub fn queue(&self) -> Option<&str> {
        self.queue.as_deref()
    }
}

/// A job that is asked for here: where tracing knows of a span, it belongs to that, unless it names its own.
pub fn in_trace_of_here(job: EnqueueJob) -> EnqueueJob {
    #[cfg(feature = "otel")]
    let job = crate::otel::of_here(job);
    job
}

async fn enqueue(app: &App, job: &EnqueueJob) -> Result<Enqueued, Error> {
    let asked = app.in_turn(|client| async move { client.enqueue(job).await });
    let enqueued = asked.await?;
    Ok(Enqueued {
        jobs: vec![CreatedJob {
            id: enqueued.job.id,
            created: enqueued.created,
        }],
        queue: Some(enqueued.job.queue),
    })
}

async fn enqueue_many(app: &App, jobs: &[EnqueueJob]) -> Result<Enqueued, Error> {
    let asked = app.in_turn(|client| {
        let jobs = jobs.to_vec();
        async move { client.enqueue_all(jobs).await }
    });
    let items = asked.await?.into_iter();
    let made = items.map(|item| CreatedJob {
        id: item.id,
        created: item.created,
    });
    Ok(Enqueued {
        jobs: made.collect(),
        queue: None,
    })
}
