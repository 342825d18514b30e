//! The worker against the model store, in virtual time.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod attempts;
mod beside;
mod checkpoints;
mod claims;
mod hints;
mod leases;
mod listener;
mod local_dispatch;
mod recording;
mod sharing;
mod slots;
mod spy;
mod stopping;
mod together;
mod world;
