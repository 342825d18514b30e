//! The SDK as its users have it: against the real server, with processes that are killed.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod batches;
mod doors;
mod ground;
mod handlers;
mod jobs;
mod rough;
mod spans;
mod stops;
