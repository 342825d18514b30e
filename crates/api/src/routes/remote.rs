//! The protocol of remote workers.

use axum::{Json as Reply, http::StatusCode};
use baton_domain::{
    Timestamp,
    job::{Failure, Verdict},
};
use baton_engine::{
    BEAT_SHARE, Beat, CheckpointItem, CheckpointRequest, ClaimRequest, LONGEST_CLAIM, Registration,
    RemoteBatch, RemoteJob, ResultItem, ResultReport,
};
use baton_ports::store::{CheckpointOutcome, Claimed, Enqueued, SettleOutcome};
use baton_protocol::{
    FieldError, Json,
    job::BatchItem,
    remote::{
        BeatWorker, ClaimJobs, ClaimedBatch, ClaimedCheckpoint, ClaimedJob, ClaimedJobs, GivenBack,
        News, PROTOCOL, RegisterWorker, Registered, ReleaseLeases, RemoteLimits, SaveCheckpoint,
        SaveCheckpoints, Saved, SavedCheckpoint, SavedCheckpoints, Settled, SettledResult,
        SettledResults, StopJob, TellResult, TellResults, VerdictWord,
    },
};

use crate::{
    Api,
    extract::{BatchJson, Json as Body, WorkerPath},
    problem::{ApiResult, told},
};

/// Register a worker
///
/// Says who a worker is. Its id is `wrk_` and a UUIDv7 that it draws as it starts; a restart is another worker. Safe to repeat,
/// and to say anew.
#[utoipa::path(
    put, path = "/v1/workers/{id}", tag = "workers",
    params(("id" = String, Path, description = "The worker's id.")),
    request_body = RegisterWorker,
    responses(
        (status = 201, description = "The worker is taken up.", body = Registered),
        (status = 200, description = "It was known before.", body = Registered),
    )
)]
pub async fn register(
    api: Api,
    WorkerPath(id): WorkerPath,
    Body(worker): Body<RegisterWorker>,
) -> ApiResult<(StatusCode, Reply<Registered>)> {
    if worker.protocol != PROTOCOL {
        let why = format!("is {}; this server speaks {PROTOCOL}", worker.protocol);
        return Err(FieldError::new("protocol", why).into());
    }
    let registration = Registration {
        name: worker.name,
        sdk: worker.sdk,
        app_version: worker.version,
        kinds: worker.kinds,
        queues: worker.queues,
        slots: worker.slots,
        labels: worker.labels,
    };
    let is_new = api
        .engine
        .register_worker(id, registration)
        .await
        .map_err(told)?;
    let lease = api.engine.settings().lease;
    let status = if is_new {
        StatusCode::CREATED
    } else {
        StatusCode::OK
    };
    let registered = Registered {
        id,
        protocol: PROTOCOL,
        lease,
        beat: lease / BEAT_SHARE,
        server: env!("CARGO_PKG_VERSION").to_owned(),
        limits: RemoteLimits {
            wait: LONGEST_CLAIM,
            ..RemoteLimits::default()
        },
    };
    Ok((status, Reply(registered)))
}

/// Claim jobs
///
/// Answers as soon as there is a job for the worker, and with none when it has waited long enough. The worker draws the leases, so
/// a claim whose answer was lost is asked again in the same words, with `repeat` counted up, and answered with the same jobs. While
/// it waits its worker is known to live: one that holds nothing need not beat beside it.
#[utoipa::path(
    post, path = "/v1/workers/{id}/claim", tag = "workers",
    params(("id" = String, Path, description = "The worker's id.")),
    request_body = ClaimJobs,
    responses((status = 200, description = "The jobs, by lease; none if there were none in time.", body = ClaimedJobs))
)]
pub async fn claim(
    api: Api,
    WorkerPath(id): WorkerPath,
    Body(claim): Body<ClaimJobs>,
) -> ApiResult<Reply<ClaimedJobs>> {
    let wants = claim.wants.into_iter().map(|want| baton_engine::Want {
        queue: want.queue,
        lease: want.lease,
        limit: want.limit,
    });
    let request = ClaimRequest {
        wants: wants.collect(),
        limit: claim.limit,
        wait: claim.wait,
        max_bytes: claim
            .max_bytes
            .and_then(|bytes| usize::try_from(bytes).ok()),
        is_repeated: claim.repeat > 0,
    };
    let stop = &api.shared.options.stop;
    let answer = api
        .engine
        .claim_jobs(id, request, stop)
        .await
        .map_err(told)?;
    let now = api.engine.now();
    let batches = answer.batches.into_iter();
    Ok(Reply(ClaimedJobs {
        lease: api.engine.settings().lease,
        waited: Some(answer.waited),
        drain: answer.drain,
        batches: batches.map(|batch| batch_at(batch, now)).collect(),
    }))
}

/// Beat
///
/// Renews the leases of a worker as it arrives, and is answered when there is news for it: a job that is to stop, a drain, a lost
/// lease; at the latest after `wait`, which is a third of a lease at the most.
#[utoipa::path(
    post, path = "/v1/workers/{id}/beat", tag = "workers",
    params(("id" = String, Path, description = "The worker's id.")),
    request_body = BeatWorker,
    responses((status = 200, description = "The news, if there are any.", body = News))
)]
pub async fn beat(
    api: Api,
    WorkerPath(id): WorkerPath,
    Body(beat): Body<BeatWorker>,
) -> ApiResult<Reply<News>> {
    let longest = api.longest_wait();
    let progress = beat
        .progress
        .into_iter()
        .map(|told| (told.token, told.progress));
    let beat = Beat {
        wait: beat.wait.min(longest),
        running: beat.running,
        free: beat.free,
        asked_ago: beat.asked_ago,
        draining: beat.draining,
        heard: beat.heard,
        progress: progress.collect(),
    };
    let stop = &api.shared.options.stop;
    let news = api.engine.beat_worker(id, beat, stop).await.map_err(told)?;
    let stops = news.stop.into_iter().map(|job| StopJob {
        job,
        why: "canceled".to_owned(),
    });
    Ok(Reply(News {
        lease: api.engine.settings().lease,
        held: news.held,
        lost: news.lost,
        stop: stops.collect(),
        drain: news.drain,
    }))
}

/// Tell results
///
/// Records how attempts ended, each by itself. Safe to repeat in the same words.
#[utoipa::path(
    post, path = "/v1/workers/{id}/results", tag = "workers",
    params(("id" = String, Path, description = "The worker's id.")),
    request_body = TellResults,
    responses((status = 200, description = "What became of each, in their order.", body = SettledResults))
)]
pub async fn results(
    api: Api,
    WorkerPath(id): WorkerPath,
    BatchJson(body, _permit): BatchJson<TellResults>,
) -> ApiResult<Reply<SettledResults>> {
    let reports = body.results.into_iter().map(report).collect();
    let items = api.engine.settle_results(id, reports).await.map_err(told)?;
    let items = items.into_iter().enumerate();
    Ok(Reply(SettledResults {
        items: items.map(|(i, item)| settled(i, item)).collect(),
    }))
}

/// Save checkpoints
///
/// Moves the cursors of jobs, each under its lease and with the jobs that it makes, in a transaction of its own. What is answered
/// is on disk. Safe to repeat in the same words: it makes no job twice.
#[utoipa::path(
    post, path = "/v1/workers/{id}/checkpoints", tag = "workers",
    params(("id" = String, Path, description = "The worker's id.")),
    request_body = SaveCheckpoints,
    responses((status = 200, description = "What became of each, in their order.", body = SavedCheckpoints))
)]
pub async fn checkpoints(
    api: Api,
    WorkerPath(id): WorkerPath,
    BatchJson(body, _permit): BatchJson<SaveCheckpoints>,
) -> ApiResult<Reply<SavedCheckpoints>> {
    let asked: Vec<_> = body.checkpoints.into_iter().map(checkpoint).collect();
    let seqs: Vec<_> = asked.iter().map(|one| one.seq).collect();
    let items = api.engine.save_checkpoints(id, asked).await.map_err(told)?;
    let items = items.into_iter().zip(seqs).enumerate();
    Ok(Reply(SavedCheckpoints {
        items: items.map(|(i, (item, seq))| saved(i, item, seq)).collect(),
    }))
}

/// Release leases
///
/// Gives back everything unsettled under these leases: none of it was started. Safe to repeat.
#[utoipa::path(
    post, path = "/v1/workers/{id}/release", tag = "workers",
    params(("id" = String, Path, description = "The worker's id.")),
    request_body = ReleaseLeases,
    responses((status = 200, description = "How many jobs were given back.", body = GivenBack))
)]
pub async fn release(
    api: Api,
    WorkerPath(id): WorkerPath,
    Body(body): Body<ReleaseLeases>,
) -> ApiResult<Reply<GivenBack>> {
    let given_back = api
        .engine
        .release_leases(id, &body.leases)
        .await
        .map_err(told)?;
    Ok(Reply(GivenBack { given_back }))
}

/// Say goodbye
///
/// What the worker still holds is given back. Safe to repeat.
#[utoipa::path(
    delete, path = "/v1/workers/{id}", tag = "workers",
    params(("id" = String, Path, description = "The worker's id.")),
    responses((status = 204, description = "The worker has left."))
)]
pub async fn leave(api: Api, WorkerPath(id): WorkerPath) -> ApiResult<StatusCode> {
    api.engine.leave_worker(id).await.map_err(told)?;
    Ok(StatusCode::NO_CONTENT)
}

fn batch_at(batch: RemoteBatch, now: Timestamp) -> ClaimedBatch {
    ClaimedBatch {
        lease: batch.lease,
        queue: batch.queue,
        jobs: batch.jobs.into_iter().map(|job| job_at(job, now)).collect(),
    }
}

fn job_at(job: RemoteJob, now: Timestamp) -> ClaimedJob {
    let Claimed {
        args,
        counters,
        queued_at,
        ..
    } = job.claimed;
    let left = job.checkpoint;
    ClaimedJob {
        checkpoint: left.map(|left| ClaimedCheckpoint::of(left, now)),
        ..ClaimedJob::of(args, counters, job.token, queued_at, now)
    }
}

fn report(told: TellResult) -> ResultReport {
    ResultReport {
        started_ago: told.started_ago,
        token: told.token.clone(),
        verdict: verdict(told)
            .map_err(|(field, why)| baton_domain::job::FieldError::new(field, why)),
    }
}

/// What a handler says; nothing if the job is given back.
fn verdict(told: TellResult) -> Result<Option<Verdict>, (&'static str, String)> {
    let missing = |field: &'static str, verdict: &str| {
        (field, format!("must be said when the verdict is {verdict}"))
    };
    Ok(Some(match told.verdict {
        VerdictWord::Accepted => Verdict::Accepted {
            result: told.result.map(Json::into_text),
        },
        VerdictWord::Skipped => Verdict::Skipped {
            why: told.why.ok_or_else(|| missing("why", "skipped"))?,
        },
        VerdictWord::Snoozed => Verdict::Snoozed {
            after: told.after.ok_or_else(|| missing("after", "snoozed"))?,
        },
        VerdictWord::Canceled => Verdict::Canceled,
        VerdictWord::GivenBack => return Ok(None),
        VerdictWord::Failed => Verdict::Failed {
            failure: Failure::new(
                told.class.ok_or_else(|| missing("class", "failed"))?,
                told.code.as_deref().unwrap_or("failed"),
                told.message.unwrap_or_default(),
            ),
            retry_after: told.retry_after,
        },
    }))
}

fn settled(i: usize, item: ResultItem) -> SettledResult {
    match item {
        ResultItem::Settled {
            job,
            outcome,
            state,
            run_at,
        } => {
            let settled = match outcome {
                SettleOutcome::Recorded => Settled::Recorded,
                SettleOutcome::Adopted => Settled::Adopted,
                SettleOutcome::Stale => Settled::Stale,
            };
            let counts = settled != Settled::Stale;
            SettledResult {
                job: Some(job),
                settled,
                state: counts.then_some(state),
                run_at: run_at.filter(|_| counts),
                errors: Vec::new(),
            }
        }
        ResultItem::Refused(job, error) => SettledResult {
            job,
            settled: Settled::Refused,
            state: None,
            run_at: None,
            errors: vec![error.within(&format!("results[{i}]")).into()],
        },
    }
}

fn checkpoint(told: SaveCheckpoint) -> CheckpointRequest {
    CheckpointRequest {
        token: told.token,
        seq: told.seq,
        cursor: told.cursor.into_text(),
        progress: told.progress,
        jobs: told.jobs,
    }
}

fn saved(i: usize, item: CheckpointItem, asked: u64) -> SavedCheckpoint {
    let nothing = SavedCheckpoint {
        job: None,
        saved: Saved::Refused,
        seq: None,
        jobs: Vec::new(),
        stop: None,
        errors: Vec::new(),
    };
    match item {
        CheckpointItem::Refused(job, errors) => {
            let errors = errors
                .into_iter()
                .map(|error| error.within(&format!("checkpoints[{i}]")));
            SavedCheckpoint {
                job,
                errors: errors.map(FieldError::from).collect(),
                ..nothing
            }
        }
        CheckpointItem::Saved {
            job,
            outcome,
            is_stopped,
        } => {
            let (saved, seq, jobs) = match outcome {
                CheckpointOutcome::Recorded { is_repeated, jobs } => {
                    let saved = if is_repeated {
                        Saved::Repeated
                    } else {
                        Saved::Recorded
                    };
                    (saved, Some(asked), jobs)
                }
                CheckpointOutcome::Lost => (Saved::Lost, None, Vec::new()),
                CheckpointOutcome::OutOfOrder { seq } => (Saved::OutOfOrder, Some(seq), Vec::new()),
                CheckpointOutcome::Conflict { .. } => (Saved::Refused, None, Vec::new()),
            };
            let made = jobs.iter().map(|one| BatchItem {
                id: one.id(),
                created: matches!(one, Enqueued::Created(_)),
            });
            SavedCheckpoint {
                job: Some(job),
                saved,
                seq,
                jobs: made.collect(),
                stop: is_stopped.then(|| "canceled".to_owned()),
                ..nothing
            }
        }
    }
}
