//! From the call that enqueues to the handler that begins, beside the price of a commit.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use baton_domain::{chance, job::JobSpec};
use rand::RngExt;
use tokio::{
    task::JoinHandle,
    time::{Instant, MissedTickBehavior, interval, sleep, timeout},
};

use crate::{
    commands::bench::{
        figure::{Figure, Latency},
        handlers::PROBE,
        load::{self, QUEUE},
        rig::Rig,
        session::Session,
    },
    exit::{Exit, Failure},
    store,
};

use super::drain::JOBS;

/// How many samples are taken, unless so few jobs are asked for that there is no time for them.
const SAMPLES: u32 = 200;
/// How long the system is left alone between two samples, in milliseconds.
const PAUSE: std::ops::Range<u64> = 10..30;
/// How many other jobs come each second under load.
const STREAM: u32 = 2_000;
/// How often some of them come.
const TICK: Duration = Duration::from_millis(5);
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
    let commits = commits.map_err(|error| store::lost(&error))?;
    let samples = samples(session);
    let bar = session.bar(samples, "idle");
    let (mut committed, mut begun) = (Vec::new(), Vec::new());
    for _ in 0..samples {
        pause().await;
        committed.push(commits.one().await.map_err(|error| store::lost(&error))?);
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

async fn sample(rig: &Rig) -> Result<Duration, Failure> {
    let entered = rig.probe.next();
    let job = load::of_kind(PROBE, load::payload().to_string());
    let called = Instant::now();
    let enqueued = rig.engine().enqueue(job).await;
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

/// A steady stream of other work.
struct Stream {
    begun: Instant,
    task: JoinHandle<Result<(), Failure>>,
    sent: Arc<AtomicU64>,
}

impl Stream {
    fn start(rig: &Rig, queue: &str) -> Self {
        let (engine, sent) = (rig.engine().clone(), Arc::<AtomicU64>::default());
        let job = JobSpec {
            queue: Some(queue.to_owned()),
            ..load::noop()
        };
        let count = Arc::clone(&sent);
        let task = tokio::spawn(async move {
            let per_tick = STREAM
                / u32::try_from(Duration::from_secs(1).as_millis() / TICK.as_millis()).unwrap_or(1);
            let mut ticks = interval(TICK);
            ticks.set_missed_tick_behavior(MissedTickBehavior::Burst);
            loop {
                ticks.tick().await;
                let specs = vec![job.clone(); per_tick as usize];
                let enqueued = engine.enqueue_all(specs).await;
                enqueued.map_err(|error| load::refused(&error))?;
                count.fetch_add(per_tick.into(), Ordering::Relaxed);
            }
        });
        Self {
            begun: Instant::now(),
            task,
            sent,
        }
    }

    /// Ends it, and says how many jobs it really sent each second.
    async fn end(mut self) -> Result<f64, Failure> {
        self.task.abort();
        if let Ok(Err(failure)) = (&mut self.task).await {
            return Err(failure);
        }
        let sent = self.sent.load(Ordering::Relaxed);
        Ok(load::per_second(sent, self.begun.elapsed()))
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        self.task.abort();
    }
}
