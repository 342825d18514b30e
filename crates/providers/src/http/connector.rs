//! Opens connections, and only to addresses that the policy allows.

use std::{io, net::IpAddr, net::SocketAddr, sync::Arc, time::Duration};

use futures::{StreamExt, stream::FuturesUnordered};
use rustls::{ClientConfig, pki_types::ServerName};
use tokio::{
    net::TcpStream,
    time::{sleep, timeout},
};
use tokio_rustls::TlsConnector;
use url::{Host, Url};

use crate::policy::{Policy, Refused};

use super::{connection::Connection, resolver::Resolver};

/// How long one address of a name is waited for before the next one is tried as well.
const HEAD_START: Duration = Duration::from_millis(250);

/// Opens connections.
pub struct Connector {
    policy: Policy,
    resolver: Resolver,
    tls: TlsConnector,
    timeout: Duration,
}

/// Why there is no connection.
#[derive(Debug, thiserror::Error)]
pub enum NoConnection {
    #[error(transparent)]
    Refused(#[from] Refused),
    #[error("the name cannot be resolved: {0}")]
    Name(io::Error),
    #[error("the connection failed: {0}")]
    Broken(io::Error),
    #[error("the TLS handshake failed: {0}")]
    Tls(io::Error),
    #[error("the connection failed: it took too long")]
    TookTooLong,
}

impl Connector {
    /// `timeout` is for the whole way, from resolving the name to the end of the TLS handshake.
    pub fn new(policy: Policy, resolver: Resolver, tls: ClientConfig, timeout: Duration) -> Self {
        Self {
            policy,
            resolver,
            tls: TlsConnector::from(Arc::new(tls)),
            timeout,
        }
    }

    /// Opens a connection to the origin of a URL.
    pub async fn connect(&self, url: &Url) -> Result<Connection, NoConnection> {
        timeout(self.timeout, self.open(url))
            .await
            .map_err(|_| NoConnection::TookTooLong)?
    }

    async fn open(&self, url: &Url) -> Result<Connection, NoConnection> {
        let addresses = self.addresses(url).await.map_err(NoConnection::Name)?;
        // The connection goes to exactly these addresses, so a name that changes its mind between
        // check and connect gains nothing.
        self.policy
            .check_all(addresses.iter().map(SocketAddr::ip))?;
        let stream = reach(addresses).await.map_err(NoConnection::Broken)?;
        stream.set_nodelay(true).map_err(NoConnection::Broken)?;
        if url.scheme() == "http" {
            return Ok(Connection::over(stream));
        }
        let name = server_name(url).map_err(NoConnection::Tls)?;
        let stream = self.tls.connect(name, stream).await;
        Ok(Connection::over(stream.map_err(NoConnection::Tls)?))
    }

    async fn addresses(&self, url: &Url) -> io::Result<Vec<SocketAddr>> {
        let found = match url.host() {
            Some(Host::Ipv4(address)) => vec![IpAddr::V4(address)],
            Some(Host::Ipv6(address)) => vec![IpAddr::V6(address)],
            Some(Host::Domain(name)) => self.resolver.addresses(name).await?,
            None => Vec::new(),
        };
        if found.is_empty() {
            return Err(io::Error::other("the name has no address"));
        }
        let port = url.port_or_known_default().unwrap_or(0);
        let with_port = |address| SocketAddr::new(address, port);
        Ok(found.into_iter().map(with_port).collect())
    }
}

/// Connects to the first address that answers. One that is silent delays the next, and no more.
async fn reach(addresses: Vec<SocketAddr>) -> io::Result<TcpStream> {
    let mut waiting = addresses.into_iter();
    let mut trying = FuturesUnordered::new();
    let mut failure = io::Error::other("the name has no address");
    loop {
        trying.extend(waiting.next().map(TcpStream::connect));
        tokio::select! {
            tried = trying.next() => match tried {
                Some(Ok(stream)) => return Ok(stream),
                Some(Err(error)) => failure = error,
                None => return Err(failure),
            },
            () = sleep(HEAD_START), if waiting.len() > 0 => {}
        }
    }
}

fn server_name(url: &Url) -> io::Result<ServerName<'static>> {
    match url.host() {
        Some(Host::Ipv4(address)) => Ok(IpAddr::V4(address).into()),
        Some(Host::Ipv6(address)) => Ok(IpAddr::V6(address).into()),
        Some(Host::Domain(name)) => ServerName::try_from(name.to_owned()).map_err(io::Error::other),
        None => Err(io::Error::other("the URL names no host")),
    }
}
