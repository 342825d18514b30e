//! How many files may be open at once: each connection is one.

use crate::config::{Config, Role};

/// What a process opens beside its connections: its log, its database, its own wires.
const BESIDE: u64 = 64;
/// How many idle connections are kept for the next calls.
const IDLE: u64 = 1_024;
/// How many a call opens while it is made: names are asked for over a connection of their own.
const PER_CALL: u64 = 2;

/// Asks for as many as this process may have at all. Where that is not granted, [`lack`] tells.
pub fn raise() {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, getrlimit, setrlimit};
        let mut limit = getrlimit(Resource::Nofile);
        limit.current = limit.maximum;
        let _ = setrlimit(Resource::Nofile, limit);
    }
}

/// How many may be open; `None` if there is no telling, or no limit.
pub fn allowed() -> Option<u64> {
    #[cfg(unix)]
    return rustix::process::getrlimit(rustix::process::Resource::Nofile).current;
    #[cfg(not(unix))]
    None
}

/// How many the settings let it need.
pub fn needed(config: &Config) -> u64 {
    let of = |role, count| match config.server.roles.contains(&role) {
        true => count,
        false => 0,
    };
    let calls = of(Role::Worker, u64::from(config.worker.max_running()));
    calls * PER_CALL
        + of(Role::Worker, IDLE)
        + of(Role::Api, config.server.connections as u64)
        + config.database.connections as u64
        + BESIDE
}

/// What is wrong if so many may be needed and fewer are allowed, and what to do.
pub fn lack(config: &Config) -> Option<String> {
    let (allowed, needed) = (allowed()?, needed(config));
    (allowed < needed).then(|| {
        format!(
            "this process may have {allowed} files open, and its settings let it need {needed}: connections can fail. \
             Allow more (LimitNOFILE={needed} in a systemd unit, --ulimit nofile={needed} for a container, ulimit -n \
             {needed} in a shell), or set worker.max_running and server.connections lower"
        )
    })
}
