//! What a test may ask for.
//!
//! A private PostgreSQL, MariaDB, MySQL or Redis, a line that breaks on demand, a headless browser, a provider of sign-ins, a collector of traces, a free port, a
//! condition to wait for, a stopwatch.
//!
//! For tests only: what goes wrong fails the test. The servers are those of the [lab](baton_lab::servers);
//! it makes *empty* databases, the caller migrates them. Whatever is started ends with the test process,
//! also when that is killed.

mod browser;
pub mod identities;
mod mysql;
mod oidc_provider;
mod postgres;
mod redis;
mod span_collector;
mod stopwatch;
mod wait;

pub use baton_lab::{
    proxy,
    servers::{Brand, Confirms, Database, Galera, PgBouncer, Replicated, Reply, Sentinels},
};
pub use browser::Browser;
pub use identities::{Identities, Twist};
pub use mysql::Mysql;
pub use oidc_provider::OidcProvider;
pub use postgres::Postgres;
pub use redis::Redis;
pub use span_collector::{Manner, ReceivedSpan, SpanCollector};
pub use stopwatch::Stopwatch;
pub use wait::eventually;

/// Returns a loopback port that nothing listens on and that this process has not been given before.
#[must_use]
pub fn free_port() -> u16 {
    or_fail(baton_lab::servers::free_port())
}

/// Sends a signal, such as `"TERM"`, `"STOP"` or `"CONT"`, to the process and panics if there is
/// none.
pub fn signal(pid: u32, name: &str) {
    or_fail(baton_lab::servers::signal(pid, name));
}

/// Fails the test with the whole of an error.
fn or_fail<T>(result: anyhow::Result<T>) -> T {
    result.unwrap_or_else(|error| panic!("{error:#}"))
}
