//! The drain over HTTP: jobs that wait, one worker's process, until all have succeeded.

use std::{process::Stdio, sync::Arc, time::Duration};

use tokio::{
    process::Command,
    time::{Instant, sleep},
};

use super::ground::Ground;
use crate::{
    cli::NamedWorker,
    commands::bench::{
        crew::Crew,
        figure::Figure,
        handlers::{Count, NOOP, Noop},
        session::Session,
    },
    exit::{Exit, Failure},
};

/// How often the counters are looked at.
const LOOK: Duration = Duration::from_millis(20);
/// How long they may stand still before the measurement is given up.
const STILL: Duration = Duration::from_mins(1);
/// How many jobs a command runs at once.
const SLOTS: u32 = 500;

/// By a worker of this process, with so many slots; held against what a server's own worker does in a second.
pub async fn by_slots(
    session: &mut Session<'_>,
    ground: &mut Ground,
    slots: u32,
    jobs: u32,
    embedded: f64,
) -> Result<(), Failure> {
    fill(session, ground, jobs).await?;
    let count = Count::default();
    let bar = session.bar(jobs, &format!("drain by {slots}"));
    let worker = ground.worker(slots, Arc::new(Noop(count.clone()))).await?;
    let begun = Instant::now();
    let crew = Crew::start(worker, count);
    crew.has_run(jobs.into(), &bar).await?;
    let took = begun.elapsed();
    bar.finish_and_clear();
    has_counted(ground, jobs.into()).await?;
    crew.leave().await;
    let rate = f64::from(jobs) / took.as_secs_f64();
    session.found(
        Figure::rate(format!("remote_drain_{slots}"), jobs.into(), slots, took)
            .against("remote_embedded", rate / embedded)
            .note("claimed and settled over HTTP, worker and server in processes of their own"),
    );
    Ok(())
}

/// By a worker that a command starts: it handles the kind `bench` of the server at `BATON_URL` with `BATON_SLOTS` slots.
pub async fn by_command(
    session: &mut Session<'_>,
    ground: &mut Ground,
    worker: &NamedWorker,
    jobs: u32,
) -> Result<(), Failure> {
    // Its start is not what is measured: it has run a job before time is taken.
    fill(session, ground, 1).await?;
    let NamedWorker { name, command } = worker;
    let mut worker = Command::new("sh");
    worker
        .args(["-c", command])
        .env("BATON_URL", ground.server.url())
        .env("BATON_KEY", ground.token.reveal());
    worker
        .env("BATON_SLOTS", SLOTS.to_string())
        .env("BATON_KIND", NOOP);
    worker
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .kill_on_drop(true);
    let failed = |error| Failure::new(format!("`{command}` cannot be started: {error}"));
    let mut worker = worker.spawn().map_err(failed)?;
    has_counted(ground, 1).await?;

    // They become claimable together, so that the worker finds them waiting, as the others do.
    fill_paused(session, ground, jobs).await?;
    let begun = Instant::now();
    let_go(ground).await?;
    has_counted(ground, jobs.into()).await?;
    let took = begun.elapsed();
    let _ = worker.kill().await;
    session.found(
        Figure::rate(format!("remote_drain_{name}"), jobs.into(), SLOTS, took)
            .note(format!("claimed and settled over HTTP by `{command}`")),
    );
    Ok(())
}

async fn fill(session: &Session<'_>, ground: &Ground, jobs: u32) -> Result<(), Failure> {
    let bar = session.bar(jobs, "enqueue");
    ground.fill(jobs, &bar).await?;
    bar.finish_and_clear();
    Ok(())
}

async fn fill_paused(session: &Session<'_>, ground: &Ground, jobs: u32) -> Result<(), Failure> {
    ground.client.change_queue(NOOP, &paused(true)).await?;
    fill(session, ground, jobs).await
}

async fn let_go(ground: &Ground) -> Result<(), Failure> {
    ground.client.change_queue(NOOP, &paused(false)).await?;
    Ok(())
}

fn paused(is_paused: bool) -> baton_client::ChangeQueue {
    baton_client::ChangeQueue {
        paused: Some(is_paused),
        ..baton_client::ChangeQueue::default()
    }
}

/// Waits until the server has counted so many more as done.
async fn has_counted(ground: &mut Ground, more: u64) -> Result<(), Failure> {
    let wanted = ground.done + more;
    let (mut last, mut last_move) = (ground.done, Instant::now());
    while last < wanted {
        sleep(LOOK).await;
        let succeeded = ground.succeeded().await?;
        if succeeded != last {
            (last, last_move) = (succeeded, Instant::now());
        }
        if last_move.elapsed() > STILL {
            let text = format!("nothing moves any more: {last} of {wanted} jobs have succeeded");
            return Err(Failure::new(text).exit(Exit::TimedOut));
        }
    }
    ground.done = wanted;
    Ok(())
}
