//! Which Redis, and how long it may take.

use std::time::Duration;

use redis::{
    ConnectionAddr, ConnectionInfo, IntoConnectionInfo,
    io::tcp::{TcpSettings, socket2::TcpKeepalive},
};
use uuid::Uuid;

/// A silent line is asked after this time whether it is still there.
const KEEPALIVE: Duration = Duration::from_secs(10);

/// Which Redis, and how long it may take.
#[derive(Clone)]
pub struct Options {
    /// `redis://[user:password@]host:port[/db]`, `rediss://` with TLS, `unix://path`, or
    /// `redis+sentinel://[user:password@]host:port,host:port/service[/db]`.
    pub url: String,
    /// Several installations share one Redis: each sees its own keys only.
    pub installation: Uuid,
    /// How long connecting may take.
    pub connect: Duration,
    /// How long an answer may take.
    pub command: Duration,
    /// How often it is asked whether it is well.
    pub probe: Duration,
    /// How long it has to be well before it is used again.
    pub heal: Duration,
    /// How many hints a queue has at most; the store knows the rest.
    pub longest: u32,
}

impl Options {
    /// The usual patience with this Redis.
    #[must_use]
    pub fn new(url: impl Into<String>, installation: Uuid) -> Self {
        Self {
            url: url.into(),
            installation,
            connect: Duration::from_millis(500),
            command: Duration::from_millis(300),
            probe: Duration::from_millis(250),
            heal: Duration::from_secs(10),
            longest: 1_000_000,
        }
    }
}

/// Why a URL cannot be that of a Redis.
#[derive(Debug, thiserror::Error)]
#[error(
    "the URL of Redis cannot be read ({0}), so there is nothing to connect to: \
     write redis://host:6379, rediss://user:password@host:6379/0, unix:///path/of/socket, or with Sentinels \
     redis+sentinel://host:26379,host:26379/service"
)]
pub struct UrlError(String);

impl UrlError {
    pub(crate) fn of_sentinels(why: &str) -> Self {
        Self(why.to_owned())
    }
}

impl From<redis::RedisError> for UrlError {
    fn from(error: redis::RedisError) -> Self {
        Self(error.to_string())
    }
}

/// What a URL says, with lines that are asked whether they are still there.
pub fn tuned(url: &str) -> Result<ConnectionInfo, UrlError> {
    let info = url.into_connection_info()?;
    let keepalive = TcpKeepalive::new()
        .with_time(KEEPALIVE)
        .with_interval(KEEPALIVE);
    let tcp = TcpSettings::default()
        .set_nodelay(true)
        .set_keepalive(keepalive);
    Ok(info.set_tcp_settings(tcp))
}

/// Its address without anything secret.
pub fn address(info: &ConnectionInfo) -> String {
    match info.addr() {
        ConnectionAddr::Tcp(host, port) | ConnectionAddr::TcpTls { host, port, .. } => {
            format!("{host}:{port}")
        }
        other => other.to_string(),
    }
}
