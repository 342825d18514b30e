//! What remote workers are measured on: a server in another process, over a database of its own.

use std::{ffi::OsStr, sync::Arc};

use baton_client::{Client, EnqueueJob, Json};
use baton_domain::{
    Clock, WorkerId,
    access::KeyToken,
    time::{StoreClock, SystemClock},
};
use baton_faults::Server;
use baton_ports::{Handler, Wakeups};
use baton_protocol::remote::{PROTOCOL, RegisterWorker};
use baton_remote::{RemoteSource, Until};
use baton_sql::bench::Scratch;
use baton_worker::{Config, SlotsConfig, Worker};
use indicatif::ProgressBar;

use crate::{
    commands::bench::{
        handlers::NOOP,
        keyed::Keyed,
        load::{self, BATCH},
        session::Session,
    },
    exit::Failure,
};

/// A thousand workers wait on two connections each, all from this machine.
const MANY_CONNECTIONS: &str = "[server]\nconnections = 5000\nconnections_per_address = 5000\n";

/// A server in another process, over a database of its own.
pub struct Ground {
    scratch: Scratch,
    pub server: Server,
    pub client: Client,
    /// What lets somebody in.
    pub token: KeyToken,
    /// How many of its jobs have succeeded.
    pub done: u64,
}

impl Ground {
    pub async fn make(session: &Session<'_>) -> Result<Self, Failure> {
        let scratch = session.ground.scratch().await?;
        let config = session.ground.folder().join("remote.toml");
        let written = std::fs::write(&config, MANY_CONNECTIONS);
        written.map_err(|error| {
            Failure::new(format!("{} cannot be written: {error}", config.display()))
        })?;
        let flags = [OsStr::new("--config"), config.as_os_str()];
        let Keyed {
            server,
            client,
            token,
        } = Keyed::start(session, scratch.url(), flags).await?;
        Ok(Self {
            scratch,
            server,
            client,
            token,
            done: 0,
        })
    }

    pub async fn give_up(self, session: &Session<'_>) -> Result<(), Failure> {
        self.server.stop().await?;
        session.ground.give_up(&self.scratch).await
    }

    /// Enqueues so many jobs that do nothing, a batch at a time.
    pub async fn fill(&self, jobs: u32, bar: &ProgressBar) -> Result<(), Failure> {
        let mut left = jobs;
        while left > 0 {
            let count = left.min(BATCH);
            let batch = vec![noop(); count as usize];
            self.client.enqueue_all(batch).await?;
            left -= count;
            bar.inc(count.into());
        }
        Ok(())
    }

    /// How many jobs of the queue have succeeded, as the server has counted.
    pub async fn succeeded(&self) -> Result<u64, Failure> {
        let queues = self.client.queues().await?;
        let queue = queues.iter().find(|queue| queue.name == NOOP);
        Ok(queue.map_or(0, |queue| queue.succeeded))
    }

    /// A worker with so many slots that gets its jobs over HTTP.
    pub async fn worker(&self, slots: u32, handler: Arc<dyn Handler>) -> Result<Worker, Failure> {
        let clock: Arc<dyn Clock> = Arc::new(StoreClock::<_>::starting_at(SystemClock.now()));
        let (id, wakeups) = (WorkerId::new(clock.now()), Arc::new(Wakeups::default()));
        let source = RemoteSource::register(
            vec![self.client.clone()],
            id,
            whom(slots),
            Arc::clone(&wakeups),
            Until::default(),
        );
        let source = source.await?;
        let config = Config {
            lease: source.lease(),
            slots: SlotsConfig {
                default: slots,
                ..SlotsConfig::default()
            },
            max_running: slots,
            prefetch: slots,
            ..Config::new(id, "bench", env!("CARGO_PKG_VERSION"))
        };
        let source = Arc::new(source);
        Ok(Worker::over(source, wakeups, clock, vec![handler], config))
    }
}

/// Who works here.
pub fn whom(slots: u32) -> RegisterWorker {
    RegisterWorker {
        protocol: PROTOCOL,
        name: "bench".to_owned(),
        sdk: concat!("baton/", env!("CARGO_PKG_VERSION")).to_owned(),
        version: None,
        kinds: vec![NOOP.to_owned()],
        queues: Vec::new(),
        slots,
        labels: std::collections::BTreeMap::new(),
    }
}

/// A job that does nothing, of a kind that no server knows.
pub fn noop() -> EnqueueJob {
    EnqueueJob::new(NOOP, Json::from(&load::payload()))
}
