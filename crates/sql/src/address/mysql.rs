//! Where a MySQL or MariaDB is, and how it is connected to.

use std::{net::IpAddr, path::PathBuf, time::Duration};

use mysql_async::{ClientIdentity, Conn, DriverError, Error, Opts, OptsBuilder, SslOpts};

use crate::tls::{Guard, Mode, connector};

/// After how long a silent connection is asked whether it is there.
const KEEPALIVE: Duration = Duration::from_secs(10);

/// The driver's own words for TLS. What sslmode says stands in their place, so that they would be passed over in silence.
const GUARDS_OF_THE_DRIVER: [&str; 4] = [
    "require_ssl",
    "verify_ca",
    "verify_identity",
    "built_in_roots",
];

/// A MySQL or MariaDB server.
#[derive(Debug, Clone)]
pub struct MysqlAddress {
    plain: Opts,
    guarded: Opts,
    mode: Mode,
    /// Why somebody on the way could read or change what is said, if so.
    exposure: Option<String>,
}

impl MysqlAddress {
    /// Reads a URL: `mysql://user:password@host:port/name`, or `mariadb://`, with the words of libpq for TLS.
    pub fn read(url: &str) -> Result<Self, String> {
        let (rest, guard) = Guard::take_from(url)?;
        // The driver would say of a file that it cannot read no more than that there is none, and not which.
        connector(&guard)?;
        let rest = rest.split_once("://").map_or(&*rest, |(_, rest)| rest);
        if let Some(word) = GUARDS_OF_THE_DRIVER
            .iter()
            .find(|word| has_parameter(rest, word))
        {
            return Err(format!(
                "{word} is no word for TLS here; write sslmode=verify-full&sslrootcert=FILE"
            ));
        }
        let opts = Opts::from_url(&format!("mysql://{rest}")).map_err(|error| error.to_string())?;
        if opts.db_name().is_none_or(str::is_empty) {
            return Err("it names no database: mysql://user:password@host/name".to_owned());
        }
        let host = opts.ip_or_hostname();
        let is_loopback = host.parse().is_ok_and(|ip: IpAddr| ip.is_loopback());
        let is_here = is_loopback || host == "localhost" || opts.socket().is_some();
        let opts = OptsBuilder::from_opts(opts)
            .prefer_socket(false)
            .tcp_nodelay(true)
            .tcp_keepalive(Some(KEEPALIVE))
            .stmt_cache_size(0);
        Ok(Self {
            exposure: guard.exposure().filter(|_| !is_here),
            mode: guard.tls_mode(),
            plain: opts.clone().into(),
            guarded: opts.ssl_opts(Some(tls(&guard))).into(),
        })
    }

    /// Connects.
    ///
    /// # Errors
    /// When it cannot be reached, or is not as guarded as was asked.
    pub async fn connect(&self) -> Result<Conn, Error> {
        match self.mode {
            Mode::Disable => Conn::new(self.plain.clone()).await,
            Mode::Prefer => match Conn::new(self.guarded.clone()).await {
                Err(Error::Driver(DriverError::NoClientSslFlagFromServer)) => {
                    Conn::new(self.plain.clone()).await
                }
                connected => connected,
            },
            Mode::Require | Mode::VerifyCa | Mode::VerifyFull => {
                Conn::new(self.guarded.clone()).await
            }
        }
    }

    /// Another database of the same server.
    #[must_use]
    pub fn in_database(&self, name: Option<&str>) -> Self {
        let renamed = |opts: &Opts| OptsBuilder::from_opts(opts.clone()).db_name(name).into();
        Self {
            plain: renamed(&self.plain),
            guarded: renamed(&self.guarded),
            mode: self.mode,
            exposure: self.exposure.clone(),
        }
    }

    /// Why somebody on the way could read or change what is said, if so.
    pub fn exposure(&self) -> Option<&str> {
        self.exposure.as_deref()
    }

    /// The name of the database.
    pub fn database(&self) -> &str {
        self.plain.db_name().unwrap_or_default()
    }

    /// The user.
    pub fn user(&self) -> &str {
        self.plain.user().unwrap_or_default()
    }

    /// The host and the database, for telling.
    pub fn place(&self) -> String {
        let host = self.plain.ip_or_hostname();
        format!("{host}:{}/{}", self.plain.tcp_port(), self.database())
    }
}

/// The driver knows a certificate for another name by this word in an error, which it is told where names are of no account. Newer
/// texts of rustls have it no more, but for the name that was asked for: so that is the word.
const OF_NO_ACCOUNT: &str = "NotValidForName.invalid";

fn has_parameter(url: &str, name: &str) -> bool {
    let query = url.split_once('?').map_or("", |(_, query)| query);
    let mut names = query
        .split('&')
        .map(|pair| pair.split('=').next().unwrap_or(pair));
    names.any(|one| one == name)
}

fn tls(guard: &Guard) -> SslOpts {
    let asks_whom = matches!(guard.tls_mode(), Mode::VerifyCa | Mode::VerifyFull);
    let is_by_authority = guard.tls_mode() == Mode::VerifyCa;
    let roots = guard.root().map(|file| PathBuf::from(file).into());
    let identity = guard.identity().map(|(cert, key)| {
        ClientIdentity::new(PathBuf::from(cert).into(), PathBuf::from(key).into())
    });
    SslOpts::default()
        .with_disable_built_in_roots(roots.is_some())
        .with_root_certs(roots.into_iter().collect())
        .with_client_identity(identity)
        .with_danger_accept_invalid_certs(!asks_whom)
        .with_danger_skip_domain_validation(guard.tls_mode() != Mode::VerifyFull)
        .with_danger_tls_hostname_override(is_by_authority.then_some(OF_NO_ACCOUNT))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_for_tls_that_would_be_passed_over_are_refused_with_the_right_ones() {
        for word in [
            "require_ssl=true",
            "verify_identity=true",
            "tcp_nodelay=true&verify_ca=true",
            "sslmode=prefer&built_in_roots=false",
        ] {
            let why = MysqlAddress::read(&format!("mysql://u@db/x?{word}")).unwrap_err();

            assert!(why.contains("sslmode=verify-full"), "{word}: {why}");
        }
        assert!(MysqlAddress::read("mysql://u@db/x?ssl-mode=VERIFY_IDENTITY").is_err());
    }
}
