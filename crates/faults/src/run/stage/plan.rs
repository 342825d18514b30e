//! What the servers of a run are made from.

use std::{
    fs,
    net::{Ipv4Addr, SocketAddr},
    path::{Path, PathBuf},
    sync::Arc,
};

use baton_lab::{
    proxy::Protocol,
    servers::{self, Threads, WallClock},
    target::Target,
};

use crate::Failure;

use super::{
    super::{
        address::{Address, line},
        campaigns,
        crew::Duty,
        node::Node,
        redis::Redis,
        versions::Versions,
    },
    cannot,
};

/// How many calls a worker makes at once.
pub const SLOTS: usize = 20;
/// How long a stop may take.
const GRACE: &str = "5s";
/// How long Redis has to be well before it is used again.
const HEALS_SOON: &str = "[redis]\nheal = \"300ms\"\n";

/// What the nodes are made from.
pub struct Plan {
    /// Where the database is; without it and without a cluster, all is kept in a file.
    pub database: Option<Address>,
    /// The URL of the cluster. No line to it can be cut: its servers name each other.
    pub cluster: Option<String>,
    /// The same of Redis.
    pub sentinels: Option<String>,
    pub settings: String,
    pub lease: String,
    pub home: PathBuf,
    pub folder: PathBuf,
    /// Whether each has a wall clock of its own, to be stepped.
    pub has_clocks: bool,
    pub seed: u64,
    pub versions: Arc<Versions>,
}

impl Plan {
    pub async fn node(
        &self,
        number: u64,
        (duty, name): (Duty, String),
        listen: Option<SocketAddr>,
        redis: Option<&Redis>,
    ) -> Result<Node, Failure> {
        let seed = self.seed.wrapping_add(number);
        let mut flags = self.flags(duty, listen);
        let database = match &self.database {
            Some(database) => {
                let line = database.line(seed).await?;
                flags.extend(["--database".to_owned(), database.behind(line.addr())]);
                Some(line)
            }
            None => None,
        };
        let redis = match redis {
            Some(redis) => {
                let line = line(redis.addr(), Protocol::Redis, seed).await?;
                flags.extend(["--redis".to_owned(), redis.behind(line.addr())]);
                Some(line)
            }
            None => None,
        };
        let clock = match self.has_clocks {
            true => Some(WallClock::create(&self.folder, &name, Threads::Many).map_err(cannot)?),
            false => None,
        };
        let log = self.folder.join(format!("{name}.log"));
        let places = (self.home.clone(), log);
        let lines = (database, redis);
        let versions = self.versions.clone();
        Ok(Node::new(name, duty, lines, clock, flags, places, versions))
    }

    /// Who serves nobody tells of its health all the same, at an address that nobody else has.
    fn flags(&self, duty: Duty, listen: Option<SocketAddr>) -> Vec<String> {
        let listen = listen.unwrap_or_else(|| SocketAddr::from((Ipv4Addr::LOCALHOST, 0)));
        let (roles, lease) = (duty.roles(), &self.lease);
        let flags = format!(
            "--listen {listen} --roles {roles} --lease {lease} --grace {GRACE} --slots {SLOTS} --log warn"
        );
        let mut flags: Vec<_> = flags.split(' ').map(str::to_owned).collect();
        flags.extend(["--config".to_owned(), self.settings.clone()]);
        if let Some(url) = &self.cluster {
            flags.extend(["--database".to_owned(), url.clone()]);
        }
        if let Some(url) = &self.sentinels {
            flags.extend(["--redis".to_owned(), url.clone()]);
        }
        flags
    }
}

/// Where a server of the API listens.
pub fn listen(duty: Duty) -> Result<Option<SocketAddr>, Failure> {
    if !duty.listens() {
        return Ok(None);
    }
    let port = servers::free_port().map_err(cannot)?;
    Ok(Some(SocketAddr::from((Ipv4Addr::LOCALHOST, port))))
}

/// A file with what has no flag: a Redis that is hurt all the time would else never be used, and
/// campaigns need providers.
pub fn settings(folder: &Path, target: &Target) -> Result<String, Failure> {
    let file = folder.join("baton.toml");
    let text = format!("{HEALS_SOON}{}", campaigns::providers(target));
    fs::write(&file, text)
        .map_err(|error| Failure::new(format!("{} cannot be written: {error}", file.display())))?;
    Ok(file.display().to_string())
}
