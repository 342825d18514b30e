//! Which Redis, and how long it may take.

use std::time::Duration;

use redis::{
    Client, ConnectionAddr, IntoConnectionInfo,
    io::tcp::{TcpSettings, socket2::TcpKeepalive},
};
use uuid::Uuid;

/// A silent line is asked after this time whether it is still there.
const KEEPALIVE: Duration = Duration::from_secs(10);

/// Which Redis, and how long it may take.
#[derive(Clone)]
pub struct Options {
    /// `redis://[user:password@]host:port[/db]`, `rediss://` with TLS, or `unix://path`.
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
     write redis://host:6379, rediss://user:password@host:6379/0 or unix:///path/of/socket"
)]
pub struct UrlError(String);

/// A client for this URL, and its address without anything secret.
pub fn client(url: &str) -> Result<(Client, String), UrlError> {
    let refused = |error: redis::RedisError| UrlError(error.to_string());
    let info = url.into_connection_info().map_err(refused)?;
    let address = match info.addr() {
        ConnectionAddr::Tcp(host, port) | ConnectionAddr::TcpTls { host, port, .. } => {
            format!("{host}:{port}")
        }
        other => other.to_string(),
    };
    let keepalive = TcpKeepalive::new()
        .with_time(KEEPALIVE)
        .with_interval(KEEPALIVE);
    let tcp = TcpSettings::default()
        .set_nodelay(true)
        .set_keepalive(keepalive);
    let client = Client::open(info.set_tcp_settings(tcp)).map_err(refused)?;
    Ok((client, address))
}
