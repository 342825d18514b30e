//! The address of a database or a Redis, and the same one behind a line that breaks.

use std::net::SocketAddr;

use baton_lab::proxy::{Options, Protocol, Proxy, Upstream};
use tokio::net::lookup_host;

use crate::Failure;

/// What an address is of.
#[derive(Debug, Clone, Copy)]
pub struct Kind {
    schemes: &'static [&'static str],
    port: u16,
    /// What a line to it carries.
    protocol: Protocol,
    /// What its URL ends with behind a proxy. That line is not encrypted: a proxy could not tell what it
    /// carries.
    suffix: &'static str,
    /// What to say of anything else.
    refusal: (&'static str, &'static str),
}

pub const POSTGRES: Kind = Kind {
    schemes: &["postgres://", "postgresql://"],
    port: 5432,
    protocol: Protocol::Postgres,
    suffix: "?sslmode=disable",
    refusal: NO_DATABASE,
};

pub const MYSQL: Kind = Kind {
    schemes: &["mysql://", "mariadb://"],
    port: 3306,
    protocol: Protocol::Mysql,
    suffix: "?sslmode=disable",
    refusal: NO_DATABASE,
};

const NO_DATABASE: (&str, &str) = (
    "--database is not the address of a PostgreSQL or MySQL database",
    "One looks like postgres://user@host/name or mysql://user@host/name.",
);

pub const REDIS: Kind = Kind {
    schemes: &["redis://"],
    port: 6379,
    protocol: Protocol::Redis,
    suffix: "",
    refusal: (
        "--redis is not the address of a Redis that speaks without TLS",
        "One looks like redis://:password@host:6379/0.",
    ),
};

/// Where a server is, by its URL.
#[derive(Debug)]
pub struct Address {
    pub addr: SocketAddr,
    kind: Kind,
    /// `postgres://user:password@`
    before: String,
    /// `/name`
    path: String,
}

impl Address {
    /// Reads a URL, and finds out where its server is.
    pub async fn read(url: &str, kind: Kind) -> Result<Self, Failure> {
        let refused = || Failure::usage(kind.refusal.0).then(kind.refusal.1);
        let (before, host, path) = parts(url, kind).ok_or_else(refused)?;
        let with_port = if host.contains(':') {
            host.to_owned()
        } else {
            format!("{host}:{}", kind.port)
        };
        let found = lookup_host(&with_port).await;
        let addr = found.ok().and_then(|mut found| found.next());
        let addr = addr.ok_or_else(|| {
            Failure::usage(format!(
                "the host {host} of {} has no address",
                kind.schemes[0]
            ))
        })?;
        Ok(Self {
            addr,
            kind,
            before: before.to_owned(),
            path: path.to_owned(),
        })
    }

    /// Reads the URL of a database of either kind.
    pub async fn of_database(url: &str) -> Result<Self, Failure> {
        let mut schemes = MYSQL.schemes.iter();
        let is_mysql = schemes.any(|scheme| url.starts_with(scheme));
        Self::read(url, if is_mysql { MYSQL } else { POSTGRES }).await
    }

    /// A line to it, in whole until it is hurt.
    pub async fn line(&self, seed: u64) -> Result<Proxy, Failure> {
        line(self.addr, self.kind.protocol, seed).await
    }

    /// The URL of the same behind this address.
    #[must_use]
    pub fn behind(&self, proxy: SocketAddr) -> String {
        let Self {
            kind, before, path, ..
        } = self;
        format!("{before}{proxy}{path}{}", kind.suffix)
    }

    /// User and password, as they are written.
    #[must_use]
    pub fn login(&self) -> Option<(&str, &str)> {
        let login = self.before.split_once("://")?.1.strip_suffix('@')?;
        Some(login.split_once(':').unwrap_or((login, "")))
    }

    /// What stands behind the host's slash.
    #[must_use]
    pub fn name(&self) -> &str {
        self.path.trim_matches('/')
    }
}

/// A line to a server, in whole until it is hurt.
pub async fn line(addr: SocketAddr, protocol: Protocol, seed: u64) -> Result<Proxy, Failure> {
    let options = Options {
        upstream: Upstream::Tcp(addr),
        protocol,
        seed,
    };
    let started = Proxy::start(options).await;
    started.map_err(|error| Failure::new(format!("no port for a proxy can be opened: {error}")))
}

fn parts(url: &str, kind: Kind) -> Option<(&str, &str, &str)> {
    let url = url.split('?').next()?;
    let mut schemes = kind.schemes.iter();
    let scheme = schemes.find(|scheme| url.starts_with(**scheme))?;
    let login = url.rfind('@').map_or(scheme.len(), |at| at + 1);
    let path = url[login..].find('/').map_or(url.len(), |at| login + at);
    let is_named = path < url.len() || kind.suffix.is_empty();
    let is_somewhere = login < path;
    (is_named && is_somewhere).then(|| (&url[..login], &url[login..path], &url[path..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROXY: SocketAddr =
        SocketAddr::new(std::net::IpAddr::V4(std::net::Ipv4Addr::LOCALHOST), 4000);

    #[tokio::test]
    async fn a_database_behind_a_proxy_keeps_its_user_and_its_name() {
        for scheme in ["postgres", "mysql"] {
            let url = format!("{scheme}://me:pa@ss@127.0.0.1:5433/jobs?connect_timeout=5");

            let database = Address::of_database(&url).await.unwrap();

            assert_eq!(database.addr.to_string(), "127.0.0.1:5433");
            assert_eq!(
                database.behind(PROXY),
                format!("{scheme}://me:pa@ss@127.0.0.1:4000/jobs?sslmode=disable")
            );
        }
    }

    #[tokio::test]
    async fn a_database_is_known_by_its_scheme() {
        for (url, port, protocol) in [
            ("postgres://127.0.0.1/jobs", 5432, Protocol::Postgres),
            ("mysql://127.0.0.1/jobs", 3306, Protocol::Mysql),
            ("mariadb://127.0.0.1/jobs", 3306, Protocol::Mysql),
        ] {
            let database = Address::of_database(url).await.unwrap();

            assert_eq!(database.addr.port(), port, "{url}");
            assert_eq!(database.kind.protocol, protocol, "{url}");
        }
    }

    #[tokio::test]
    async fn a_redis_behind_a_proxy_keeps_its_password_and_its_number() {
        let whole = Address::read("redis://:secret@127.0.0.1:6380/2", REDIS)
            .await
            .unwrap();
        let bare = Address::read("redis://127.0.0.1", REDIS).await.unwrap();

        assert_eq!(whole.behind(PROXY), "redis://:secret@127.0.0.1:4000/2");
        assert_eq!((whole.login(), whole.name()), (Some(("", "secret")), "2"));
        assert_eq!(bare.addr.to_string(), "127.0.0.1:6379");
        assert_eq!(bare.behind(PROXY), "redis://127.0.0.1:4000");
        assert_eq!((bare.login(), bare.name()), (None, ""));
    }

    #[tokio::test]
    async fn what_is_of_another_kind_is_refused() {
        for url in ["sqlite://x.db", "postgres://localhost", "localhost:5432/x"] {
            assert!(Address::of_database(url).await.is_err(), "{url}");
        }
        for url in ["rediss://localhost", "redis://", "localhost:6379"] {
            assert!(Address::read(url, REDIS).await.is_err(), "{url}");
        }
    }
}
