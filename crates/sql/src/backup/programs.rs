//! The programs of PostgreSQL that copy and put back.
//!
//! They are told where the database is as Baton is told, by their environment, so that no password stands on a command line.

use std::{
    ffi::{OsStr, OsString},
    io,
    path::Path,
    process::{Output, Stdio},
};

use tokio::process::Command;
use tokio_postgres::config::{ChannelBinding, Host};

use crate::{address::Address, open::OpenError};

/// One of these programs, of this server's version or a newer one.
pub struct Program {
    name: &'static str,
    environment: Vec<(&'static str, OsString)>,
}

impl Program {
    /// Finds it in the `PATH`, for a server of this major version.
    ///
    /// # Errors
    /// When it is not there or too old.
    pub async fn find(
        name: &'static str,
        address: &Address,
        server: i32,
    ) -> Result<Self, OpenError> {
        let program = Self {
            name,
            environment: environment(address),
        };
        let needed = |why: String| OpenError::NoProgram {
            program: name,
            server,
            why,
        };
        let output = program.command(&["--version"]).output().await;
        let output = output.map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => needed("is not in the PATH".to_owned()),
            _ => needed(format!("cannot be run: {error}")),
        })?;
        let said = String::from_utf8_lossy(&output.stdout);
        match major(&said) {
            Some(own) if own >= server => Ok(program),
            Some(own) => Err(needed(format!("is in the PATH only as of version {own}"))),
            None => Err(needed(format!(
                "does not say its version ({})",
                last_words(&output)
            ))),
        }
    }

    /// Runs it to its end, and says what it printed.
    ///
    /// # Errors
    /// With the last that it said.
    pub async fn run<S: AsRef<OsStr>>(&self, words: &[S]) -> Result<String, String> {
        let output = self.command(words).output().await;
        let output = output.map_err(|error| error.to_string())?;
        if output.status.success() {
            Ok(String::from_utf8_lossy(&output.stdout).into_owned())
        } else {
            Err(last_words(&output))
        }
    }

    /// That it has failed, and what it said.
    pub fn failed(&self, why: &str) -> OpenError {
        OpenError::Refused(format!("{} has failed: {why}", self.name))
    }

    fn command<S: AsRef<OsStr>>(&self, words: &[S]) -> Command {
        let mut command = Command::new(self.name);
        // What others have told libpq for themselves is none of ours.
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("PG") {
                command.env_remove(name);
            }
        }
        let environment = self.environment.iter();
        command
            .envs(environment.map(|(name, value)| (name, value)))
            .env("LC_ALL", "C")
            .args(words)
            .stdin(Stdio::null())
            .kill_on_drop(true);
        command
    }
}

/// A path as a word of these programs, which would take one that begins with a dash for an option.
pub fn word(path: &Path) -> OsString {
    if path.is_absolute() {
        path.into()
    } else {
        Path::new(".").join(path).into()
    }
}

/// Where the database is, and who we are, in the words of libpq.
fn environment(address: &Address) -> Vec<(&'static str, OsString)> {
    let config = address.config();
    let host = |host: &Host| match host {
        Host::Tcp(name) => name.clone(),
        #[cfg(unix)]
        Host::Unix(path) => path.display().to_string(),
    };
    let hosts = config.get_hosts().iter().map(host);
    let addresses = config.get_hostaddrs().iter().map(ToString::to_string);
    let ports = config.get_ports().iter().map(ToString::to_string);
    let binding = match config.get_channel_binding() {
        ChannelBinding::Disable => "disable",
        ChannelBinding::Require => "require",
        _ => "prefer",
    };
    let told = [
        ("PGHOST", hosts.collect::<Vec<_>>().join(",")),
        ("PGHOSTADDR", addresses.collect::<Vec<_>>().join(",")),
        ("PGPORT", ports.collect::<Vec<_>>().join(",")),
        ("PGUSER", config.get_user().unwrap_or_default().to_owned()),
        (
            "PGDATABASE",
            config.get_dbname().unwrap_or_default().to_owned(),
        ),
        (
            "PGOPTIONS",
            config.get_options().unwrap_or_default().to_owned(),
        ),
        ("PGCONNECT_TIMEOUT", seconds(config.get_connect_timeout())),
        ("PGCHANNELBINDING", binding.to_owned()),
        // Of several hosts, the one that takes writes.
        ("PGTARGETSESSIONATTRS", "read-write".to_owned()),
        ("PGAPPNAME", "baton".to_owned()),
    ];
    let told = told.into_iter().filter(|(_, value)| !value.is_empty());
    let mut all: Vec<_> = told.map(|(name, value)| (name, value.into())).collect();
    all.extend(address.guard().environment());
    all.extend(
        config
            .get_password()
            .map(|word| ("PGPASSWORD", secret(word))),
    );
    all
}

fn seconds(timeout: Option<&std::time::Duration>) -> String {
    // To libpq less than two seconds are two, and nothing is for ever.
    timeout.map_or_else(String::new, |timeout| timeout.as_secs().max(2).to_string())
}

#[cfg(unix)]
fn secret(bytes: &[u8]) -> OsString {
    std::os::unix::ffi::OsStringExt::from_vec(bytes.to_vec())
}

/// Reads it from `pg_dump (PostgreSQL) 15.14 (Debian 15.14-1)`.
fn major(said: &str) -> Option<i32> {
    let (_, version) = said.split_once("(PostgreSQL) ")?;
    let digits = version.split(|c: char| !c.is_ascii_digit()).next()?;
    digits.parse().ok()
}

fn last_words(output: &Output) -> String {
    const LINES: usize = 6;
    let said = String::from_utf8_lossy(&output.stderr);
    let lines: Vec<_> = said
        .lines()
        .filter(|line| !line.trim().is_empty())
        .collect();
    if lines.is_empty() {
        return output.status.to_string();
    }
    lines[lines.len().saturating_sub(LINES)..].join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(url: &str) -> Vec<(&'static str, String)> {
        let all = environment(&Address::read(url).unwrap()).into_iter();
        all.map(|(name, value)| (name, value.into_string().unwrap()))
            .collect()
    }

    #[test]
    fn several_hosts_and_a_password_are_told_as_libpq_reads_them() {
        let url = "postgres://me:p%40ss@a:5433,b:5434/jobs?sslmode=require&connect_timeout=7";

        let told = told(url);

        for one in [
            ("PGHOST", "a,b"),
            ("PGPORT", "5433,5434"),
            ("PGUSER", "me"),
            ("PGPASSWORD", "p@ss"),
            ("PGDATABASE", "jobs"),
            ("PGCONNECT_TIMEOUT", "7"),
            ("PGSSLMODE", "require"),
            ("PGTARGETSESSIONATTRS", "read-write"),
        ] {
            assert!(
                told.contains(&(one.0, one.1.to_owned())),
                "{one:?} {told:?}"
            );
        }
    }

    #[test]
    fn the_authority_and_the_certificate_are_told_too() {
        let url = "postgres://db/jobs?sslmode=verify-full&sslrootcert=/ca.pem";
        let guard = crate::tls::Guard::take_from(url).unwrap().1.environment();

        assert_eq!(
            guard,
            [
                ("PGSSLMODE", OsString::from("verify-full")),
                ("PGSSLROOTCERT", OsString::from("/ca.pem"))
            ]
        );
    }

    #[test]
    fn a_version_is_read_from_what_a_program_says() {
        assert_eq!(
            major("pg_dump (PostgreSQL) 15.14 (Debian 15.14-1)\n"),
            Some(15)
        );
        assert_eq!(major("pg_dump (PostgreSQL) 18beta1\n"), Some(18));
        assert_eq!(major("Error: no client\n"), None);
    }
}
