//! What a thousand workers cost that have nothing to do: each waits in a claim, which stands for its beats.

use std::time::Duration;

use baton_client::Client;
use baton_domain::{Clock, LeaseId, WorkerId, time::SystemClock};
use baton_protocol::remote::{BeatWorker, ClaimJobs, Want};
use tokio::{task::JoinSet, time::sleep};

use super::ground::{self, Ground};
use crate::{
    commands::bench::{figure::Figure, handlers::NOOP, machine, session::Session},
    exit::Failure,
};

/// How many, unless fewer jobs are asked for.
const WORKERS: u32 = 1_000;
/// How long a claim waits, as those of the workers do.
const WAIT: Duration = Duration::from_secs(50);
/// For how many spans of a timed measurement they are looked at: a process that rests is counted by hundredths of a second.
const SPANS: u32 = 10;

pub async fn run(session: &mut Session<'_>, ground: &Ground) -> Result<(), Failure> {
    let (count, span) = (session.jobs(WORKERS).min(WORKERS), session.args.span);
    let bar = session.bar(count, "idle workers");
    let mut workers = JoinSet::new();
    for number in 1..=count {
        let (client, worker) = (ground.client.clone(), WorkerId::new(SystemClock.now()));
        client.register_worker(worker, &ground::whom(1)).await?;
        beat(&client, worker).await?;
        // Spread, as those of a fleet are: each span of the measurement has as many claims as any other.
        let first = WAIT * number / count;
        workers.spawn(claim(client, worker, first));
        bar.inc(1);
    }
    bar.finish_and_clear();
    // Until all of them wait.
    sleep(span).await;
    let process = ground.server.process();
    let before = machine::processor_time(process);
    sleep(span * SPANS).await;
    let used = machine::processor_time(process).zip(before);
    workers.abort_all();
    let Some((after, before)) = used else {
        return Err(Failure::new(
            "this system does not tell what a process uses",
        ));
    };
    let share = (after - before).as_secs_f64() / (span * SPANS).as_secs_f64();
    session.found(
        Figure::amount("remote_idle", count.into(), share * 100.0, "% of a core")
            .note("the server's process, while so many workers wait in a claim"),
    );
    Ok(())
}

async fn claim(client: Client, worker: WorkerId, first: Duration) {
    let mut wait = first;
    loop {
        let claim = ClaimJobs {
            wants: vec![Want {
                queue: NOOP.to_owned(),
                limit: 1,
                lease: LeaseId::random(),
            }],
            limit: 1,
            wait,
            max_bytes: None,
            repeat: 0,
        };
        wait = WAIT;
        if client.claim_jobs(worker, &claim).await.is_err() {
            sleep(Duration::from_secs(1)).await;
        }
    }
}

/// Says that it has nothing to do, as a worker does before it leaves the rest to its claims.
async fn beat(client: &Client, worker: WorkerId) -> Result<(), Failure> {
    let beat = BeatWorker {
        free: 1,
        ..BeatWorker::default()
    };
    client.beat_worker(worker, &beat).await?;
    Ok(())
}
