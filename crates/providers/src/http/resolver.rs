//! What addresses a name stands for.
//!
//! They are asked for without a thread, so that names whose servers never answer cost nobody but those who asked for them.

use std::{
    fs, io,
    net::{IpAddr, Ipv4Addr, SocketAddr},
    sync::Arc,
    time::{Duration, SystemTime},
};

use hickory_resolver::{
    Hosts, TokioResolver,
    config::{
        ConnectionConfig, LookupIpStrategy, NameServerConfig, ResolveHosts, ResolverConfig,
        ResolverOpts,
    },
    lookup::Lookup,
    net::{NetError, runtime::TokioRuntimeProvider},
    proto::{
        op::Query,
        rr::{Name, RecordType},
    },
};
use parking_lot::Mutex;
use tokio::{sync::Semaphore, time::Instant};

/// How often is looked whether the system's settings have changed.
const LOOK: Duration = Duration::from_secs(5);
/// What the system's settings stand in.
const SETTINGS: [&str; 2] = ["/etc/resolv.conf", "/etc/hosts"];
/// How many names are asked for at once; each takes some sockets. The rest wait for their turn.
const AT_ONCE: usize = 1_024;

/// Asks for addresses.
pub struct Resolver {
    /// Who is asked; none means those of the system.
    nameservers: Vec<SocketAddr>,
    kept: Mutex<Option<ResolverSettings>>,
    turns: Semaphore,
}

#[derive(Clone)]
struct ResolverSettings {
    hosts: Arc<Hosts>,
    resolver: TokioResolver,
    looked: Instant,
    changed: [Option<SystemTime>; 2],
}

impl Resolver {
    /// Asks these servers, or those of the system if there are none.
    pub const fn new(nameservers: Vec<SocketAddr>) -> Self {
        Self {
            nameservers,
            kept: Mutex::new(None),
            turns: Semaphore::const_new(AT_ONCE),
        }
    }

    /// Every address of a name, IPv4 first. What the file of hosts says is all there is.
    pub async fn addresses(&self, name: &str) -> io::Result<Vec<IpAddr>> {
        let settings = self.settings().map_err(io::Error::other)?;
        let known = of_host(&settings.hosts, name);
        if !known.is_empty() {
            return Ok(known);
        }
        let _turn = self.turns.acquire().await.map_err(io::Error::other)?;
        let found = settings.resolver.lookup_ip(name).await;
        let mut addresses: Vec<_> = found.map_err(io::Error::other)?.iter().collect();
        addresses.sort_by_key(IpAddr::is_ipv6);
        Ok(addresses)
    }

    /// By the settings of now.
    fn settings(&self) -> Result<ResolverSettings, NetError> {
        let mut kept = self.kept.lock();
        let now = Instant::now();
        if let Some(kept) = kept.as_ref().filter(|kept| now < kept.looked + LOOK) {
            return Ok(kept.clone());
        }
        let changed = changed();
        if let Some(kept) = kept.as_mut().filter(|kept| kept.changed == changed) {
            kept.looked = now;
            return Ok(kept.clone());
        }
        let new = ResolverSettings {
            hosts: Arc::new(Hosts::from_system().unwrap_or_default()),
            resolver: build(&self.nameservers)?,
            looked: now,
            changed,
        };
        *kept = Some(new.clone());
        Ok(new)
    }
}

fn of_host(hosts: &Hosts, name: &str) -> Vec<IpAddr> {
    let Ok(name) = Name::from_utf8(name) else {
        return Vec::new();
    };
    let kinds = [RecordType::A, RecordType::AAAA];
    let found = kinds.map(|kind| hosts.lookup_static_host(&Query::query(name.clone(), kind)));
    let answers = found.iter().flatten().flat_map(Lookup::answers);
    answers.filter_map(|record| record.data.ip_addr()).collect()
}

fn changed() -> [Option<SystemTime>; 2] {
    SETTINGS.map(|path| fs::metadata(path).and_then(|file| file.modified()).ok())
}

fn build(nameservers: &[SocketAddr]) -> Result<TokioResolver, NetError> {
    let provider = TokioRuntimeProvider::default();
    let by = |servers: &[SocketAddr]| {
        TokioResolver::builder_with_config(config(servers), provider.clone())
    };
    let mut builder = match TokioResolver::builder(provider.clone()) {
        _ if !nameservers.is_empty() => by(nameservers),
        Ok(builder) => builder,
        // It is this machine that is asked then, as it is by everybody else here.
        Err(error) => {
            tracing::warn!(%error, "{} names no server of names; this machine is asked", SETTINGS[0]);
            by(&[(Ipv4Addr::LOCALHOST, 53).into()])
        }
    };
    let options: &mut ResolverOpts = builder.options_mut();
    options.ip_strategy = LookupIpStrategy::Ipv4AndIpv6;
    options.use_hosts_file = ResolveHosts::Never;
    // One connection carries all of them; else those that hang would refuse the others.
    options.max_active_requests = 2 * AT_ONCE;
    // A name that changes its mind is believed at once.
    options.cache_size = 0;
    builder.build()
}

fn config(nameservers: &[SocketAddr]) -> ResolverConfig {
    let servers = nameservers.iter().map(|server| {
        let mut ways = [ConnectionConfig::udp(), ConnectionConfig::tcp()];
        for way in &mut ways {
            way.port = server.port();
        }
        NameServerConfig::new(server.ip(), true, ways.into())
    });
    ResolverConfig::from_parts(None, Vec::new(), servers.collect())
}
