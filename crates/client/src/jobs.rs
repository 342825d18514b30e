//! Jobs: enqueue, look, stop, run again.

use std::time::Duration;

use baton_domain::JobId;
use baton_protocol::{
    List,
    event::Event,
    job::{
        Attempt, AttemptsQuery, Batch, BatchItem, Cancel, EnqueueBatch, EnqueueJob, Explanation,
        Job, JobQuery, JobsQuery, Nothing, Resolution, Resolve, Retry,
    },
};
use futures::{Stream, stream};
use reqwest::{Method, StatusCode};
use serde::Serialize;

use crate::{Client, Result, repeat::Repeat};

/// A job that was asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct Enqueued {
    /// The job.
    pub job: Job,
    /// Whether this call made it; otherwise its key was known.
    pub created: bool,
    /// Whether no live worker claims from the queue it stands in.
    pub is_unserved: bool,
}

impl Client {
    /// Adds a job; returns when it is durable.
    pub async fn enqueue(&self, job: &EnqueueJob) -> Result<Enqueued> {
        let url = self.url(&["jobs"]);
        let request = || self.request(Method::POST, &url).json(job);
        let repeat = Repeat::if_keyed(job.key.is_some());
        let answer = self.answer(repeat, request).await?.checked()?;
        Ok(Enqueued {
            job: answer.json()?,
            created: answer.status == StatusCode::CREATED,
            is_unserved: answer.unserved.is_some(),
        })
    }

    /// Adds jobs in one transaction, all or none; the answers are in their order.
    pub async fn enqueue_all(&self, jobs: Vec<EnqueueJob>) -> Result<Vec<BatchItem>> {
        let repeat = Repeat::if_keyed(jobs.iter().all(|job| job.key.is_some()));
        let body = EnqueueBatch { jobs };
        let path = ["jobs", "batch"];
        let batch: Batch = self.send(Method::POST, &path, &body, repeat).await?;
        Ok(batch.items)
    }

    /// One job.
    pub async fn job(&self, id: JobId) -> Result<Job> {
        self.get(&["jobs", &id.to_string()]).await
    }

    /// One job once it has ended, or what it is after this span; a server waits for 25 s at the most.
    pub async fn ended_job(&self, id: JobId, wait: Duration) -> Result<Job> {
        let query = JobQuery { wait: Some(wait) };
        self.get_with(&["jobs", &id.to_string()], &query).await
    }

    /// One page of jobs, newest first.
    pub async fn jobs_page(&self, query: &JobsQuery) -> Result<List<Job>> {
        self.get_with(&["jobs"], query).await
    }

    /// Jobs page by page, newest first, until the list ends.
    pub fn jobs(&self, query: JobsQuery) -> impl Stream<Item = Result<Vec<Job>>> + Send + use<> {
        let start = (self.clone(), Some(query));
        stream::try_unfold(start, |(client, query)| async move {
            let Some(query) = query else { return Ok(None) };
            let page = client.jobs_page(&query).await?;
            let next = page.next.map(|after| JobsQuery {
                after: Some(after),
                ..query
            });
            Ok(Some((page.items, (client, next))))
        })
    }

    /// The attempts of a job, first to last.
    pub async fn attempts(&self, id: JobId) -> Result<Vec<Attempt>> {
        self.all_pages(self.of_job(id, "attempts")).await
    }

    /// The attempts of some jobs, job by job, each job's first to last.
    ///
    /// # Errors
    /// When there are more than [`AttemptsQuery::MAX`], or no answer came.
    pub async fn attempts_of(&self, ids: &[JobId]) -> Result<Vec<Attempt>> {
        let url = self.url_with(&["attempts"], &AttemptsQuery::of(ids));
        self.all_pages(url).await
    }

    /// The events of a job, in order.
    pub async fn job_events(&self, id: JobId) -> Result<Vec<Event>> {
        self.all_pages(self.of_job(id, "events")).await
    }

    /// Why a job is, or is not, running.
    pub async fn explain(&self, id: JobId) -> Result<Explanation> {
        self.get(&["jobs", &id.to_string(), "explain"]).await
    }

    /// Cancels a job; `force` takes a running one away from its worker.
    pub async fn cancel(&self, id: JobId, force: bool, reason: Option<String>) -> Result<Job> {
        self.tell(id, "cancel", &Cancel { force, reason }).await
    }

    /// Runs a finished job again.
    pub async fn retry(&self, id: JobId) -> Result<Job> {
        self.tell(id, "retry", &Retry::default()).await
    }

    /// Runs a job again, anew instead of behind its cursor.
    pub async fn retry_afresh(&self, id: JobId) -> Result<Job> {
        self.tell(id, "retry", &Retry { afresh: true }).await
    }

    /// Makes a waiting job claimable now.
    pub async fn run_now(&self, id: JobId) -> Result<Job> {
        self.tell(id, "run-now", &Nothing {}).await
    }

    /// Says how an uncertain job ended.
    pub async fn resolve(&self, id: JobId, outcome: Resolution) -> Result<Job> {
        self.tell(id, "resolve", &Resolve { outcome }).await
    }

    async fn tell(&self, id: JobId, verb: &str, body: &(impl Serialize + Sync)) -> Result<Job> {
        self.post_once(&["jobs", &id.to_string(), verb], body).await
    }

    fn of_job(&self, id: JobId, part: &str) -> url::Url {
        self.url(&["jobs", &id.to_string(), part])
    }
}
