//! The rough part: a worker's process that is killed, frozen and cut off again and again, and nothing is lost.

use std::{
    process::{Child, Command, Stdio},
    time::Duration,
};

use baton_sdk::{client::JobsQuery, testing::Server};
use baton_testkit::proxy::{Options, Protocol, Proxy, Upstream};
use futures::TryStreamExt;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;

use crate::ground::{SOON, program, server};

const JOBS: u64 = 5_000;
const KILLS: u64 = 5;
const FREEZES: u64 = 2;
const CUTS: u64 = 50;

#[tokio::test]
async fn jobs_outlive_five_kills_two_freezes_and_fifty_cuts_of_their_worker() {
    let server = server().await;
    let proxy = Proxy::start(Options {
        upstream: Upstream::Tcp(server.address()),
        protocol: Protocol::Bytes,
        seed: 1,
    });
    let proxy = proxy.await.unwrap();
    let job = server.app().job::<u64>("rough");
    let orders = (0..JOBS).map(|number| job.args(&number).key(format!("rough-{number}")));
    let orders: Vec<_> = orders.collect();
    server.app().enqueue_many(orders).await.unwrap();

    let mut worker = Worker::start(&proxy);
    for step in 1..=KILLS + FREEZES {
        for cut in 0..CUTS / (KILLS + FREEZES) {
            done(&server, step * 600 + cut * 60).await;
            cut_lines(&proxy).await;
        }
        match step % 3 {
            0 => {
                worker
                    .freeze_until_its_jobs_run_elsewhere(&server, &proxy)
                    .await;
            }
            _ => worker = Worker::start(&proxy),
        }
    }
    cut_lines(&proxy).await;

    server.quiet(2 * SOON).await.unwrap();
    let jobs = server.client().jobs(JobsQuery {
        kind: Some("rough".to_owned()),
        limit: Some(500),
        ..JobsQuery::default()
    });
    let jobs: Vec<_> = jobs.try_concat().await.unwrap();
    let failed: Vec<_> = jobs
        .iter()
        .filter(|job| job.state.to_string() != "succeeded")
        .collect();
    assert!(failed.is_empty(), "{failed:?}");
    assert_eq!(jobs.len() as u64, JOBS);
    for job in jobs {
        // What stands is what the attempt said that the job itself counts as its last: nothing stale.
        let result: serde_json::Value = serde_json::from_str(job.result.unwrap().as_str()).unwrap();
        let number: u64 = job.payload.as_str().parse().unwrap();
        assert_eq!(result, json!({"n": number, "attempt": job.attempt}));
    }
}

/// A worker's process behind a proxy. It is killed when this is dropped.
struct Worker(Child);

impl Worker {
    fn start(proxy: &Proxy) -> Self {
        let mut command = Command::new(program("examples/rough"));
        command.env("BATON_URL", format!("http://{}", proxy.addr()));
        Self(command.stdin(Stdio::null()).spawn().unwrap())
    }

    /// Goes on once its leases have ended, while another works.
    async fn freeze_until_its_jobs_run_elsewhere(&self, server: &Server, proxy: &Proxy) {
        let id = Pid::from_raw(self.0.id().cast_signed()).unwrap();
        kill_process(id, Signal::STOP).unwrap();
        let _other = Self::start(proxy);
        let process = format!(":{}", self.0.id());
        until("nothing runs at a frozen worker", async || {
            !runs_at(server, &process).await
        })
        .await;
        kill_process(id, Signal::CONT).unwrap();
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Cuts all lines, once there are any.
async fn cut_lines(proxy: &Proxy) {
    let before = proxy.counts().cut_all;
    until("a line is cut", async || {
        proxy.cut_all();
        tokio::time::sleep(Duration::from_millis(5)).await;
        proxy.counts().cut_all > before
    })
    .await;
}

/// Waits until so many are done, or all.
async fn done(server: &Server, jobs: u64) {
    until("so many are done", async || {
        let queues = server.client().queues().await.unwrap();
        let queue = queues.iter().find(|queue| queue.name == "rough").unwrap();
        queue.succeeded >= jobs.min(JOBS)
    })
    .await;
}

/// Whether a job stands with the worker whose name ends like this.
async fn runs_at(server: &Server, process: &str) -> bool {
    let workers = server.client().workers().await.unwrap();
    let worker = workers.iter().find(|one| one.name.ends_with(process));
    let worker = worker.unwrap().id;
    let running = server.client().jobs(JobsQuery {
        kind: Some("rough".to_owned()),
        state: "running".parse().ok(),
        limit: Some(500),
        ..JobsQuery::default()
    });
    let running: Vec<_> = running.try_concat().await.unwrap();
    running.iter().any(|job| job.worker == Some(worker))
}

async fn until(what: &str, mut is_so: impl AsyncFnMut() -> bool) {
    let end = std::time::Instant::now() + 2 * SOON;
    while !is_so().await {
        assert!(std::time::Instant::now() < end, "not within time: {what}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}
