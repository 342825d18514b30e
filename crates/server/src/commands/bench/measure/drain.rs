//! The drain: jobs that wait, one worker, until all have succeeded.

use std::time::Duration;

use baton_domain::queue::Queue;
use baton_sql::bench::Snapshot;
use tokio::time::{Instant, sleep};

use crate::{
    commands::bench::{
        figure::Figure,
        load::{self, BATCH},
        rig::Rig,
        session::Session,
    },
    exit::{Exit, Failure},
    store,
};

/// How many jobs go through by default.
pub const JOBS: u32 = 100_000;
/// How often the counters are looked at; never while time is taken.
const LOOK: Duration = Duration::from_millis(20);
/// How long the counters may stand still before the measurement is given up.
const STILL: Duration = Duration::from_mins(1);

pub async fn run(session: &mut Session<'_>) -> Result<(), Failure> {
    let jobs = session.jobs(JOBS);
    let mut rig = session.rig().await?;
    rig.turn();
    let drained = drain(session, &mut rig, jobs, HeldOpen::Nothing).await?;
    rig.take_down(session.ground).await?;

    let (filled, took) = (drained.filled, drained.took);
    session.found(
        Figure::rate("enqueue_bulk", jobs.into(), 1, filled).note(format!(
            "enqueue_all {BATCH}, facts in the same transactions"
        )),
    );
    session.found(
        Figure::rate("drain", jobs.into(), drained.slots, took)
            .note("attempts and facts in the same transactions"),
    );
    session.found(
        Figure::rate("enqueue_then_drain", jobs.into(), 1, filled + took)
            .note("the two after each other"),
    );
    if let Some((enqueue, finish)) = drained.written {
        for (workload, bytes) in [
            ("wal_enqueue", enqueue),
            ("wal_drain", finish),
            ("wal", enqueue + finish),
        ] {
            session.found(
                Figure::amount(workload, jobs.into(), bytes, "B/job")
                    .note("the log is the whole server's: whoever else writes is in it"),
            );
        }
    }
    Ok(())
}

/// What is held open while the worker works.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum HeldOpen {
    Nothing,
    Snapshot,
}

/// A drain that has ended.
pub struct Drained {
    /// How long the jobs took to be enqueued.
    pub filled: Duration,
    /// How long they took to be done.
    pub took: Duration,
    /// How many ran at once.
    pub slots: u32,
    /// Bytes of log for each job: to enqueue it, to finish it.
    written: Option<(f64, f64)>,
}

/// Enqueues the jobs, then has one worker do them all.
pub async fn drain(
    session: &mut Session<'_>,
    rig: &mut Rig,
    jobs: u32,
    held: HeldOpen,
) -> Result<Drained, Failure> {
    session.checkpoint(rig).await?;
    let succeeded = succeeded(rig).await?;
    let bar = session.bar(jobs, "enqueue");
    let empty = rig.written().await?;
    let filled = load::fill(rig.engine(), jobs, &load::noop(), &bar).await?;
    bar.finish_and_clear();
    has_counted(rig, |queue| queue.queued >= u64::from(jobs)).await?;
    let full = rig.written().await?;

    session.checkpoint(rig).await?;
    let snapshot = hold(rig, held).await?;
    let bar = session.bar(jobs, "drain");
    let before = rig.written().await?;
    let begun = Instant::now();
    let crew = rig.crew();
    crew.has_run(jobs.into(), &bar).await?;
    let took = begun.elapsed();
    // What the worker says is checked against what the store has counted, outside of the time taken.
    has_counted(rig, |queue| queue.succeeded >= succeeded + u64::from(jobs)).await?;
    let done = rig.written().await?;
    drop(snapshot);
    let slots = rig.slots();
    crew.leave().await;
    bar.finish_and_clear();
    let per_job = |from: Option<i64>, to: Option<i64>| {
        let bytes = u32::try_from(to? - from?).ok()?;
        Some(f64::from(bytes) / f64::from(jobs))
    };
    Ok(Drained {
        filled,
        took,
        slots,
        written: per_job(empty, full).zip(per_job(before, done)),
    })
}

async fn hold(rig: &Rig, held: HeldOpen) -> Result<Option<Snapshot>, Failure> {
    if held == HeldOpen::Nothing {
        return Ok(None);
    }
    let snapshot = rig.tools.snapshot().await;
    snapshot.map(Some).map_err(|error| store::lost(&error))
}

async fn succeeded(rig: &Rig) -> Result<u64, Failure> {
    Ok(rig.queue().await?.map_or(0, |queue| queue.succeeded))
}

/// Waits until the routines have counted what the queue must hold by now.
pub async fn has_counted(rig: &Rig, is_so: impl Fn(&Queue) -> bool) -> Result<(), Failure> {
    let (mut last, mut last_move) = (None, Instant::now());
    loop {
        let queue = rig.queue().await?;
        if queue.as_ref().is_some_and(&is_so) {
            return Ok(());
        }
        if queue != last {
            (last, last_move) = (queue, Instant::now());
        }
        if last_move.elapsed() > STILL {
            return Err(
                Failure::new(format!("the store does not count what was done: {last:?}"))
                    .exit(Exit::TimedOut)
                    .then("This must not happen; please report it."),
            );
        }
        sleep(LOOK).await;
    }
}
