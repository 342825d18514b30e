//! What the server tells the API.

use std::{fmt, sync::Arc, time::Duration};

use baton_domain::access::{Actor, Permissions};
use baton_engine::Streams;
use ipnet::IpNet;
use tokio_util::sync::CancellationToken;

use crate::Doors;

/// Writes the metrics as Prometheus text.
#[derive(Clone)]
pub struct Metrics(Arc<dyn Fn() -> String + Send + Sync>);

impl Metrics {
    /// Metrics that `write` writes.
    #[must_use]
    pub fn new(write: impl Fn() -> String + Send + Sync + 'static) -> Self {
        Self(Arc::new(write))
    }

    pub(crate) fn text(&self) -> String {
        (self.0)()
    }
}

impl fmt::Debug for Metrics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Metrics")
    }
}

/// Who may do anything at all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Access {
    /// Whoever reaches the address acts as this one.
    Open(Arc<Actor>),
    /// The same, until there is anybody who can say who they are.
    OpenUntilSetUp(Arc<Actor>),
    /// Whoever asks says who they are, by an API key or a session.
    Required,
}

/// What the server tells the API.
#[derive(Debug, Clone)]
pub struct Options {
    /// Who may do anything at all.
    pub access: Access,
    /// The proxies whose word counts about where a request comes from, and whether it came over TLS.
    pub trusted_proxies: Vec<IpNet>,
    /// The names and addresses it answers under beside those of loopback, without ports.
    pub hosts: Vec<String>,
    /// Where `/metrics` takes its text from.
    pub metrics: Metrics,
    /// Ends the event streams.
    pub stop: CancellationToken,
    /// How long a request may take; a stream's answer has begun long before.
    pub timeout: Duration,
    /// The event streams, shared with whoever else streams out of this process.
    pub streams: Arc<Streams>,
    /// How many batches can be worked at at once; those that still come in share twice the memory.
    pub batches: usize,
    /// How many imports can write at once; sixteen times as many can come in.
    pub imports: usize,
    /// What tests of users move; nothing but on a server for tests.
    pub doors: Option<Doors>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            access: Access::Open(Arc::new(Actor {
                permissions: Permissions::ALL,
                ..Actor::anonymous()
            })),
            trusted_proxies: Vec::new(),
            hosts: Vec::new(),
            metrics: Metrics::new(String::new),
            stop: CancellationToken::new(),
            timeout: Duration::from_secs(30),
            streams: Streams::new(256),
            batches: 4,
            imports: 2,
            doors: None,
        }
    }
}
