//! How a worker ends: told to, not wanted, or held by handlers that cannot be stopped.

use std::{
    process::{Child, Command, ExitStatus, Stdio},
    thread,
    time::{Duration, Instant},
};

use baton_sdk::{App, Context, Error, JobError, testing::Server};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;

use crate::ground::{Beside, SOON, program, server, server_of, until};

/// The worker of the conformance suite, as a process.
struct Process(Child);

impl Process {
    fn start(server: &Server, slots: u32) -> Self {
        let mut command = Command::new(program("examples/conformance"));
        command.env("BATON_URL", server.url());
        command.env("BATON_SLOTS", slots.to_string());
        command.env("BATON_GRACE", "1s");
        Self(command.stdin(Stdio::null()).spawn().unwrap())
    }

    fn signal(&self, signal: Signal) {
        let id = Pid::from_raw(self.0.id().cast_signed()).unwrap();
        kill_process(id, signal).unwrap();
    }

    fn ended(&mut self) -> ExitStatus {
        let end = Instant::now() + SOON;
        loop {
            if let Some(status) = self.0.try_wait().unwrap() {
                return status;
            }
            assert!(Instant::now() < end, "the worker does not end");
            thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[tokio::test]
async fn a_worker_that_is_told_to_stop_lets_what_runs_end_and_says_goodbye() {
    let server = server().await;
    let job = server.app().job::<u64>("sleep").returns::<bool>();
    let handler = |_: u64, ctx: Context| async move {
        ctx.stopping().await;
        Ok(ctx.is_stopping())
    };
    let worker = Beside::start(server.app().worker().handle(&job, handler));
    let handle = job.args(&1).enqueue().await.unwrap();
    until(&server.app(), handle.id(), |job| {
        job.state.to_string() == "running"
    })
    .await;

    let report = worker.stop().await.unwrap();

    assert_eq!((report.finished, report.left), (1, 0));
    assert!(handle.result(SOON).await.unwrap());
}

#[tokio::test]
async fn a_process_ends_with_0_after_one_signal_and_with_130_after_two() {
    let server = server().await;
    let job = server.app().job::<serde_json::Value>("conformance");
    let (mut once, mut twice) = (Process::start(&server, 1), Process::start(&server, 1));
    let sleeps = (0..2).map(|_| job.args(&json!({"do": "sleep", "ms": 600_000})));
    for handle in server
        .app()
        .enqueue_many(sleeps.collect::<Vec<_>>())
        .await
        .unwrap()
    {
        until(&server.app(), handle.id(), |job| {
            job.state.to_string() == "running"
        })
        .await;
    }

    once.signal(Signal::TERM);
    twice.signal(Signal::TERM);
    // Two signals at once are one; it takes the second as soon as it has heard the first.
    let code = loop {
        twice.signal(Signal::TERM);
        match twice.0.try_wait().unwrap() {
            Some(status) => break status.code(),
            None => thread::sleep(Duration::from_millis(10)),
        }
    };

    assert_eq!(code, Some(130));
    assert_eq!(once.ended().code(), Some(0));
}

#[tokio::test]
async fn a_handler_that_blocks_keeps_its_lease_and_ends_the_process_once_its_time_is_over() {
    // Longer than a beat can be late on a machine that does much else.
    let lease = Duration::from_secs(4);
    let server = server_of(lease).await;
    let job = server.app().job::<serde_json::Value>("conformance");
    let mut process = Process::start(&server, 1);

    let order = job.args(&json!({"do": "block", "ms": 600_000}));
    let order = order.timeout(3 * lease).max_attempts(1);
    let handle = order.enqueue().await.unwrap();

    // Three leases long it blocks all handlers, and the job stays its own.
    let ended = until(&server.app(), handle.id(), |job| job.state.is_terminal()).await;
    assert_eq!(ended.last_error.unwrap().code, "timeout");
    assert_eq!(process.ended().code(), Some(70));
}

#[tokio::test]
async fn a_process_that_is_told_to_stop_ends_although_a_handler_blocks_it() {
    let server = server().await;
    let job = server.app().job::<serde_json::Value>("conformance");
    let mut process = Process::start(&server, 4);
    let order = job.args(&json!({"do": "block", "ms": 600_000}));
    let handle = order
        .timeout(Duration::from_mins(5))
        .enqueue()
        .await
        .unwrap();
    until(&server.app(), handle.id(), |job| {
        job.state.to_string() == "running"
    })
    .await;

    process.signal(Signal::TERM);

    assert_eq!(process.ended().code(), Some(0));
}

#[tokio::test]
async fn a_worker_without_a_handler_or_with_two_for_a_kind_does_not_start() {
    let app = App::new("http://127.0.0.1:1").unwrap();
    let job = app.job::<u64>("twice");
    let handler = |_: u64, _: Context| async { Ok::<_, JobError>(()) };

    let none = app.worker().run_until(std::future::pending()).await;
    let two = app.worker().handle(&job, handler).handle(&job, handler);
    let two = two.run_until(std::future::pending()).await;

    assert!(matches!(none, Err(Error::Worker(_))), "{none:?}");
    assert!(matches!(two, Err(Error::Worker(_))), "{two:?}");
}

#[tokio::test]
async fn a_worker_of_a_kind_that_the_server_does_itself_is_not_wanted() {
    let server = server().await;
    let job = server.app().job::<u64>("http");
    let handler = |_: u64, _: Context| async { Ok(()) };

    let ended = Beside::start(server.app().worker().handle(&job, handler))
        .ended()
        .await;

    assert!(matches!(ended, Err(Error::NotWanted(_))), "{ended:?}");
}
