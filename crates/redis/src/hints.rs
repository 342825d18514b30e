//! Hints on Redis: the port, word for word.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use baton_domain::{JobId, Timestamp, WorkerId};
use baton_ports::{
    Hint, Hints, Wakeup, Wakeups,
    hints::{HintIdentity, HintState, Result},
    store::Finding,
};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::{
    connection::Connection,
    findings,
    keys::Keys,
    options::{Options, UrlError},
    prober,
    script::{Scripts, call},
    view::View,
    waiters::Waiters,
    wakeups,
};

/// Hints on Redis.
pub struct RedisHints {
    inner: Arc<Inner>,
    stop: CancellationToken,
}

/// What all who speak with one Redis share.
pub struct Inner {
    pub connection: Connection,
    pub view: View,
    pub keys: Keys,
    pub scripts: Scripts,
    pub waiters: Waiters,
    /// This process, as others hear of it.
    pub node: Uuid,
    pub longest: u32,
}

impl RedisHints {
    /// Meets this Redis, and watches it until `stop` fires. One that is not to be reached is no error:
    /// it is away until it comes.
    pub async fn connect(
        options: Options,
        stop: CancellationToken,
    ) -> std::result::Result<Self, UrlError> {
        // An error means that a provider is installed already, and any is as good.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let inner = Arc::new(Inner {
            connection: Connection::new(&options)?,
            view: View::new(options.heal),
            keys: Keys::of(options.installation),
            scripts: Scripts::new(),
            waiters: Waiters::default(),
            node: Uuid::new_v4(),
            longest: options.longest,
        });
        prober::probe(&inner).await;
        tokio::spawn(prober::watch(inner.clone(), options.probe, stop.clone()));
        Ok(Self { inner, stop })
    }

    /// Relays the wake-ups of this process to the others that see this Redis, and those of theirs to it that
    /// are `heard` here, until it is stopped.
    pub fn relay(&self, wakeups: Arc<Wakeups>, heard: Vec<Wakeup>) {
        wakeups::start(self.inner.clone(), wakeups, heard, self.stop.clone());
    }

    /// What `baton doctor` says of this Redis; `now` is the store's time.
    pub async fn findings(&self, now: Timestamp) -> Vec<Finding> {
        findings::of(&self.inner, now).await
    }
}

#[async_trait]
impl Hints for RedisHints {
    fn kind(&self) -> &'static str {
        "redis"
    }

    fn state(&self) -> HintState {
        self.inner.view.state()
    }

    async fn offer(&self, hints: &[Hint]) -> Result<()> {
        self.inner.offer(hints).await
    }

    async fn take(
        &self,
        worker: WorkerId,
        queue: &str,
        limit: u32,
        wait: Duration,
    ) -> Result<Vec<JobId>> {
        self.inner.take(worker, queue, limit, wait).await
    }

    async fn drop_taken(&self, worker: WorkerId, hints: &[Hint]) -> Result<()> {
        self.inner.drop_taken(worker, hints).await
    }

    async fn trim(&self, queue: &str, count: u32) -> Result<()> {
        self.inner.trim(queue, count).await
    }

    async fn give_back(&self, worker: WorkerId) -> Result<u64> {
        self.inner.give_back(worker).await
    }

    async fn heartbeat(&self, worker: WorkerId, span: Duration) -> Result<()> {
        let inner = &self.inner;
        let (script, keys) = (
            &inner.scripts.heartbeat,
            [inner.keys.sentinel(), inner.keys.heartbeat(worker)],
        );
        let millis = u64::try_from(span.as_millis()).unwrap_or(u64::MAX).max(1);
        let command = |generation| {
            let mut command = call(script, &keys, Some(generation));
            command.arg(millis);
            command
        };
        inner.call::<u64>(script, command).await.map(|_| ())
    }

    async fn consumers(&self) -> Result<Vec<WorkerId>> {
        self.inner.consumers().await
    }

    async fn lengths(&self, queues: &[String]) -> Result<Vec<u64>> {
        let inner = &self.inner;
        let script = &inner.scripts.lengths;
        let command = |generation| {
            let lists = queues
                .iter()
                .map(|queue| inner.keys.ready(generation, queue));
            let keys: Vec<_> = [inner.keys.sentinel()].into_iter().chain(lists).collect();
            call(script, &keys, Some(generation))
        };
        inner.call(script, command).await
    }

    async fn look(&self) -> Result<HintIdentity> {
        self.inner.look().await
    }

    async fn build(&self, generation: i64, hints: &[Hint]) -> Result<()> {
        self.inner.build(generation, hints).await
    }

    async fn open(&self, generation: i64) -> Result<()> {
        self.inner.open(generation).await
    }
}
