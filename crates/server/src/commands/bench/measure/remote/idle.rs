//! What a thousand workers cost that have nothing to do: each waits in a claim, and in a beat beside it.

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

const WORKERS: u32 = 1_000;
/// How long they are looked at.
const SPAN: Duration = Duration::from_secs(40);
/// How long it takes until all of them wait.
const SETTLING: Duration = Duration::from_secs(5);

pub async fn run(session: &mut Session<'_>, ground: &Ground) -> Result<(), Failure> {
    let bar = session.bar(WORKERS, "idle workers");
    let mut workers = JoinSet::new();
    for _ in 0..WORKERS {
        let (client, worker) = (ground.client.clone(), WorkerId::new(SystemClock.now()));
        client.register_worker(worker, &ground::whom(1)).await?;
        workers.spawn(claim(client.clone(), worker));
        workers.spawn(beat(client, worker));
        bar.inc(1);
    }
    bar.finish_and_clear();
    sleep(SETTLING).await;
    let process = ground.server.process();
    let before = machine::processor_time(process);
    sleep(SPAN).await;
    let used = machine::processor_time(process).zip(before);
    workers.abort_all();
    let Some((after, before)) = used else {
        return Err(Failure::new(
            "this system does not tell what a process uses",
        ));
    };
    let share = (after - before).as_secs_f64() / SPAN.as_secs_f64();
    session.found(
        Figure::amount("remote_idle", WORKERS.into(), share * 100.0, "% of a core")
            .note("the server's process, while so many workers wait in a claim and in a beat"),
    );
    Ok(())
}

async fn claim(client: Client, worker: WorkerId) {
    loop {
        let claim = ClaimJobs {
            wants: vec![Want {
                queue: NOOP.to_owned(),
                limit: 1,
                lease: LeaseId::random(),
            }],
            limit: 1,
            wait: Duration::from_secs(15),
            max_bytes: None,
            repeat: 0,
        };
        if client.claim_jobs(worker, &claim).await.is_err() {
            sleep(Duration::from_secs(1)).await;
        }
    }
}

async fn beat(client: Client, worker: WorkerId) {
    loop {
        let beat = BeatWorker {
            wait: Duration::from_secs(10),
            running: 0,
            free: 1,
            asked_ago: Some(Duration::ZERO),
            draining: false,
            heard: Vec::new(),
            progress: Vec::new(),
        };
        if client.beat_worker(worker, &beat).await.is_err() {
            sleep(Duration::from_secs(1)).await;
        }
    }
}
