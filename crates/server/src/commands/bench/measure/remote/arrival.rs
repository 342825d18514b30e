//! How soon a job arrives at a worker that waits for it, and a wish to stop one at its handler.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use baton_domain::{
    Clock, LeaseId, WorkerId,
    job::{FieldError, Verdict},
    time::SystemClock,
};
use baton_ports::{Call, Handler};
use baton_protocol::remote::{ClaimJobs, Want};
use baton_worker::Stop;
use tokio::{
    sync::mpsc,
    time::{Instant, sleep, timeout},
};

use super::ground::{self, Ground};
use crate::{
    commands::bench::{figure::Figure, handlers::NOOP, session::Session},
    exit::{Exit, Failure},
};

/// How many samples are taken, unless so few jobs are asked for that there is no time for them.
const SAMPLES: u32 = 300;
/// How many come before that are not told: each connection to the database has to read a statement once.
const WARM_UP: u32 = 100;
/// How long a sample may take.
const LONGEST: Duration = Duration::from_secs(30);
/// How long the system is left alone between two samples.
const PAUSE: Duration = Duration::from_millis(15);

/// From the call that enqueues a job to the answer of a claim that has waited for it.
pub async fn of_jobs(session: &mut Session<'_>, ground: &Ground) -> Result<(), Failure> {
    let worker = WorkerId::new(SystemClock.now());
    let client = &ground.client;
    client.register_worker(worker, &ground::whom(1)).await?;
    let (count, warm_up) = samples_of(session);
    let bar = session.bar(count, "arrival of jobs");
    let mut samples = Vec::new();
    for _ in 0..count {
        let (claiming, lease) = (client.clone(), LeaseId::random());
        let claim = tokio::spawn(async move {
            let claimed = claiming.claim_jobs(worker, &claim(lease)).await;
            claimed.map(|claimed| (Instant::now(), claimed))
        });
        sleep(PAUSE).await;
        let called = Instant::now();
        client.enqueue(&ground::noop()).await?;
        let (answered, claimed) = in_time(claim).await?.map_err(stopped)??;
        if claimed.batches.is_empty() {
            return Err(Failure::new("a claim was answered without the job").exit(Exit::TimedOut));
        }
        samples.push(answered.saturating_duration_since(called));
        client.release_leases(worker, &release(lease)).await?;
        // The job that was given back is the next one's, too: it is taken out of the way.
        let first = claimed
            .batches
            .into_iter()
            .flat_map(|batch| batch.jobs)
            .next();
        if let Some(job) = first {
            client.cancel(job.id, true, None).await?;
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    samples.drain(..warm_up);
    client.leave_worker(worker).await?;
    session.found(
        Figure::latency("remote_wake", 1, samples)
            .note("POST /v1/jobs called -> the claim that waited is answered, same node"),
    );
    Ok(())
}

/// From the call that cancels a job to its handler that is told.
pub async fn of_wishes(session: &mut Session<'_>, ground: &Ground) -> Result<(), Failure> {
    let (began, mut begun) = mpsc::unbounded_channel();
    let (told, mut heard) = mpsc::unbounded_channel();
    let worker = ground.worker(1, Arc::new(Waits { began, told })).await?;
    let stop = Stop::default();
    let running = tokio::spawn(worker.run(stop.clone()));
    let (count, warm_up) = samples_of(session);
    let bar = session.bar(count, "arrival of wishes");
    let mut samples = Vec::new();
    for _ in 0..count {
        let job = ground.client.enqueue(&ground::noop()).await?.job.id;
        in_time(begun.recv()).await?;
        sleep(PAUSE).await;
        let called = Instant::now();
        ground.client.cancel(job, false, None).await?;
        let heard = in_time(heard.recv()).await?.unwrap_or(called);
        samples.push(heard.saturating_duration_since(called));
        bar.inc(1);
    }
    bar.finish_and_clear();
    samples.drain(..warm_up);
    stop.soft.cancel();
    let _ = running.await;
    session.found(
        Figure::latency("remote_cancel", 1, samples)
            .note("POST /v1/jobs/{id}/cancel called -> the handler far away is told"),
    );
    Ok(())
}

/// How many samples are taken, and how many of them are not told.
fn samples_of(session: &Session<'_>) -> (u32, usize) {
    let count = (session.jobs(super::JOBS) / 10).clamp(1, SAMPLES);
    let warm_up = WARM_UP.min(count / 4);
    (count + warm_up, warm_up as usize)
}

fn claim(lease: LeaseId) -> ClaimJobs {
    ClaimJobs {
        wants: vec![Want {
            queue: NOOP.to_owned(),
            limit: 1,
            lease,
        }],
        limit: 1,
        wait: Duration::from_secs(20),
        max_bytes: None,
        repeat: 0,
    }
}

fn release(lease: LeaseId) -> baton_protocol::remote::ReleaseLeases {
    baton_protocol::remote::ReleaseLeases {
        leases: vec![lease],
    }
}

async fn in_time<T>(what: impl Future<Output = T>) -> Result<T, Failure> {
    let late = |_| Failure::new("nothing came within 30 s").exit(Exit::TimedOut);
    timeout(LONGEST, what).await.map_err(late)
}

#[expect(clippy::needless_pass_by_value, reason = "as map_err gives it")]
fn stopped(error: tokio::task::JoinError) -> Failure {
    Failure::new(format!("a call broke off: {error}"))
}

/// Waits until it is told to stop, and says when it began and when it was told.
struct Waits {
    began: mpsc::UnboundedSender<()>,
    told: mpsc::UnboundedSender<Instant>,
}

#[async_trait]
impl Handler for Waits {
    fn kind(&self) -> &'static str {
        NOOP
    }

    fn check(&self, _payload: &str) -> Result<(), Vec<FieldError>> {
        Ok(())
    }

    async fn run(&self, call: Call) -> Verdict {
        let _ = self.began.send(());
        call.cancel.cancelled().await;
        let _ = self.told.send(Instant::now());
        Verdict::Canceled
    }
}
