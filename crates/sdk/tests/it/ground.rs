//! What each test stands on: a server, and programs of this build.

use std::{env, path::PathBuf, time::Duration};

use baton_sdk::{
    App, Error, JobId, Report, Worker,
    client::Job,
    testing::{Server, ServerOptions},
};
use tokio::{sync::oneshot, task::JoinHandle};

/// Long enough for whatever a test waits for.
pub const SOON: Duration = Duration::from_secs(30);

/// A server with leases that end soon.
pub async fn server() -> Server {
    server_of(Duration::from_secs(1)).await
}

/// The same with leases of this length.
pub async fn server_of(lease: Duration) -> Server {
    let options = ServerOptions {
        lease: Some(lease),
        program: Some(program("baton")),
        ..ServerOptions::default()
    };
    Server::start_with(options).await.unwrap()
}

/// A program of this build: tests are two folders below it.
pub fn program(name: &str) -> PathBuf {
    if let (Some(named), "baton") = (env::var_os("BATON_BIN"), name) {
        return named.into();
    }
    let test = env::current_exe().unwrap();
    let folder = test.ancestors().nth(2).unwrap();
    let program = folder.join(name);
    assert!(
        program.is_file(),
        "{} is not there: run `cargo build --workspace --all-targets` first",
        program.display()
    );
    program
}

/// A worker that runs beside a test.
pub struct Beside {
    stop: oneshot::Sender<()>,
    ended: JoinHandle<Result<Report, Error>>,
}

impl Beside {
    pub fn start(worker: Worker) -> Self {
        let (stop, stopped) = oneshot::channel();
        let until = async move {
            let _ = stopped.await;
        };
        Self {
            stop,
            ended: tokio::spawn(worker.run_until(until)),
        }
    }

    /// Tells it to stop, and waits until it has.
    pub async fn stop(self) -> Result<Report, Error> {
        let _ = self.stop.send(());
        self.ended.await.unwrap()
    }

    /// Waits until it has ended by itself.
    pub async fn ended(self) -> Result<Report, Error> {
        self.ended.await.unwrap()
    }
}

/// Waits until a job is as a test wants it.
pub async fn until(app: &App, id: JobId, is_so: impl Fn(&Job) -> bool) -> Job {
    let end = std::time::Instant::now() + SOON;
    loop {
        let job = app.client().job(id).await.unwrap();
        if is_so(&job) {
            return job;
        }
        assert!(std::time::Instant::now() < end, "{id} is {}", job.state);
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}
