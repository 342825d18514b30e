//! The engine over the model of a store, with hints in memory.
#![expect(clippy::unwrap_used, reason = "tests")]

mod bisecting;
mod campaigns;
mod clocks;
mod doors;
mod doubt;
mod enqueue_batcher;
mod fixture;
mod gauges;
mod hangups;
mod health;
mod hints;
mod leases;
mod nodes;
mod notifications;
mod operations;
mod passwords;
mod poller;
mod rescuer;
mod schedules;
mod unreached;
