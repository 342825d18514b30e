//! Peak memory: a server that accepts a backlog over HTTP, and a fresh one that drains it.

use std::{path::Path, time::Duration};

use baton_client::{Client, EnqueueJob};
use baton_faults::Server;
use indicatif::ProgressBar;
use tokio::time::{Instant, sleep};

use crate::{
    commands::bench::{
        figure::Figure,
        load::{BATCH, QUEUE},
        machine::peak_memory,
        session::Session,
    },
    exit::{Exit, Failure},
};

const JOBS: u32 = 1_000_000;
/// How often the server is asked how far it is.
const LOOK: Duration = Duration::from_millis(200);
/// How long nothing may move before the measurement is given up.
const STILL: Duration = Duration::from_mins(1);

pub async fn run(session: &mut Session<'_>) -> Result<(), Failure> {
    let jobs = session.jobs(JOBS);
    let scratch = session.ground.scratch().await?;
    let folder = session.ground.folder();
    let slots = session.args.slots.map(|slots| slots.to_string());

    let server = serve(folder, scratch.url(), "api,engine", slots.as_deref()).await?;
    let bar = session.bar(jobs, "accept");
    let begun = Instant::now();
    accept(&server, jobs, &bar).await?;
    let (accepting, took) = (peak(&server)?, begun.elapsed());
    server.stop().await?;
    session.found(figure(
        "memory_accept",
        jobs,
        accepting,
        took,
        "POST /v1/jobs/batch, 1000 jobs each",
    ));

    let bar = session.bar(jobs, "drain");
    let begun = Instant::now();
    let server = serve(folder, scratch.url(), "api,engine,worker", slots.as_deref()).await?;
    drain(&server, jobs, &bar).await?;
    let (draining, took) = (peak(&server)?, begun.elapsed());
    server.stop().await?;
    session.found(figure(
        "memory_drain",
        jobs,
        draining,
        took,
        "a server started on the backlog, all roles",
    ));
    session.ground.give_up(&scratch).await
}

fn figure(workload: &str, jobs: u32, bytes: u64, took: Duration, note: &str) -> Figure {
    #[expect(clippy::cast_precision_loss, reason = "no process has 2^53 bytes")]
    let megabytes = bytes as f64 / 1e6;
    Figure::rate(workload, jobs.into(), 1, took)
        .using(megabytes, "MB")
        .note(note)
}

async fn serve(
    folder: &Path,
    database: &str,
    roles: &str,
    slots: Option<&str>,
) -> Result<Server, Failure> {
    let mut flags = vec![
        "--listen",
        "127.0.0.1:0",
        "--roles",
        roles,
        "--database",
        database,
    ];
    if let Some(slots) = slots {
        flags.extend(["--slots", slots]);
    }
    Ok(Server::start(folder, flags).await?)
}

async fn accept(server: &Server, jobs: u32, bar: &ProgressBar) -> Result<(), Failure> {
    let client = Client::new(server.url())?;
    let job = EnqueueJob {
        queue: Some(QUEUE.to_owned()),
        // The one kind that a server of its own runs without calling anybody.
        ..EnqueueJob::new("simulate", baton_client::Json::from(&serde_json::json!({})))
    };
    let mut left = jobs;
    while left > 0 {
        let count = left.min(BATCH);
        client
            .enqueue_all(vec![job.clone(); count as usize])
            .await?;
        left -= count;
        bar.inc(count.into());
    }
    bar.finish_and_clear();
    Ok(())
}

async fn drain(server: &Server, jobs: u32, bar: &ProgressBar) -> Result<(), Failure> {
    let client = Client::new(server.url())?;
    let (mut last, mut last_move) = (0, Instant::now());
    loop {
        let queues = client.queues().await?;
        let queue = queues.into_iter().find(|queue| queue.name == QUEUE);
        let succeeded = queue.map_or(0, |queue| queue.succeeded);
        bar.set_position(succeeded);
        if succeeded >= u64::from(jobs) {
            bar.finish_and_clear();
            return Ok(());
        }
        if succeeded != last {
            (last, last_move) = (succeeded, Instant::now());
        }
        if last_move.elapsed() > STILL {
            return Err(Failure::new(format!(
                "nothing moves any more: {succeeded} of {jobs} jobs are done"
            ))
            .exit(Exit::TimedOut));
        }
        sleep(LOOK).await;
    }
}

fn peak(server: &Server) -> Result<u64, Failure> {
    peak_memory(server.process())
        .ok_or_else(|| Failure::new("this system does not tell how much memory a process has held"))
}
