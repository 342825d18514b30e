//! The lab tried out on itself.
#![expect(
    clippy::unwrap_used,
    reason = "a test helper that fails should fail loudly, on the line"
)]

mod checker;
mod proxy;
mod proxy_commits;
#[cfg(unix)]
mod proxy_moves;
mod proxy_mysql;
mod support;
mod target;
