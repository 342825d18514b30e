//! From the call that enqueues to the handler that begins, beside the price of a commit.

use std::{sync::Arc, time::Duration};

use baton_domain::chance;
use rand::RngExt;
use tokio::time::{Instant, sleep, timeout};

use crate::{
    commands::bench::{
        figure::{Figure, Latency},
        handlers::PROBE,
        load::{self, QUEUE},
        rig::Rig,
        session::Session,
        stream::Stream,
    },
    exit::{Exit, Failure},
    store,
};

use super::drain::JOBS;

/// How many samples are taken, unless so few jobs are asked for that there is no time for them.
const SAMPLES: u32 = 200;
/// How long the system is left alone between two samples, in milliseconds.
const PAUSE: std::ops::Range<u64> = 10..30;
/// How long a sample may take.
const LONGEST: Duration = Duration::from_secs(30);

pub async fn run(session: &mut Session<'_>) -> Result<(), Failure> {
    let mut rig = session.rig().await?;
    rig.turn();
    let crew = rig.crew();
    session.checkpoint(&rig).await?;
    idle(session, &rig).await?;
    for (workload, queue) in [
        ("latency_other_queue", "other"),
        ("latency_same_queue", QUEUE),
    ] {
        let stream = Stream::start(&rig, queue);
        let samples = probe(session, &rig, workload).await?;
        let sent = stream.end().await?;
        session.found(
            Figure::latency(workload, rig.slots(), samples).note(format!(
                "enqueue call -> handler entered, beside {sent:.0} other jobs/s"
            )),
        );
    }
    crew.leave().await;
    rig.take_down(session.ground).await
}

/// One commit, one job, one commit, ...: both meet the same disk in the same minute.
async fn idle(session: &mut Session<'_>, rig: &Rig) -> Result<(), Failure> {
    let commits = rig.tools.commits(&load::payload().to_string()).await;
    let commits = Arc::new(commits.map_err(|error| store::lost(&error))?);
    let samples = samples(session);
    let bar = session.bar(samples, "idle");
    let (mut committed, mut begun) = (Vec::new(), Vec::new());
    for _ in 0..samples {
        pause().await;
        let commits = Arc::clone(&commits);
        let commit = from_a_task(async move { commits.one().await }).await?;
        committed.push(commit.map_err(|error| store::lost(&error))?);
        pause().await;
        begun.push(sample(rig).await?);
        bar.inc(1);
    }
    bar.finish_and_clear();
    let ratio = Latency::of(begun.clone())
        .zip(Latency::of(committed.clone()))
        .map(|(begun, committed)| begun.p50_ms / committed.p50_ms.max(1e-3));
    session.found(
        Figure::latency("commit", 1, committed)
            .note("one row, one durable transaction, between the samples of latency_idle"),
    );
    let figure = Figure::latency("latency_idle", rig.slots(), begun)
        .note("enqueue call -> handler entered, same process");
    session.found(match ratio {
        Some(ratio) => figure.against("commit p50", ratio),
        None => figure,
    });
    Ok(())
}

async fn probe(session: &Session<'_>, rig: &Rig, step: &str) -> Result<Vec<Duration>, Failure> {
    let samples = samples(session);
    let bar = session.bar(samples, step);
    let mut begun = Vec::new();
    for _ in 0..samples {
        pause().await;
        begun.push(sample(rig).await?);
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(begun)
}

fn samples(session: &Session<'_>) -> u32 {
    (session.jobs(JOBS) / 10).min(SAMPLES)
}

async fn pause() {
    sleep(Duration::from_millis(chance::draw(|chance| {
        chance.random_range(PAUSE)
    })))
    .await;
}

/// As a server's callers call: from a task, not from the thread that waits for the whole program.
async fn from_a_task<T: Send + 'static>(
    call: impl Future<Output = T> + Send + 'static,
) -> Result<T, Failure> {
    let called = tokio::spawn(call).await;
    called.map_err(|error| Failure::new(format!("a call broke off: {error}")))
}

async fn sample(rig: &Rig) -> Result<Duration, Failure> {
    let entered = rig.probe.next();
    let job = load::of_kind(PROBE, load::payload().to_string());
    let engine = rig.engine().clone();
    let (called, enqueued) =
        from_a_task(async move { (Instant::now(), engine.enqueue(job).await) }).await?;
    enqueued.map_err(|error| load::refused(&error))?;
    match timeout(LONGEST, entered).await {
        Ok(Ok(entered)) => Ok(entered.duration_since(called)),
        _ => Err(
            Failure::new("a job did not begin within 30 s of its enqueue")
                .exit(Exit::TimedOut)
                .then("This must not happen; please report it."),
        ),
    }
}
