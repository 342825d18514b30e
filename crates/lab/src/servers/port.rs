//! Ports for servers that cannot choose their own.

use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};
use std::net::TcpListener;

use anyhow::{Context, Result};
use parking_lot::Mutex;

/// Below the ports that Linux gives to outgoing connections: a server that is down for a moment
/// keeps its port.
const FIRST: u16 = 10_000;
const LAST: u16 = 32_000;

static GIVEN: Mutex<Option<HashSet<u16>>> = Mutex::new(None);

/// Returns a loopback port that nothing listens on and that this process has not been given before.
pub fn free_port() -> Result<u16> {
    let mut given = GIVEN.lock();
    let given = given.get_or_insert_default();
    let port = candidates()
        .find(|port| !given.contains(port) && is_free(*port))
        .context("no port of loopback between 10,000 and 32,000 is free")?;
    given.insert(port);
    Ok(port)
}

/// All ports, from a random one on, so that test processes side by side rarely try the same.
fn candidates() -> impl Iterator<Item = u16> {
    let count = LAST - FIRST;
    let start = (RandomState::new().hash_one(0) % u64::from(count)) as u16;
    (0..count).map(move |step| FIRST + (start + step) % count)
}

fn is_free(port: u16) -> bool {
    TcpListener::bind(("127.0.0.1", port)).is_ok()
}
