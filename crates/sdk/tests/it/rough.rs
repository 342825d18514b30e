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
    let job = server.app().job::<serde_json::Value>("conformance");
    let orders = (0..JOBS).map(|number| {
        let order = job.args(&json!({"do": "sleep", "ms": 5}));
        order.key(format!("rough-{number}"))
    });
    let orders: Vec<_> = orders.collect();
    server.app().enqueue_many(orders).await.unwrap();

    let mut worker = Worker::start(&proxy);
    for step in 1..=KILLS + FREEZES {
        for cut in 0..CUTS / (KILLS + FREEZES) {
            done(&server, step * 600 + cut * 60).await;
            proxy.cut_all();
        }
        match step % 3 {
            0 => worker.freeze(Duration::from_millis(2_500)).await,
            _ => worker = Worker::start(&proxy),
        }
    }

    server.quiet(2 * SOON).await.unwrap();
    let jobs = server.client().jobs(JobsQuery {
        kind: Some("conformance".to_owned()),
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
}

/// A worker's process behind a proxy. It is killed when this is dropped.
struct Worker(Child);

impl Worker {
    fn start(proxy: &Proxy) -> Self {
        let mut command = Command::new(program("examples/conformance"));
        command.env("BATON_URL", format!("http://{}", proxy.addr()));
        command.env("BATON_SLOTS", "8");
        Self(command.stdin(Stdio::null()).spawn().unwrap())
    }

    async fn freeze(&self, span: Duration) {
        let id = Pid::from_raw(self.0.id().cast_signed()).unwrap();
        kill_process(id, Signal::STOP).unwrap();
        tokio::time::sleep(span).await;
        kill_process(id, Signal::CONT).unwrap();
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Waits until so many are done, or all.
async fn done(server: &Server, jobs: u64) {
    let end = std::time::Instant::now() + 2 * SOON;
    loop {
        let queues = server.client().queues().await.unwrap();
        let queue = queues
            .iter()
            .find(|queue| queue.name == "conformance")
            .unwrap();
        if queue.succeeded >= jobs.min(JOBS) {
            return;
        }
        assert!(
            std::time::Instant::now() < end,
            "{} of {jobs} are done",
            queue.succeeded
        );
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}
