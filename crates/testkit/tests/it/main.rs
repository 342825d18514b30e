//! What the workshop promises, and the shape of the fixture.
#![expect(
    clippy::unwrap_used,
    reason = "a test that cannot go on says so by panicking"
)]

mod architecture;
mod browser;
mod catalogue;
mod deployment;
mod documents;
mod eventually;
mod metrics;
mod orphans;
mod port;
mod postgres;
mod recipes;
mod redis;
mod residue;
mod stopwatch;
