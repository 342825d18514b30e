//! What is measured, the same for every peer, and the lines that say it.

use std::fs;
use std::time::{Duration, Instant};

use anyhow::Result;
use futures::future::try_join_all;
use serde_json::{Value, json};
use tokio::time::{sleep, timeout};

use crate::arguments::Arguments;
use crate::progress;

const SINGLE_CALLERS: usize = 8;
const SINGLES: usize = 2000;
const BULK: usize = 1000;

/// A wake-up that is lost costs until the next poll: such a sample says nothing of the latency, so it
/// is counted apart.
const STALLED: Duration = Duration::from_secs(2);
const STALLS_BORNE: usize = 5;

/// A peer as the measurements see it.
pub trait Enqueue: Clone + Send {
    /// Adds one job, and returns when the peer has acknowledged it.
    fn one(&mut self, i: usize) -> impl Future<Output = Result<()>> + Send;
    /// Adds jobs by the peer's own bulk call.
    fn many(&mut self, from: usize, to: usize) -> impl Future<Output = Result<()>> + Send;
}

/// Fills the queue: first by single calls, the rest by bulk calls.
pub async fn fill(arguments: &Arguments, queue: &impl Enqueue, bulk_call: &str) -> Result<()> {
    let singles = SINGLES.min(arguments.jobs / 5) / SINGLE_CALLERS * SINGLE_CALLERS;
    let start = Instant::now();
    enqueue_singles(queue, singles).await?;
    rate(
        arguments,
        "enqueue_single",
        singles,
        SINGLE_CALLERS,
        start,
        "",
    );

    let start = Instant::now();
    enqueue_bulk(queue.clone(), singles, arguments.jobs).await?;
    let bulk = arguments.jobs - singles;
    rate(arguments, "enqueue_bulk", bulk, 1, start, bulk_call);
    Ok(())
}

async fn enqueue_singles(queue: &impl Enqueue, singles: usize) -> Result<()> {
    let share = singles / SINGLE_CALLERS;
    let callers = (0..SINGLE_CALLERS).map(|caller| {
        let mut queue = queue.clone();
        async move {
            for i in 0..share {
                queue.one(caller * share + i).await?;
            }
            anyhow::Ok(())
        }
    });
    try_join_all(callers).await?;
    Ok(())
}

async fn enqueue_bulk(mut queue: impl Enqueue, from: usize, to: usize) -> Result<()> {
    for first in (from..to).step_by(BULK) {
        queue.many(first, to.min(first + BULK)).await?;
    }
    Ok(())
}

/// Enqueues one job at a time into the idle queue and says how soon each was started.
pub async fn latency(
    arguments: &Arguments,
    mut queue: impl Enqueue,
    concurrency: usize,
) -> Result<()> {
    let (mut took, mut stalls) = (Vec::new(), 0);
    for i in 0..arguments.samples {
        sleep(Duration::from_millis(10 + (i as u64 * 7919) % 20)).await;
        let started = progress::next();
        let called = Instant::now();
        queue.one(i).await?;
        match timeout(STALLED, started).await {
            Ok(moment) => took.push((moment? - called).as_secs_f64() * 1000.0),
            Err(_) => stalls += 1,
        }
        if stalls == STALLS_BORNE {
            break;
        }
    }
    took.sort_by(f64::total_cmp);
    if !took.is_empty() {
        print(json!({
            "peer": arguments.peer,
            "workload": "latency_idle",
            "n": took.len(),
            "concurrency": concurrency,
            "p50_ms": quantile(&took, 0.5),
            "p99_ms": quantile(&took, 0.99),
            "max_ms": quantile(&took, 1.0),
            "notes": notes(&format!("enqueue call to handler, same process; stalls over 2 s: {stalls}")),
        }));
    }
    Ok(())
}

fn quantile(sorted: &[f64], q: f64) -> f64 {
    let place = (q * sorted.len() as f64) as usize;
    rounded(sorted[place.min(sorted.len() - 1)], 1000.0)
}

/// Says how many there were of something since the start.
pub fn rate(
    arguments: &Arguments,
    workload: &str,
    n: usize,
    concurrency: usize,
    start: Instant,
    note: &str,
) {
    let seconds = start.elapsed().as_secs_f64();
    print(json!({
        "peer": arguments.peer,
        "workload": workload,
        "n": n,
        "concurrency": concurrency,
        "seconds": rounded(seconds, 1000.0),
        "per_second": rounded(n as f64 / seconds, 10.0),
        "notes": notes(note),
    }));
}

fn print(line: Value) {
    println!("{line}");
}

fn notes(note: &str) -> String {
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load.split(' ').next().unwrap_or_default();
    format!("{note} load1={load}").trim().to_owned()
}

fn rounded(value: f64, parts: f64) -> f64 {
    (value * parts).round() / parts
}
