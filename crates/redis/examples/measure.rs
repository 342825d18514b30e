//! Measures hints on a private Redis: `cargo run --release -p baton-redis --example measure`.

use std::time::{Duration, Instant};

use baton_domain::{Clock, JobId, Timestamp, WorkerId, time::SystemClock};
use baton_ports::{Hint, Hints};
use baton_redis::{Options, RedisHints};
use baton_testkit::Redis;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

const MANY: usize = 1_000_000;
const PAGE: usize = 5_000;
const BATCH: u32 = 3_000;
const QUEUE: &str = "default";
const ROUNDS: u32 = 2_000;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

#[tokio::main]
async fn main() -> Result<()> {
    let redis = Redis::start();
    let stop = CancellationToken::new();
    let options = Options::new(redis.url(), Uuid::new_v4());
    let hints = RedisHints::connect(options, stop.clone()).await?;
    let now = SystemClock.now();
    let worker = WorkerId::new(now);

    build(&hints, now).await?;
    println!(
        "memory: {:?}",
        redis.command(&[
            "EVAL",
            "return redis.call('INFO', 'memory'):match('used_memory_human:[^\\r]*')",
            "0"
        ])
    );
    take_and_drop(&hints, worker).await?;
    give_back(&hints, now).await?;
    one_by_one(&hints, worker, now).await?;
    wake(&hints, now).await?;
    Ok(())
}

/// A new generation of a million.
async fn build(hints: &RedisHints, now: Timestamp) -> Result<()> {
    let all = some(MANY, now);
    let start = Instant::now();
    for page in all.chunks(PAGE) {
        hints.build(1, page).await?;
    }
    hints.open(1).await?;
    tell("built", MANY, start.elapsed());
    Ok(())
}

/// All of them, in batches, dropped in an order that is not that of their taking.
async fn take_and_drop(hints: &RedisHints, worker: WorkerId) -> Result<()> {
    let (mut taking, mut dropping, mut slowest, mut count) =
        (Duration::ZERO, Duration::ZERO, Duration::ZERO, 0);
    loop {
        let start = Instant::now();
        let taken = hints.take(worker, QUEUE, BATCH, Duration::ZERO).await?;
        taking += start.elapsed();
        slowest = slowest.max(start.elapsed());
        if taken.is_empty() {
            break;
        }
        count += taken.len();
        let mut done: Vec<_> = taken.into_iter().map(hint).collect();
        done.sort_by_key(|hint| hint.job.uuid().as_u128() & 0xffff_ffff);
        let start = Instant::now();
        for some in done.chunks(1_000) {
            hints.drop_taken(worker, some).await?;
        }
        dropping += start.elapsed();
    }
    tell("taken", count, taking);
    println!("slowest take of {BATCH}: {slowest:?}");
    tell("dropped, shuffled, by 1,000", count, dropping);
    Ok(())
}

async fn give_back(hints: &RedisHints, now: Timestamp) -> Result<()> {
    let worker = WorkerId::new(now);
    for page in some(100_000, now).chunks(PAGE) {
        hints.offer(page).await?;
    }
    let mut count = 0;
    while count < 100_000 {
        count += hints
            .take(worker, QUEUE, BATCH, Duration::ZERO)
            .await?
            .len();
    }
    let start = Instant::now();
    let back = hints.give_back(worker).await?;
    tell("given back", usize::try_from(back)?, start.elapsed());
    hints.open(2).await?;
    Ok(())
}

/// One hint offered, taken and dropped at a time.
async fn one_by_one(hints: &RedisHints, worker: WorkerId, now: Timestamp) -> Result<()> {
    let start = Instant::now();
    for _ in 0..ROUNDS {
        let offered = some(1, now);
        hints.offer(&offered).await?;
        hints.take(worker, QUEUE, 1, Duration::ZERO).await?;
        hints.drop_taken(worker, &offered).await?;
    }
    println!(
        "offer, take and drop of one: {:?}",
        start.elapsed() / ROUNDS
    );
    Ok(())
}

/// From an offer to the hint in the hands of somebody who waits.
async fn wake(hints: &RedisHints, now: Timestamp) -> Result<()> {
    let worker = WorkerId::new(now);
    let mut spans = Vec::new();
    for _ in 0..200 {
        let wait = hints.take(worker, QUEUE, 1, Duration::from_secs(5));
        let offer = async {
            tokio::time::sleep(Duration::from_millis(5)).await;
            let start = Instant::now();
            hints.offer(&some(1, now)).await.map(|()| start)
        };
        let (taken, offered) = tokio::join!(async { wait.await.map(|_| Instant::now()) }, offer);
        spans.push(taken?.duration_since(offered?));
    }
    spans.sort_unstable();
    println!(
        "offer to taken by who waits: median {:?}, slowest {:?}",
        spans[100], spans[199]
    );
    Ok(())
}

fn some(count: usize, now: Timestamp) -> Vec<Hint> {
    (0..count).map(|_| hint(JobId::new(now))).collect()
}

fn hint(job: JobId) -> Hint {
    Hint {
        queue: QUEUE.to_owned(),
        job,
        is_urgent: false,
    }
}

fn tell(what: &str, count: usize, span: Duration) {
    let rate = count as f64 / span.as_secs_f64();
    println!("{what}: {count} in {span:?}, {rate:.0} a second");
}
