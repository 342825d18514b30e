//! apalis with PostgreSQL. Its documentation recommends for throughput larger batches and wake-ups by notification;
//! with the default batch of 10 it drains 1,000 jobs a second.

use std::time::Instant;

use anyhow::{Context, Result, anyhow};
use apalis::layers::WorkerBuilderExt;
use apalis::prelude::{BoxDynError, ParallelizeExt, TaskSink, WorkerBuilder};
use apalis_postgres::{Config, PostgresStorage};
use sqlx::PgPool;

use crate::arguments::Arguments;
use crate::database::{drop, fresh, until_none};
use crate::job::Noop;
use crate::measure::{Enqueue, fill, latency, rate};
use crate::progress;

const DATABASE: &str = "peer_apalis";
const BATCH: usize = 1000;
const CONCURRENCY: usize = 100;
const UNFINISHED: &str = "SELECT count(*) FROM apalis.jobs WHERE status <> 'Done'";

pub async fn measure(arguments: &Arguments) -> Result<()> {
    let pool = fresh(&arguments.postgres, DATABASE, 20).await?;
    PostgresStorage::setup(&pool).await?;
    let queue = Queue(PostgresStorage::new(&pool).with_config(config()));

    fill(arguments, &queue, "push_bulk 1000").await?;
    sqlx::query("ANALYZE apalis.jobs").execute(&pool).await?;
    let start = Instant::now();
    let backend = PostgresStorage::new(&pool)
        .with_config(config())
        .with_pubsub();
    let worker = WorkerBuilder::new("noop")
        .backend(backend)
        .concurrency(CONCURRENCY)
        .parallelize(tokio::spawn)
        .build(noop);
    tokio::select! {
        ended = worker.run() => ended.map_err(|error| anyhow!("the worker ended: {error}"))?,
        measured = drain_and_latency(arguments, &pool, queue, start) => measured?,
    }
    drop(&arguments.postgres, DATABASE).await
}

async fn drain_and_latency(
    arguments: &Arguments,
    pool: &PgPool,
    queue: Queue,
    start: Instant,
) -> Result<()> {
    progress::until(arguments.jobs).await;
    until_none(pool, UNFINISHED).await?;
    let note = "batch_size 1000, pubsub";
    rate(arguments, "drain", arguments.jobs, CONCURRENCY, start, note);
    latency(arguments, queue, CONCURRENCY).await
}

async fn noop(_: Noop) -> Result<(), BoxDynError> {
    progress::handled();
    Ok(())
}

fn config() -> Config {
    Config::default().queue("noop").batch_size(BATCH)
}

#[derive(Clone)]
struct Queue(PostgresStorage<Noop>);

impl Enqueue for Queue {
    async fn one(&mut self, i: usize) -> Result<()> {
        self.0.push(Noop::new(i)).await.context("push failed")
    }

    async fn many(&mut self, from: usize, to: usize) -> Result<()> {
        let jobs: Vec<Noop> = (from..to).map(Noop::new).collect();
        self.0.push_bulk(jobs).await.context("push_bulk failed")
    }
}
