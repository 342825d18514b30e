//! graphile_worker. Its documentation recommends for throughput a local queue and batched completion, and short
//! polls; without them it drains 25 jobs a second.

use std::time::{Duration, Instant};

use anyhow::Result;
use graphile_worker::{
    Database, IntoTaskHandlerResult, JobSpec, LocalQueueConfig, RawJobSpec, TaskHandler,
    WorkerContext, WorkerOptions, WorkerUtils,
};
use sqlx::PgPool;

use crate::arguments::Arguments;
use crate::database::{drop, fresh, until_none};
use crate::job::Noop;
use crate::measure::{Enqueue, fill, latency, rate};
use crate::progress;

const DATABASE: &str = "peer_graphile_rs";
const SCHEMA: &str = "graphile_worker";
const CONCURRENCY: usize = 500;
const UNFINISHED: &str = "SELECT count(*) FROM graphile_worker._private_jobs";

pub async fn measure(arguments: &Arguments) -> Result<()> {
    let pool = fresh(&arguments.postgres, DATABASE, 30).await?;
    let database: Database = pool.clone().into();
    let queue = Queue(WorkerUtils::new(database.clone(), SCHEMA));
    queue.0.migrate().await?;

    fill(arguments, &queue, "add_raw_jobs 1000").await?;
    sqlx::query("ANALYZE graphile_worker._private_jobs")
        .execute(&pool)
        .await?;
    drain(arguments, database, &pool).await?;
    latency(arguments, queue, CONCURRENCY).await?;
    drop(&arguments.postgres, DATABASE).await
}

async fn drain(arguments: &Arguments, database: Database, pool: &PgPool) -> Result<()> {
    let start = Instant::now();
    let worker = WorkerOptions::default()
        .database(database)
        .schema(SCHEMA)
        .concurrency(CONCURRENCY)
        .listen_os_shutdown_signals(false)
        .poll_interval(Duration::from_millis(100))
        .complete_job_batch_delay(Duration::from_millis(5))
        .local_queue(LocalQueueConfig::default().with_size(5000))
        .define_job::<Noop>()
        .init()
        .await?;
    tokio::spawn(async move {
        if let Err(error) = worker.run().await {
            eprintln!("the worker ended: {error}");
        }
    });
    progress::until(arguments.jobs).await;
    until_none(pool, UNFINISHED).await?;
    let note = "local_queue 5000, complete batch 5 ms";
    rate(arguments, "drain", arguments.jobs, CONCURRENCY, start, note);
    Ok(())
}

impl TaskHandler for Noop {
    const IDENTIFIER: &'static str = "noop";

    async fn run(self, _: WorkerContext) -> impl IntoTaskHandlerResult {
        progress::handled();
        Ok::<(), String>(())
    }
}

#[derive(Clone)]
struct Queue(WorkerUtils);

impl Enqueue for Queue {
    async fn one(&mut self, i: usize) -> Result<()> {
        let payload = serde_json::to_value(Noop::new(i))?;
        self.0
            .add_raw_job(Noop::IDENTIFIER, payload, JobSpec::default())
            .await?;
        Ok(())
    }

    async fn many(&mut self, from: usize, to: usize) -> Result<()> {
        let jobs: Result<Vec<RawJobSpec>> = (from..to).map(spec).collect();
        self.0.add_raw_jobs(&jobs?).await?;
        Ok(())
    }
}

fn spec(i: usize) -> Result<RawJobSpec> {
    Ok(RawJobSpec {
        identifier: Noop::IDENTIFIER.into(),
        payload: serde_json::to_value(Noop::new(i))?,
        spec: JobSpec::default(),
    })
}
