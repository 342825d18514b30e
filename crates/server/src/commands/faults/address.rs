//! The address of a database, and the same database behind a proxy.

use std::net::SocketAddr;

use tokio::net::lookup_host;

use crate::exit::Failure;

/// A PostgreSQL database by its URL.
pub struct Database {
    /// Where its server is.
    pub addr: SocketAddr,
    /// `postgres://user:password@`
    before: String,
    /// `/name`
    path: String,
}

impl Database {
    /// Reads a URL, and finds out where its server is.
    pub async fn read(url: &str) -> Result<Self, Failure> {
        let (before, host, path) = parts(url).ok_or_else(bad)?;
        let with_port = if host.contains(':') {
            host.to_owned()
        } else {
            format!("{host}:5432")
        };
        let found = lookup_host(&with_port).await;
        let addr = found.ok().and_then(|mut found| found.next());
        let addr = addr
            .ok_or_else(|| Failure::usage(format!("the database's host {host} has no address")))?;
        Ok(Self {
            addr,
            before: before.to_owned(),
            path: path.to_owned(),
        })
    }

    /// The URL of the same database behind this address. Its line is not encrypted: a proxy could not
    /// tell where a COMMIT is.
    pub fn behind(&self, proxy: SocketAddr) -> String {
        let Self { before, path, .. } = self;
        format!("{before}{proxy}{path}?sslmode=disable")
    }
}

fn parts(url: &str) -> Option<(&str, &str, &str)> {
    let url = url.split('?').next()?;
    let scheme = ["postgres://", "postgresql://"]
        .into_iter()
        .find(|scheme| url.starts_with(scheme))?;
    let path = url[scheme.len()..].find('/')? + scheme.len();
    let host = url[..path].rfind('@').map_or(scheme.len(), |at| at + 1);
    Some((&url[..host], &url[host..path], &url[path..]))
}

fn bad() -> Failure {
    Failure::usage("--database is not the address of a PostgreSQL database")
        .then("One looks like postgres://user@host/name.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_database_behind_a_proxy_keeps_its_user_and_its_name() {
        let url = "postgres://me:pa@ss@127.0.0.1:5433/jobs?connect_timeout=5";

        let database = Database::read(url).await.unwrap();

        let proxy = SocketAddr::from(([127, 0, 0, 1], 4000));
        assert_eq!(database.addr.to_string(), "127.0.0.1:5433");
        assert_eq!(
            database.behind(proxy),
            "postgres://me:pa@ss@127.0.0.1:4000/jobs?sslmode=disable"
        );
    }

    #[tokio::test]
    async fn what_is_no_postgresql_is_refused() {
        for url in ["sqlite://x.db", "postgres://localhost", "localhost:5432/x"] {
            assert!(Database::read(url).await.is_err(), "{url}");
        }
    }
}
