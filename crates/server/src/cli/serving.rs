//! What the commands take that open a database themselves.

use std::{path::PathBuf, str::FromStr, time::Duration};

use baton_domain::duration;
use clap::Args;

use crate::config::{DatabaseUrl, Listen, LogFormat, Network, RedisUrl, Role};

/// Settings that go before the file's.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Settings (each also in the file)")]
pub struct Settings {
    /// A file of settings [default: baton.toml, if there is one]
    #[arg(long, env = "BATON_CONFIG", value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// The database: sqlite://path, postgres://... or mysql://... [default: baton.db in the data folder]
    #[arg(
        long,
        env = "BATON_DATABASE",
        value_name = "URL",
        value_parser = DatabaseUrl::read,
        hide_env_values = true
    )]
    pub database: Option<DatabaseUrl>,
    /// A file that holds the URL of the database, so that no list of processes shows its password
    #[arg(
        long,
        env = "BATON_DATABASE_FILE",
        value_name = "FILE",
        conflicts_with = "database"
    )]
    pub database_file: Option<PathBuf>,
    /// A Redis that tells workers where jobs are: redis://host:6379; it may vanish at any moment
    #[arg(
        long,
        env = "BATON_REDIS",
        value_name = "URL",
        value_parser = RedisUrl::read,
        hide_env_values = true
    )]
    pub redis: Option<RedisUrl>,
    /// A file that holds the URL of the Redis
    #[arg(
        long,
        env = "BATON_REDIS_FILE",
        value_name = "FILE",
        conflicts_with = "redis"
    )]
    pub redis_file: Option<PathBuf>,
    /// Where to listen, or a Unix socket (unix:/run/baton.sock); another address than loopback also needs --hosts, and TLS or a proxy that speaks it
    #[arg(long, env = "BATON_LISTEN", value_name = "ADDR", value_parser = Listen::from_str)]
    pub listen: Option<Listen>,
    /// The names it is reached under beside loopback's, without ports; it answers under no other
    #[arg(long, env = "BATON_HOSTS", value_name = "LIST", value_delimiter = ',')]
    pub hosts: Option<Vec<String>>,
    /// A file with the certificate it speaks TLS with, and those of who issued it, in PEM; read again when it changes
    #[arg(long, env = "BATON_TLS_CERTIFICATE", value_name = "FILE")]
    pub tls_certificate: Option<PathBuf>,
    /// A file with the key of that certificate, in PEM
    #[arg(long, env = "BATON_TLS_KEY", value_name = "FILE")]
    pub tls_key: Option<PathBuf>,
    /// The addresses or networks of the proxies that speak TLS in front of it; theirs is the word of who calls
    #[arg(
        long,
        env = "BATON_TRUSTED_PROXIES",
        value_name = "LIST",
        value_delimiter = ',',
        value_parser = Network::read
    )]
    pub trusted_proxies: Option<Vec<Network>>,
    /// The folder for what the server keeps on this machine
    #[arg(long, env = "BATON_DATA_DIR", value_name = "DIR")]
    pub data_dir: Option<PathBuf>,
    /// What this process does: api, engine, worker
    #[arg(long, env = "BATON_ROLES", value_name = "LIST", value_delimiter = ',')]
    pub roles: Option<Vec<Role>>,
    /// How long a claimed job is a worker's own without a word from it
    #[arg(long, env = "BATON_LEASE", value_name = "DURATION", value_parser = duration::parse)]
    pub lease: Option<Duration>,
    /// How many jobs run at once, in each queue
    #[arg(long, env = "BATON_SLOTS", value_name = "N")]
    pub slots: Option<u32>,
    /// How long a stop may take
    #[arg(long, env = "BATON_GRACE", value_name = "DURATION", value_parser = duration::parse)]
    pub grace: Option<Duration>,
    /// Serve this machine alone and let whoever is on it do everything: no keys, nobody signs in
    #[arg(long, env = "BATON_DEV")]
    pub dev: bool,
    /// Let jobs call private, loopback and link-local addresses
    #[arg(long, env = "BATON_ALLOW_PRIVATE_TARGETS")]
    pub allow_private_targets: bool,
    /// Let whoever reaches it do everything, from other machines too; put a proxy that asks in front of it
    #[arg(long, env = "BATON_INSECURE_NO_AUTH")]
    pub insecure_no_auth: bool,
    /// Go on with a database that may lose what it has confirmed when its machine crashes
    #[arg(long, env = "BATON_ALLOW_UNSAFE_DURABILITY")]
    pub allow_unsafe_durability: bool,
    /// Connect to a database on another machine although nothing proves that it is the one, or that
    /// nobody listens
    #[arg(long, env = "BATON_ALLOW_UNVERIFIED_DATABASE")]
    pub allow_unverified_database: bool,
    /// What the log tells: error, warn, info, debug, trace, or by part: info,baton_worker=debug
    #[arg(long, env = "BATON_LOG", value_name = "LEVEL")]
    pub log: Option<String>,
    /// How the log looks: auto, pretty, json
    #[arg(long, env = "BATON_LOG_FORMAT", value_name = "FORMAT")]
    pub log_format: Option<LogFormat>,
}

#[derive(Debug, Args)]
pub struct ServeArgs {
    #[command(flatten)]
    pub settings: Settings,
    /// Bring the schema of a shared database up to date before serving
    #[arg(long, env = "BATON_MIGRATE")]
    pub migrate: bool,
}

#[derive(Debug, Args)]
pub struct MigrateArgs {
    #[command(flatten)]
    pub settings: Settings,
    /// Only say what would be done
    #[arg(long)]
    pub status: bool,
    /// Let this version use what no older one understands: versions from before it cannot run on the database any more.
    /// A new database is finalized by itself
    #[arg(long, conflicts_with = "status")]
    pub finalize: bool,
    /// Say that the database was put back from a copy by other means: readers of the feed are told to
    /// begin anew, and who worked on it before is forgotten
    #[arg(long, conflicts_with = "status")]
    pub restored: bool,
}

#[derive(Debug, Args)]
pub struct BackupArgs {
    /// The file to write; it must not be there
    pub file: PathBuf,
    #[command(flatten)]
    pub settings: Settings,
}

#[derive(Debug, Args)]
pub struct RestoreArgs {
    /// The backup
    pub file: PathBuf,
    #[command(flatten)]
    pub settings: Settings,
    /// Put it in the place of a database that is there, and keep that one beside it
    #[arg(long)]
    pub replace: bool,
    /// Have nothing run, so that you can look first: queues and schedules are paused, campaigns stopped
    #[arg(long)]
    pub hold: bool,
}

#[derive(Debug, Args)]
pub struct DoctorArgs {
    #[command(flatten)]
    pub settings: Settings,
    /// Only print every setting with its default and what it means: a file to begin with
    #[arg(long)]
    pub defaults: bool,
}

#[derive(Debug, Args)]
pub struct DemoArgs {
    /// How many jobs to enqueue
    #[arg(long, default_value_t = 3_000, value_name = "N")]
    #[arg(value_parser = clap::value_parser!(u32).range(50..=100_000))]
    pub jobs: u32,
    /// How many recipients a campaign is sent to; 0 for no campaign
    #[arg(long, default_value_t = 20_000, value_name = "N")]
    #[arg(value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    pub recipients: u32,
    /// Leave the server up afterwards, to look around
    #[arg(long)]
    pub keep: bool,
    /// Decides which job meets which trouble; the same seed, the same jobs
    #[arg(long, default_value_t = 1, value_name = "N")]
    pub seed: u64,
    /// An empty database to use instead of a file in a temporary folder
    #[arg(long, value_name = "URL", hide_env_values = true)]
    pub database: Option<String>,
}
