//! The client against a server that does what each test says.
#![expect(clippy::unwrap_used, reason = "in a test a panic is the report")]

mod coverage;
mod export;
mod feed;
mod inbox;
#[cfg(target_os = "linux")]
mod keepalive;
mod key;
mod repeat;
mod server;
