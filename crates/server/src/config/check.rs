//! Settings that make no sense, or contradict each other.

use std::{net::IpAddr, time::Duration};

use baton_domain::queue;
use baton_providers::OidcConfig;
use tracing_subscriber::{EnvFilter, filter::LevelFilter};

use super::{Config, Role, sections::Server};
use crate::exit::Failure;

/// A lease is renewed in thirds; below this a busy machine loses it for no reason.
const SHORTEST_LEASE: Duration = Duration::from_secs(1);

/// Refuses what cannot be; answers with what is odd though it can be meant.
pub fn all(config: &Config) -> Result<Vec<String>, Failure> {
    check_database(config)?;
    check_redis(config)?;
    check_address(config)?;
    check_bounds(config)?;
    check_names(config)?;
    check_worker(config)?;
    check_oidc(config)?;
    check_second_person(config)?;
    check_log(config)?;
    config.traces.check()?;
    Ok(warnings(config))
}

fn check_database(config: &Config) -> Result<(), Failure> {
    let url = &config.database.url;
    match url.scheme() {
        "sqlite" | "postgres" | "postgresql" | "mysql" | "mariadb" => Ok(()),
        _ => Err(
            Failure::usage(format!("{url:?} is not the address of a database")).then(
                "Use sqlite://path/to/baton.db, postgres://user@host/name or mysql://user@host/name.",
            ),
        ),
    }
}

fn check_redis(config: &Config) -> Result<(), Failure> {
    let url = &config.redis.url;
    let is_redis = |scheme| url.reveal().starts_with(scheme);
    if url.is_empty()
        || ["redis://", "rediss://", "redis+sentinel://"]
            .into_iter()
            .any(is_redis)
    {
        return Ok(());
    }
    Err(
        Failure::usage(format!("{url:?} is not the address of a Redis")).then(
            "Use redis://host:6379, or rediss:// for TLS; redis://:password@host:6379/1 names a password and a database, \
             redis+sentinel://host:26379,host:26379/service Sentinels and what they watch.",
        ),
    )
}

fn check_address(config: &Config) -> Result<(), Failure> {
    let server = &config.server;
    if server.roles.is_empty() {
        return Err(Failure::usage("a server without roles does nothing")
            .then("Name some of api, engine and worker with --roles."));
    }
    if let Some(host) = server.hosts.iter().find(|host| !is_host(host)) {
        return Err(
            Failure::usage(format!("{host:?} is not the name of a host")).then(
                "Write names or addresses alone, without a scheme, a port or a path: jobs.example, 10.0.0.7.",
            ),
        );
    }
    check_certificate(server)?;
    check_socket(server)?;
    if server.listen.is_local() {
        return Ok(());
    }
    if server.dev {
        return Err(open_to_others(server));
    }
    if !server.roles.contains(&Role::Api) {
        return Ok(());
    }
    check_encryption(server)?;
    check_hosts(server)
}

fn check_certificate(server: &Server) -> Result<(), Failure> {
    let missing = match (&server.tls_certificate, &server.tls_key) {
        (Some(_), None) => "server.tls_key",
        (None, Some(_)) => "server.tls_certificate",
        _ => return Ok(()),
    };
    Err(
        Failure::usage("a certificate and its key go together, and one of them is not named").then(
            format!("Name the other file as {missing}, or neither to speak plain HTTP."),
        ),
    )
}

/// What comes through a socket has not left the machine.
fn check_socket(server: &Server) -> Result<(), Failure> {
    if server.listen.ip().is_some() || server.certificate().is_none() {
        return Ok(());
    }
    let listen = &server.listen;
    Err(Failure::usage(format!(
        "no TLS is spoken at {listen}, and a certificate is named"
    ))
    .then("Leave server.tls_certificate and server.tls_key out, or listen on an address."))
}

fn open_to_others(server: &Server) -> Failure {
    Failure::usage(format!(
        "--dev asks nobody who they are, and others could reach {}",
        server.listen
    ))
    .then("Listen on this machine alone, such as --listen 127.0.0.1:7878.")
    .then("Or leave --dev out and let programs use keys and people sign in: docs/operations/access.md.")
}

/// Keys and passwords are read by whoever is on the way unless the connection is encrypted.
fn check_encryption(server: &Server) -> Result<(), Failure> {
    let is_encrypted = server.certificate().is_some() || !server.trusted_proxies.is_empty();
    if server.insecure_no_auth || is_encrypted {
        return Ok(());
    }
    Err(Failure::usage(format!(
        "others could reach {}, and read the keys and passwords of those who do",
        server.listen
    ))
    .then(
        "Give it a certificate (server.tls_certificate and server.tls_key), or name the proxies that speak TLS in \
         front of it (server.trusted_proxies): docs/operations/access.md.",
    )
    .then(
        "Or listen on loopback; or let whoever reaches it do everything, and say that you mean it: --insecure-no-auth.",
    ))
}

/// Without them a page of any site could have its own name lead here, and the browser would let it in.
fn check_hosts(server: &Server) -> Result<(), Failure> {
    if !server.hosts.is_empty() {
        return Ok(());
    }
    Err(Failure::usage(format!(
        "others can reach {}, and the server is not told under which names",
        server.listen
    ))
    .then("It answers only under names that it knows, so that no web page can reach it through a name of its own.")
    .then("Name them with --hosts, such as --hosts jobs.example,10.0.0.7, or as `hosts` under [server]."))
}

/// A name or an address alone.
fn is_host(host: &str) -> bool {
    let is_name = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    host.parse::<IpAddr>().is_ok() || (!host.is_empty() && host.chars().all(is_name))
}

const IN: &str = "would let nobody in";

/// A bound of nought would lock everybody out.
fn check_bounds(config: &Config) -> Result<(), Failure> {
    let server = &config.server;
    let per_origin = config.http.connections_per_origin;
    if server.request_timeout.is_zero() {
        return Err(
            Failure::usage("server.request_timeout = 0s would answer nobody")
                .then("Give it a time such as 30s, or leave it out for the default."),
        );
    }
    for (name, bound, what) in [
        ("server.connections", server.connections, IN),
        (
            "server.connections_per_address",
            server.connections_per_address,
            IN,
        ),
        ("server.streams", server.streams, IN),
        ("server.batches", server.batches, IN),
        ("limits.payload", config.limits.payload, "would take no job"),
        ("server.imports", server.imports, IN),
        (
            "http.connections_per_origin",
            per_origin,
            "would call nobody",
        ),
    ] {
        if bound == 0 {
            return Err(Failure::usage(format!("{name} = 0 {what}"))
                .then("Give it at least 1, or leave it out for the default."));
        }
    }
    Ok(())
}

fn check_names(config: &Config) -> Result<(), Failure> {
    let slots = config
        .worker
        .queues
        .keys()
        .map(|name| ("worker.queues", name));
    let allowed = config
        .queues
        .allow
        .iter()
        .map(|name| ("queues.allow", name));
    let targets = config
        .queues
        .wait_targets
        .keys()
        .map(|name| ("queues.wait_targets", name));
    let kinds = config.kinds.allow.iter().map(|name| ("kinds.allow", name));
    // A star stands for anything, where there are patterns.
    let is_pattern = |name: &str| queue::is_name(&name.replace('*', "x"));
    let names = slots.chain(targets).find(|(_, name)| !queue::is_name(name));
    let mut patterns = allowed.chain(kinds);
    match names.or_else(|| patterns.find(|(_, name)| !is_pattern(name))) {
        Some((setting, name)) => Err(Failure::usage(format!(
            "{setting} has {name:?}, which nothing can be called"
        ))
        .then(format!("A name {}.", queue::NAME_RULE))),
        None => Ok(()),
    }
}

fn check_worker(config: &Config) -> Result<(), Failure> {
    let worker = &config.worker;
    if worker.lease < SHORTEST_LEASE {
        return Err(Failure::usage("the lease is too short to be kept")
            .then("A worker renews it every third of its length; give it 1s at least (--lease)."));
    }
    if worker.max_running == Some(0) {
        return Err(Failure::usage("worker.max_running = 0 runs nothing")
            .then("Give it at least 1, or leave it out for the default."));
    }
    if worker.slots == 0 && worker.queues.values().all(|slots| *slots == 0) {
        return Err(Failure::usage("a worker without slots runs nothing")
            .then("Give it some with --slots, or leave the role worker out of --roles."));
    }
    if config.database.connections < 3 {
        return Err(Failure::usage(
            "database.connections must be 3 at least: one each for claiming, recording and answering",
        ));
    }
    Ok(())
}

fn check_oidc(config: &Config) -> Result<(), Failure> {
    let Some(oidc) = &config.access.oidc else {
        return Ok(());
    };
    OidcConfig::from(oidc).check().map_err(|error| {
        Failure::usage(error.to_string())
            .then("How to let people sign in at a provider stands in docs/operations/access.md.")
    })
}

/// Where nobody says who they are, nobody can be told from who asked.
fn check_second_person(config: &Config) -> Result<(), Failure> {
    if config.access.second_person_over.is_none() || !config.server.is_open() {
        return Ok(());
    }
    Err(Failure::usage(
        "access.second_person_over cannot be kept while nobody has to say who they are: server.dev or server.insecure_no_auth is on",
    )
    .then("Leave it out, or let programs use keys and people sign in: docs/operations/access.md."))
}

fn check_log(config: &Config) -> Result<(), Failure> {
    let level = &config.log.level;
    if let Some(word) = level
        .split(',')
        .map(str::trim)
        .find(|part| !is_filter(part))
    {
        return Err(Failure::usage(format!(
            "the log level {level:?} cannot be read: {word:?} is no level"
        ))
        .then(
            "Use error, warn, info, debug or trace, or part by part as in info,baton_worker=debug.",
        ));
    }
    EnvFilter::try_new(level).map(drop).map_err(|error| {
        Failure::usage(format!("the log level {level:?} cannot be read: {error}")).then(
            "Use error, warn, info, debug or trace, or part by part as in info,baton_worker=debug.",
        )
    })
}

/// Whether a part of a filter says a level: one that does not would silence everything else.
fn is_filter(part: &str) -> bool {
    part.contains('=') || part.parse::<LevelFilter>().is_ok()
}

fn warnings(config: &Config) -> Vec<String> {
    let mut warnings = Vec::new();
    let missing: Vec<_> = Role::ALL
        .into_iter()
        .filter(|role| !config.server.roles.contains(role))
        .map(Role::as_str)
        .collect();
    if config.database.url.scheme() == "sqlite" && !missing.is_empty() {
        warnings.push(format!(
            "a SQLite file has one process, so nobody does what this one leaves out: {}",
            missing.join(", ")
        ));
    }
    if config.database.url.scheme() == "sqlite" && !config.redis.url.is_empty() {
        warnings.push(
            "a SQLite file has one process, which needs no Redis to find its jobs".to_owned(),
        );
    }
    if config.server.insecure_no_auth && !config.server.listen.is_local() {
        warnings.push(format!(
            "whoever reaches {} may do everything: nobody has to say who they are",
            config.server.listen
        ));
    }
    if config
        .server
        .trusted_proxies
        .iter()
        .any(|proxy| proxy.0.prefix_len() == 0)
    {
        warnings.push(
            "server.trusted_proxies trusts everybody, so that anybody can say where they come from; name the proxies alone"
                .to_owned(),
        );
    }
    if config.access.oidc.is_some() && config.server.is_open() {
        warnings.push(
            "access.oidc is of no use while nobody has to sign in: server.dev or server.insecure_no_auth is on".to_owned(),
        );
    }
    warnings.extend(beyond_the_origin(config));
    if config.simulate.allow_crash {
        warnings.push("any client can end this process: simulate.allow_crash is on".to_owned());
    }
    warnings
}

/// Providers that may be called more often at once than anything may.
fn beyond_the_origin(config: &Config) -> impl Iterator<Item = String> {
    let most = config.http.connections_per_origin;
    let providers = config.providers.iter();
    let beyond = providers.filter_map(move |(name, provider)| {
        let wanted = provider
            .concurrency
            .filter(|wanted| *wanted as usize > most)?;
        Some((name, wanted))
    });
    beyond.map(move |(name, wanted)| {
        format!("providers.{name}.concurrency = {wanted} is never reached: http.connections_per_origin is {most}")
    })
}
