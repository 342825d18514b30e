//! Where a PostgreSQL is, and how it is connected to: a URL as libpq knows it.

mod mysql;

use std::{net::IpAddr, time::Duration};

use tokio_postgres::{
    Client, Config, Connection, Error, Socket,
    config::{Host, TargetSessionAttrs},
    tls::MakeTlsConnect,
};
use tokio_postgres_rustls::MakeRustlsConnect;
use url::form_urlencoded;

pub use mysql::MysqlAddress;

use crate::tls::{self, Guard};

/// How long one host may take to be reached where there is only one, and where there are more.
const ONE_HOST: Duration = Duration::from_secs(5);
const OF_SEVERAL: Duration = Duration::from_secs(2);

/// A PostgreSQL server, or several of which one takes writes.
#[derive(Clone)]
pub struct Address {
    config: Config,
    guard: Guard,
    tls: MakeRustlsConnect,
    /// Why somebody on the way could read or change what is said, if so.
    exposure: Option<String>,
}

impl Address {
    /// Reads a URL.
    pub fn read(url: &str) -> Result<Self, String> {
        let (plain, guard) = Guard::take_from(url)?;
        let mut config: Config = plain.parse().map_err(|error| bad(&error))?;
        config.ssl_mode(guard.mode());
        if config.get_connect_timeout().is_none() {
            let is_one = config.get_hosts().len() <= 1;
            config.connect_timeout(if is_one { ONE_HOST } else { OF_SEVERAL });
        }
        // Of several hosts, the one that takes writes; and never one that does not.
        config.target_session_attrs(TargetSessionAttrs::ReadWrite);
        config.application_name("baton");
        config.keepalives_idle(Duration::from_secs(10));
        config.keepalives_interval(Duration::from_secs(5));
        config.keepalives_retries(3);
        config.tcp_user_timeout(Duration::from_secs(15));
        let exposure = guard.exposure().filter(|_| !is_here(&config));
        Ok(Self {
            tls: tls::connector(&guard)?,
            guard,
            exposure,
            config,
        })
    }

    /// What the driver knows of it.
    pub const fn config(&self) -> &Config {
        &self.config
    }

    /// How its connections are to be guarded.
    pub const fn guard(&self) -> &Guard {
        &self.guard
    }

    /// Another database of the same server.
    pub fn in_database(&self, name: &str) -> Self {
        let mut other = self.clone();
        other.config.dbname(name);
        other
    }

    /// What guards its connections.
    pub fn tls(&self) -> MakeRustlsConnect {
        self.tls.clone()
    }

    /// Why somebody on the way could read or change what is said, if so.
    pub fn exposure(&self) -> Option<&str> {
        self.exposure.as_deref()
    }

    /// How long it may take until each host was tried.
    pub fn connect_timeout(&self) -> Duration {
        let each = self.config.get_connect_timeout().copied();
        let hosts = u32::try_from(self.config.get_hosts().len()).unwrap_or(u32::MAX);
        each.unwrap_or(ONE_HOST).saturating_mul(hosts.max(1))
    }

    /// Connects to the first host that takes writes.
    ///
    /// # Errors
    /// When none does.
    pub async fn connect(
        &self,
    ) -> Result<
        (
            Client,
            Connection<Socket, <MakeRustlsConnect as MakeTlsConnect<Socket>>::Stream>,
        ),
        Error,
    > {
        self.config.connect(self.tls()).await
    }

    /// The hosts and the database, for telling.
    pub fn place(&self) -> String {
        let hosts = self.config.get_hosts().iter().enumerate();
        let hosts: Vec<_> = hosts.map(|(i, host)| self.host(i, host)).collect();
        let hosts = if hosts.is_empty() {
            "localhost:5432".to_owned()
        } else {
            hosts.join(",")
        };
        format!("{hosts}/{}", self.config.get_dbname().unwrap_or_default())
    }

    fn host(&self, i: usize, host: &Host) -> String {
        let ports = self.config.get_ports();
        let port = ports.get(i).or(ports.first()).copied().unwrap_or(5432);
        match host {
            Host::Tcp(name) => format!("{name}:{port}"),
            #[cfg(unix)]
            Host::Unix(path) => format!("{}:{port}", path.display()),
        }
    }
}

fn bad(error: &Error) -> String {
    let why =
        std::error::Error::source(error).map_or_else(|| error.to_string(), ToString::to_string);
    match why.strip_prefix("unknown option ") {
        Some(name) => format!(
            "Baton does not know the parameter {name}. Beside those of TLS (sslmode, sslrootcert, sslcert, sslkey) it \
             knows dbname, user, password, host, hostaddr, port, options, connect_timeout, channel_binding, \
             load_balance_hosts and those of keepalives"
        ),
        None => why,
    }
}

/// Whether every host is this machine.
fn is_here(config: &Config) -> bool {
    let is_name_here = |host: &Host| match host {
        Host::Tcp(name) => {
            name == "localhost" || name.parse().is_ok_and(|ip: IpAddr| ip.is_loopback())
        }
        #[cfg(unix)]
        Host::Unix(_) => true,
    };
    let dialled = config.get_hostaddrs();
    if dialled.is_empty() {
        config.get_hosts().iter().all(is_name_here)
    } else {
        dialled.iter().all(IpAddr::is_loopback)
    }
}

/// The parameters of a URL, and what stands before them.
pub fn parameters(url: &str) -> (&str, Vec<(String, String)>) {
    let user_ends = url.find('@').unwrap_or(0);
    let Some(begin) = url[user_ends..].find('?').map(|at| user_ends + at) else {
        return (url, Vec::new());
    };
    // To libpq a plus is a plus.
    let query = url[begin + 1..].replace('+', "%2B");
    let pairs = form_urlencoded::parse(query.as_bytes());
    (&url[..begin], pairs.into_owned().collect())
}

/// The parts of a URL that are no secret, for telling. A password that was not encoded can hold any sign: the last @ ends
/// it, and of what stands before, the name goes as far as it can be one. With a question mark before that @,
/// it may as well stand in a query, and what follows is hidden too. Of SQLite nothing is.
#[must_use]
pub fn without_password(url: &str) -> String {
    if url.is_empty() || url.starts_with("sqlite:") {
        return url.to_owned();
    }
    let Some((scheme, rest)) = url.split_once("://") else {
        return "(hidden)".to_owned();
    };
    let Some((user, place)) = rest.rsplit_once('@') else {
        return format!("{scheme}://{}", without_secrets(rest));
    };
    let name = user.split([':', '/', '?', '@']).next().unwrap_or_default();
    let place = if user.contains('?') {
        "(hidden)"
    } else {
        without_secrets(place)
    };
    format!("{scheme}://{name}@{place}")
}

/// Drivers also take a password from the query.
fn without_secrets(path: &str) -> &str {
    match path.split_once('?') {
        Some((path, query)) if query.contains("password") => path,
        _ => path,
    }
}
