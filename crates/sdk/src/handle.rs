//! A job that was enqueued: to wait for, to look at, to cancel.

use std::{marker::PhantomData, time::Duration};

use baton_client::Job;
use baton_domain::{JobId, duration};
use serde::de::DeserializeOwned;
use tokio::time::Instant;

use crate::{App, Error, Failed};

/// How long one call waits: less than a server does at the most.
const WAIT: Duration = Duration::from_secs(20);

/// A job that was enqueued: to wait for, to look at, to cancel.
#[derive(Debug, Clone)]
pub struct Handle<R> {
    app: App,
    id: JobId,
    created: bool,
    result: PhantomData<fn() -> R>,
}

impl<R> Handle<R> {
    pub(crate) const fn new(app: App, id: JobId, created: bool) -> Self {
        Self {
            app,
            id,
            created,
            result: PhantomData,
        }
    }

    /// Its id.
    #[must_use]
    pub const fn id(&self) -> JobId {
        self.id
    }

    /// Whether this enqueue made the job; otherwise one with its key was there.
    #[must_use]
    pub const fn created(&self) -> bool {
        self.created
    }

    /// The job as it is now.
    pub async fn show(&self) -> Result<Job, Error> {
        let id = self.id;
        let asked = self
            .app
            .in_turn(|client| async move { client.job(id).await });
        Ok(asked.await?)
    }

    /// What its handler answered, once it has; waits for so long.
    ///
    /// # Errors
    /// When the job ended otherwise, has not ended in time, or its result is of another type.
    pub async fn result(&self, timeout: Duration) -> Result<R, Error>
    where
        R: DeserializeOwned,
    {
        let job = self.ended(timeout).await?;
        if job.state != baton_domain::job::State::Succeeded {
            return Err(Failed { job: Box::new(job) }.into());
        }
        let text = job.result.as_ref().map_or("null", |json| json.as_str());
        serde_json::from_str(text).map_err(|why| Error::Json {
            what: format!("the result of {}", self.id),
            why,
        })
    }

    /// Asks for its end.
    ///
    /// # Errors
    /// When it has ended, or no answer came.
    pub async fn cancel(&self) -> Result<Job, Error> {
        let id = self.id;
        let asked =
            |client: baton_client::Client| async move { client.cancel(id, false, None).await };
        Ok(self.app.in_turn(asked).await?)
    }

    /// Runs it again after its end: behind its last checkpoint.
    ///
    /// # Errors
    /// When it has not ended, or no answer came.
    pub async fn run_again(&self) -> Result<Job, Error> {
        let id = self.id;
        let asked = |client: baton_client::Client| async move { client.retry(id).await };
        Ok(self.app.in_turn(asked).await?)
    }

    /// Runs it again after its end: from its beginning.
    ///
    /// # Errors
    /// When it has not ended, or no answer came.
    pub async fn run_again_afresh(&self) -> Result<Job, Error> {
        let id = self.id;
        let asked = |client: baton_client::Client| async move { client.retry_afresh(id).await };
        Ok(self.app.in_turn(asked).await?)
    }

    /// The job once it has ended, however it did.
    async fn ended(&self, timeout: Duration) -> Result<Job, Error> {
        let (id, end) = (self.id, Instant::now() + timeout.min(duration::LONGEST));
        loop {
            let wait = WAIT.min(end.saturating_duration_since(Instant::now()));
            let asked =
                |client: baton_client::Client| async move { client.ended_job(id, wait).await };
            let job = self.app.in_turn(asked).await?;
            if job.state.is_terminal() {
                return Ok(job);
            }
            if Instant::now() >= end {
                return Err(Error::NotYet(id));
            }
        }
    }
}
