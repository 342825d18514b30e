//! The settings, section by section, and their defaults.

use std::{
    collections::BTreeMap,
    net::SocketAddr,
    path::{Path, PathBuf},
    str::FromStr,
    time::Duration,
};

use baton_domain::{
    duration::{self, Span},
    job,
    queue::{AllowList, WaitTargets},
};
use baton_ports::store::Retention;
use baton_providers::CALLS_PER_ORIGIN;
use clap::ValueEnum;
use serde::{Deserialize, Deserializer, Serialize, de};

use super::{
    access::Access,
    destinations::Destination,
    listen::Listen,
    providers::Provider,
    traces::Traces,
    urls::{DatabaseUrl, RedisUrl},
    values::{Hidden, Network},
};

/// Every setting.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    pub server: Server,
    pub access: Access,
    pub database: Database,
    pub redis: Redis,
    pub worker: Worker,
    pub http: Http,
    pub destinations: BTreeMap<String, Destination>,
    pub providers: BTreeMap<String, Provider>,
    pub simulate: Simulate,
    pub retention: Retention,
    pub limits: Limits,
    pub queues: Queues,
    pub kinds: Kinds,
    pub log: Log,
    pub traces: Traces,
}

impl Config {
    /// Lets a server to try send what nobody has to receive, as long as nobody has said who delivers.
    pub fn offer_a_provider_to_try(&mut self) {
        if self.server.dev && self.providers.is_empty() {
            self.providers.insert("log".to_owned(), Provider::log());
        }
    }

    /// Whether there is anything in it that others must not see.
    pub fn has_secrets(&self) -> bool {
        self.database.url.has_password()
            || self.redis.url.has_password()
            || self.database.password.is_some()
            || self.redis.password.is_some()
            || self.destinations.values().any(Destination::has_secrets)
            || self.providers.values().any(Provider::has_secrets)
            || !self.traces.headers.is_empty()
            || self
                .access
                .oidc
                .as_ref()
                .is_some_and(|oidc| oidc.client_secret.is_some())
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Server {
    pub listen: Listen,
    pub data_dir: PathBuf,
    pub roles: Vec<Role>,
    pub hosts: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tls_certificate: Option<PathBuf>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tls_key: Option<PathBuf>,
    pub trusted_proxies: Vec<Network>,
    pub dev: bool,
    pub insecure_no_auth: bool,
    #[serde(with = "duration")]
    pub request_timeout: Duration,
    pub connections: usize,
    pub connections_per_address: usize,
    pub streams: usize,
    pub batches: usize,
    pub imports: usize,
}

impl Default for Server {
    fn default() -> Self {
        Self {
            listen: Listen::default(),
            data_dir: PathBuf::from("baton-data"),
            roles: vec![Role::Api, Role::Engine, Role::Worker],
            hosts: Vec::new(),
            tls_certificate: None,
            tls_key: None,
            trusted_proxies: Vec::new(),
            dev: false,
            insecure_no_auth: false,
            request_timeout: Duration::from_secs(30),
            connections: 1_000,
            connections_per_address: 500,
            streams: 256,
            batches: 4,
            imports: 2,
        }
    }
}

impl Server {
    /// Whether whoever reaches it may do everything, and nobody has to say who they are.
    pub const fn is_open(&self) -> bool {
        self.dev || self.insecure_no_auth
    }

    /// The files of its certificate and of its key, if it speaks TLS itself.
    pub fn certificate(&self) -> Option<(&Path, &Path)> {
        Some((self.tls_certificate.as_deref()?, self.tls_key.as_deref()?))
    }
}

/// What a process does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Answers requests and serves the admin pages.
    Api,
    /// Turns the routines.
    Engine,
    /// Runs jobs.
    Worker,
}

impl Role {
    pub const ALL: [Self; 3] = [Self::Api, Self::Engine, Self::Worker];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Api => "api",
            Self::Engine => "engine",
            Self::Worker => "worker",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Database {
    pub url: DatabaseUrl,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub password: Option<Hidden>,
    pub connections: usize,
    pub migrate: bool,
    pub allow_unsafe: bool,
    pub allow_unverified: bool,
}

impl Default for Database {
    fn default() -> Self {
        Self {
            url: DatabaseUrl::default(),
            password: None,
            connections: 10,
            migrate: false,
            allow_unsafe: false,
            allow_unverified: false,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Redis {
    pub url: RedisUrl,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub password: Option<Hidden>,
    #[serde(with = "duration")]
    pub heal: Duration,
}

impl Default for Redis {
    fn default() -> Self {
        Self {
            url: RedisUrl::default(),
            password: None,
            heal: Duration::from_secs(10),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Worker {
    pub slots: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_running: Option<u32>,
    #[serde(with = "duration")]
    pub lease: Duration,
    #[serde(with = "duration")]
    pub grace: Duration,
    pub queues: BTreeMap<String, u32>,
}

impl Default for Worker {
    fn default() -> Self {
        Self {
            slots: 50,
            max_running: None,
            lease: Duration::from_secs(30),
            grace: Duration::from_secs(30),
            queues: BTreeMap::new(),
        }
    }
}

/// How many jobs run at once in all queues together if nothing is said, and the slots are no more.
const MAX_RUNNING: u32 = 1_000;

impl Worker {
    /// How many jobs run at once in all queues together.
    pub fn max_running(&self) -> u32 {
        let named = self
            .queues
            .values()
            .fold(0, |all, slots| slots.saturating_add(all));
        let asked_for = self.slots.saturating_add(named);
        self.max_running.unwrap_or(MAX_RUNNING.max(asked_for))
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Http {
    pub allow_private_targets: bool,
    pub allowed_networks: Vec<Network>,
    pub nameservers: Vec<SocketAddr>,
    pub connections_per_origin: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ca: Option<PathBuf>,
    /// What it was: one secret for all receivers, with which each could sign calls to the others.
    #[serde(skip_serializing, deserialize_with = "no_common_secrets")]
    pub secrets: (),
}

impl Default for Http {
    fn default() -> Self {
        Self {
            allow_private_targets: false,
            allowed_networks: Vec::new(),
            nameservers: Vec::new(),
            connections_per_origin: CALLS_PER_ORIGIN,
            ca: None,
            secrets: (),
        }
    }
}

fn no_common_secrets<'de, D: Deserializer<'de>>(_: D) -> Result<(), D::Error> {
    Err(de::Error::custom(
        "is no setting any more: every receiver knew these secrets and could sign calls to the others; give each \
         receiver a destination with a secret of its own (`secret` under [destinations.NAME]) and let jobs name \
         the destination",
    ))
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Simulate {
    pub allow_crash: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    pub payload: usize,
    #[serde(with = "duration")]
    pub horizon: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        let job::Limits {
            payload, horizon, ..
        } = job::Limits::default();
        Self { payload, horizon }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Queues {
    pub allow: Vec<String>,
    #[serde(with = "duration")]
    pub wait_target: Duration,
    pub wait_targets: BTreeMap<String, Span>,
}

impl Default for Queues {
    fn default() -> Self {
        Self {
            allow: Vec::new(),
            wait_target: WaitTargets::default().default,
            wait_targets: BTreeMap::new(),
        }
    }
}

impl From<&Queues> for WaitTargets {
    fn from(queues: &Queues) -> Self {
        let named = queues.wait_targets.iter();
        Self {
            default: queues.wait_target,
            by_queue: named
                .map(|(name, target)| (name.clone(), target.0))
                .collect(),
        }
    }
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Kinds {
    pub allow: Vec<String>,
}

impl Config {
    /// How much a job may ask for.
    pub fn job_limits(&self) -> job::Limits {
        job::Limits {
            payload: self.limits.payload,
            horizon: self.limits.horizon,
            queues: AllowList::of(&self.queues.allow),
            kinds: job::Kinds::new([], AllowList::of(&self.kinds.allow)),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Log {
    pub level: String,
    pub format: LogFormat,
}

impl Default for Log {
    fn default() -> Self {
        Self {
            level: "info".to_owned(),
            format: LogFormat::Auto,
        }
    }
}

/// How the log looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "snake_case")]
pub enum LogFormat {
    /// Pretty on a terminal, JSON elsewhere.
    Auto,
    /// For people.
    Pretty,
    /// For programs.
    Json,
}

impl FromStr for Config {
    type Err = toml::de::Error;

    fn from_str(text: &str) -> Result<Self, toml::de::Error> {
        toml::from_str(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::DEFAULT_FILE;

    #[test]
    fn the_default_file_says_what_holds_by_default() {
        let documented: Config = DEFAULT_FILE.parse().unwrap();

        assert_eq!(documented, Config::default());
    }

    #[test]
    fn the_default_file_names_every_setting() {
        let documented: toml::Table = DEFAULT_FILE.parse().unwrap();
        let every = toml::Table::try_from(Config::default()).unwrap();

        for (section, settings) in &every {
            let named = documented[section].as_table().unwrap();
            for setting in settings.as_table().unwrap().keys() {
                assert!(named.contains_key(setting), "{section}.{setting}");
            }
        }
    }

    #[test]
    fn an_unknown_setting_is_named_with_its_line() {
        let error = "[server]\nlisten = \"127.0.0.1:1\"\nlissten = 1\n"
            .parse::<Config>()
            .unwrap_err()
            .to_string();

        assert!(error.contains("line 3"), "{error}");
        assert!(error.contains("unknown field `lissten`"), "{error}");
    }
}
