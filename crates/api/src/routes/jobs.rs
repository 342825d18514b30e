//! Jobs: accept, look, stop, run again.

use axum::{
    Json as Reply,
    http::{HeaderValue, StatusCode},
    response::{IntoResponse, Response},
};
use baton_domain::{job::NewJob, page::PageRequest};
use baton_engine::Accepted;
use baton_ports::store::{Enqueued, Forgotten, JobFilter};
use baton_protocol::{
    FieldError, List, PageQuery,
    job::{
        Batch, BatchItem, Cancel, EnqueueBatch, EnqueueJob, Job, JobQuery, JobsQuery, Nothing,
        Resolve, Retry,
    },
};

use super::placed::created;
use crate::{
    Api,
    detached::detached,
    extract::{
        BatchJson, JobPath, Json, OptionalJson, Query, RequestTrace, check_text, check_texts,
    },
    pages,
    problem::{ApiResult, told},
};

/// Enqueue a job
///
/// The answer comes once the job is durable. With a `key`, the call is safe to repeat: the same key
/// with the same content answers 200 with the first job, with other content 409. A job that was forgotten before its
/// key (`retention.jobs` below `retention.keys`) is answered as it was asked, with the state it ended in.
///
/// A job that names no `trace` has that of the request's headers `traceparent` and `tracestate`, if there is one.
#[utoipa::path(
    post, path = "/v1/jobs", tag = "jobs",
    request_body = EnqueueJob,
    responses(
        (status = 201, description = "The job was added.", body = Job,
            headers(("Location" = String, description = "Where the job is."),
                ("Baton-Unserved" = String, description = "The queue it stands in, if no live worker claims from it."))),
        (status = 200, description = "The key was known: this is the job.", body = Job),
        (status = 409, description = "`key-conflict`: the key belongs to a job with other content.",
            body = baton_protocol::Problem, content_type = "application/problem+json"),
    )
)]
pub async fn create(
    api: Api,
    trace: RequestTrace,
    Json(mut job): Json<EnqueueJob>,
) -> ApiResult<Response> {
    trace.lend(&mut job);
    let engine = api.engine.clone();
    match detached(async move { engine.accept(job).await }).await? {
        Accepted::New(job) => {
            let unserved = api.engine.is_unserved(&job).await;
            Ok(added(Job::from(*job), unserved))
        }
        Accepted::Known(job) => Ok(Reply(Job::from(*job)).into_response()),
        Accepted::Forgotten(asked, left) => Ok(Reply(ended(*asked, left)).into_response()),
    }
}

/// A job that was forgotten before its key: the same was asked again, and the key says what it ended as.
fn ended(asked: NewJob, left: Forgotten) -> Job {
    let Forgotten {
        job: id,
        created_at,
        state,
        finished_at,
    } = left;
    Job {
        id,
        state,
        created_at,
        updated_at: finished_at,
        finished_at: Some(finished_at),
        ..Job::from(asked)
    }
}

/// Names the queue that no live worker claims from, so that a typing error does not wait unseen.
const UNSERVED: &str = "baton-unserved";

fn added(job: Job, is_unserved: bool) -> Response {
    let location = format!("/v1/jobs/{}", job.id);
    let unserved = HeaderValue::from_str(&job.queue)
        .ok()
        .filter(|_| is_unserved);
    let mut response = created(location, job);
    if let Some(queue) = unserved {
        response.headers_mut().insert(UNSERVED, queue);
    }
    response
}

/// Enqueue many jobs
///
/// Up to 10,000 jobs in one transaction: all are added, or none. Jobs whose key is known are
/// answered with the first job and `"created": false`. Jobs that name no `trace` have that of the request's headers.
#[utoipa::path(
    post, path = "/v1/jobs/batch", tag = "jobs",
    request_body = EnqueueBatch,
    responses(
        (status = 201, description = "At least one job was added.", body = Batch),
        (status = 200, description = "Every key was known; nothing was added.", body = Batch),
        (status = 409, description = "`key-conflict`: a key belongs to a job with other content; nothing was added.",
            body = baton_protocol::Problem, content_type = "application/problem+json"),
    )
)]
pub async fn create_batch(
    api: Api,
    trace: RequestTrace,
    BatchJson(mut batch, permit): BatchJson<EnqueueBatch>,
) -> ApiResult<Response> {
    check_size(&batch)?;
    batch.jobs.iter_mut().for_each(|job| trace.lend(job));
    let enqueued = detached(async move {
        let _in_memory = permit;
        api.engine.enqueue_all(batch.jobs).await
    })
    .await?;
    Ok(answered(&enqueued))
}

fn check_size(batch: &EnqueueBatch) -> ApiResult<()> {
    if (1..=EnqueueBatch::MAX).contains(&batch.jobs.len()) {
        Ok(())
    } else {
        let message = format!(
            "a batch has 1 to 10,000 jobs, this one has {}",
            batch.jobs.len()
        );
        Err(FieldError::new("jobs", message).into())
    }
}

fn answered(enqueued: &[Enqueued]) -> Response {
    let items: Vec<_> = enqueued
        .iter()
        .map(|enqueued| BatchItem {
            id: enqueued.id(),
            created: matches!(enqueued, Enqueued::Created(_)),
        })
        .collect();
    let status = if items.iter().any(|item| item.created) {
        StatusCode::CREATED
    } else {
        StatusCode::OK
    };
    (status, Reply(Batch { items })).into_response()
}

/// List jobs
///
/// Newest first. A page looks at a bounded number of jobs: it can be short, even empty, and still
/// have a `next`.
#[utoipa::path(
    get, path = "/v1/jobs", tag = "jobs",
    params(JobsQuery),
    responses((status = 200, description = "A page of jobs.", body = List<Job>))
)]
pub async fn list(api: Api, Query(query): Query<JobsQuery>) -> ApiResult<Reply<List<Job>>> {
    let (filter, page) = selection(query)?;
    let (engine, filter) = (&api.engine, &filter);
    pages::page(page, |page| async move { engine.jobs(filter, &page).await }).await
}

fn selection(query: JobsQuery) -> ApiResult<(JobFilter, PageRequest)> {
    check_texts(&[
        ("kind", &query.kind),
        ("queue", &query.queue),
        ("tag", &query.tag),
        ("key", &query.key),
    ])?;
    let page = PageRequest::try_from(PageQuery {
        limit: query.limit,
        after: query.after,
    })?;
    let filter = JobFilter {
        state: query.state,
        kind: query.kind,
        queue: query.queue,
        tag: query.tag,
        key: query.key,
        campaign: query.campaign,
    };
    Ok((filter, page))
}

/// Show a job
///
/// With `wait`, answers when the job has ended, or with what it is when the wait is over.
#[utoipa::path(
    get, path = "/v1/jobs/{id}", tag = "jobs",
    params(("id" = String, Path, description = "The job's id."), JobQuery),
    responses((status = 200, description = "The job, in one clear state.", body = Job))
)]
pub async fn show(
    api: Api,
    JobPath(id): JobPath,
    Query(query): Query<JobQuery>,
) -> ApiResult<Reply<Job>> {
    let job = match query.wait {
        Some(wait) => {
            let wait = wait.min(api.longest_wait());
            let stop = &api.shared.options.stop;
            api.engine.ended_job(id, wait, stop).await
        }
        None => api.engine.job(id).await,
    };
    let job = job.map_err(told)?;
    // One that nobody has begun has come nowhere.
    let checkpoint = match job.attempt {
        0 => None,
        _ => api.engine.checkpoint_of(id).await.map_err(told)?,
    };
    Ok(Reply(Job::from(job).with_checkpoint(checkpoint)))
}

/// Cancel a job
///
/// A job that waits is canceled at once. A running one is asked to stop and shows `cancel_asked_at`
/// until its worker confirms; with `"force": true` it is taken away from its worker and canceled at
/// once, and what the worker says later is history only.
#[utoipa::path(
    post, path = "/v1/jobs/{id}/cancel", tag = "jobs",
    params(("id" = String, Path, description = "The job's id.")),
    request_body = Option<Cancel>,
    responses(
        (status = 200, description = "The job, canceled or asked to stop.", body = Job),
        (status = 409, description = "`illegal-transition`: the job has come to an end.",
            body = baton_protocol::Problem, content_type = "application/problem+json"),
    )
)]
pub async fn cancel(
    api: Api,
    JobPath(id): JobPath,
    OptionalJson(cancel): OptionalJson<Cancel>,
) -> ApiResult<Reply<Job>> {
    if let Some(reason) = &cancel.reason {
        check_text("reason", reason, 500)?;
    }
    let job = detached(async move { api.engine.cancel(id, cancel).await }).await?;
    Ok(Reply(job.into()))
}

/// Run a job again
///
/// A job that failed, was canceled or skipped, or whose outcome is uncertain, begins its next run with
/// all its tries, and with another idempotency key. If it had moved its cursor it goes on behind it; with `"afresh": true` it
/// begins anew.
#[utoipa::path(
    post, path = "/v1/jobs/{id}/retry", tag = "jobs",
    params(("id" = String, Path, description = "The job's id.")),
    request_body = Option<Retry>,
    responses(
        (status = 200, description = "The job, queued.", body = Job),
        (status = 409, description = "`illegal-transition`: the job waits, runs or has succeeded.",
            body = baton_protocol::Problem, content_type = "application/problem+json"),
    )
)]
pub async fn retry(
    api: Api,
    JobPath(id): JobPath,
    OptionalJson(Retry { afresh }): OptionalJson<Retry>,
) -> ApiResult<Reply<Job>> {
    let job = detached(async move { api.engine.retry(id, afresh).await }).await?;
    Ok(Reply(job.into()))
}

/// Run a waiting job now
///
/// A job that waits for its time or for its next attempt becomes claimable at once.
#[utoipa::path(
    post, path = "/v1/jobs/{id}/run-now", tag = "jobs",
    params(("id" = String, Path, description = "The job's id.")),
    request_body = Option<Nothing>,
    responses(
        (status = 200, description = "The job, queued.", body = Job),
        (status = 409, description = "`illegal-transition`: the job does not wait.",
            body = baton_protocol::Problem, content_type = "application/problem+json"),
    )
)]
pub async fn run_now(
    api: Api,
    JobPath(id): JobPath,
    OptionalJson(Nothing {}): OptionalJson<Nothing>,
) -> ApiResult<Reply<Job>> {
    let job = detached(async move { api.engine.run_now(id).await }).await?;
    Ok(Reply(job.into()))
}

/// Say how an uncertain job ended
#[utoipa::path(
    post, path = "/v1/jobs/{id}/resolve", tag = "jobs",
    params(("id" = String, Path, description = "The job's id.")),
    request_body = Resolve,
    responses(
        (status = 200, description = "The job, succeeded or failed.", body = Job),
        (status = 409, description = "`illegal-transition`: the job is not uncertain.",
            body = baton_protocol::Problem, content_type = "application/problem+json"),
    )
)]
pub async fn resolve(
    api: Api,
    JobPath(id): JobPath,
    Json(Resolve { outcome }): Json<Resolve>,
) -> ApiResult<Reply<Job>> {
    let job = detached(async move { api.engine.resolve(id, outcome).await }).await?;
    Ok(Reply(job.into()))
}
