//! Definitions of jobs: a kind, the type of its payload and its result, and options.

use std::{marker::PhantomData, time::Duration};

use baton_client::EnqueueJob;
use baton_domain::{
    JobId, Timestamp, Trace,
    job::{Backoff, DeliveryGuarantee},
};
use serde::Serialize;

use crate::{App, Enqueuing, Error, Handle, enqueuing::in_trace_of_here};

/// A kind of job, whose payload is an `A` and whose result an `R`: nothing, unless it [`returns`](Job::returns) something. Its options are sent with each enqueue.
#[derive(Debug)]
pub struct Job<A, R = ()> {
    app: App,
    template: EnqueueJob,
    types: PhantomData<fn(A) -> R>,
}

/// A job that is not enqueued yet: to enqueue, or to add with a checkpoint.
#[derive(Debug)]
pub struct NewJob<A, R = ()> {
    app: App,
    body: Result<EnqueueJob, Error>,
    types: PhantomData<fn(A) -> R>,
}

/// What can be said of a job besides its kind and payload: of the definition for all of them, of a new job for itself.
macro_rules! options {
    () => {
        /// The queue it stands in; by default the one of its kind's name.
        #[must_use]
        pub fn queue(self, name: impl Into<String>) -> Self {
            let name = name.into();
            self.saying(|job| job.queue = Some(name))
        }

        /// Smaller is sooner, from -100 to 100; 0 if none is given.
        #[must_use]
        pub fn priority(self, priority: i64) -> Self {
            self.saying(|job| job.priority = Some(priority))
        }

        /// How many tries it has; 4 if nothing is said.
        #[must_use]
        pub fn max_attempts(self, tries: u32) -> Self {
            self.saying(|job| job.max_attempts = Some(i64::from(tries)))
        }

        /// When to try again.
        #[must_use]
        pub fn backoff(self, backoff: Backoff) -> Self {
            self.saying(|job| job.backoff = Some(backoff))
        }

        /// How long an attempt may take, from its start or its last checkpoint; 30 s if nothing is said.
        #[must_use]
        pub fn timeout(self, span: Duration) -> Self {
            self.saying(|job| job.timeout = Some(span))
        }

        /// What to do when it is in doubt whether an attempt was made.
        #[must_use]
        pub fn delivery(self, guarantee: DeliveryGuarantee) -> Self {
            self.saying(|job| job.delivery = Some(guarantee))
        }

        /// Another word to find it by.
        #[must_use]
        pub fn tag(self, word: impl Into<String>) -> Self {
            let word = word.into();
            self.saying(|job| job.tags.push(word))
        }
    };
}

impl<A, R> Job<A, R> {
    options!();

    /// The same job, whose result is of this type.
    #[must_use]
    pub fn returns<T>(self) -> Job<A, T> {
        Job {
            app: self.app,
            template: self.template,
            types: PhantomData,
        }
    }

    /// Its kind.
    #[must_use]
    pub fn kind(&self) -> &str {
        &self.template.kind
    }

    /// The queue its jobs stand in.
    #[must_use]
    pub fn queue_name(&self) -> &str {
        self.template.queue.as_deref().unwrap_or(self.kind())
    }

    /// A job of this kind that was enqueued elsewhere, or by [`ENQUEUE`](crate::ENQUEUE).
    #[must_use]
    pub fn handle(&self, id: JobId) -> Handle<R> {
        Handle::new(self.app.clone(), id, false)
    }

    /// A job with this payload that is not enqueued yet.
    #[must_use]
    pub fn args(&self, args: &A) -> NewJob<A, R>
    where
        A: Serialize,
    {
        let payload = serde_json::to_string(args).map_err(|why| Error::Json {
            what: format!("the payload of a job of the kind {}", self.kind()),
            why,
        });
        NewJob {
            app: self.app.clone(),
            body: payload.map(|payload| EnqueueJob {
                payload,
                ..self.template.clone()
            }),
            types: PhantomData,
        }
    }

    fn saying(mut self, what: impl FnOnce(&mut EnqueueJob)) -> Self {
        what(&mut self.template);
        self
    }
}

impl<A> Job<A> {
    pub(crate) fn new(app: App, kind: &str) -> Self {
        Self {
            app,
            template: EnqueueJob::new(kind, "null"),
            types: PhantomData,
        }
    }
}

impl<A, R> Clone for Job<A, R> {
    fn clone(&self) -> Self {
        Self {
            app: self.app.clone(),
            template: self.template.clone(),
            types: PhantomData,
        }
    }
}

impl<A, R> NewJob<A, R> {
    options!();

    /// A key of your own: the same key with the same content is the same job.
    #[must_use]
    pub fn key(self, key: impl Into<String>) -> Self {
        let key = key.into();
        self.saying(|job| job.key = Some(key))
    }

    /// Not before so long from now.
    #[must_use]
    pub fn delay(self, span: Duration) -> Self {
        self.saying(|job| job.delay = Some(span))
    }

    /// Not before this moment.
    #[must_use]
    pub fn run_at(self, at: Timestamp) -> Self {
        self.saying(|job| job.run_at = Some(at))
    }

    /// Not after this moment: it fails with the reason `expired` if it has not run by then.
    #[must_use]
    pub fn expires_at(self, at: Timestamp) -> Self {
        self.saying(|job| job.expires_at = Some(at))
    }

    /// It belongs to this trace: what your tracing writes as `traceparent` and `tracestate`. Its attempts are told, and so are those of the
    /// jobs they make. It is no part of what a key stands for.
    #[must_use]
    pub fn trace(self, trace: Trace) -> Self {
        self.saying(|job| job.trace = Some(trace))
    }

    /// Accepts it durably. Under a known key it is the same job, and the handle's `created` is `false`.
    pub async fn enqueue(self) -> Result<Handle<R>, Error> {
        let (app, body) = (self.app, self.body?);
        let enqueued = Enqueuing::one(&app, body).run().await?;
        // One job was asked for.
        let made = enqueued.jobs()[0];
        Ok(Handle::new(app, made.id, made.created))
    }

    /// What [`ENQUEUE`](crate::ENQUEUE) takes: the job as JSON.
    pub fn to_json(self) -> Result<String, Error> {
        let body = in_trace_of_here(self.body?);
        serde_json::to_string(&body).map_err(|why| Error::Json {
            what: format!("a job of the kind {}", body.kind),
            why,
        })
    }

    /// What is sent.
    pub fn into_body(self) -> Result<EnqueueJob, Error> {
        self.body
    }

    fn saying(mut self, what: impl FnOnce(&mut EnqueueJob)) -> Self {
        if let Ok(body) = &mut self.body {
            what(body);
        }
        self
    }
}
