//! The engine and its workers on the model store, in virtual time, under seeded faults.
//!
//! A seed decides the weather, what clients ask for, what the target answers and what the nemesis
//! does; a failing one is printed with its story and the way to play it again. More seeds:
//! `BATON_SIMULATION_SEEDS=100000 cargo test --release -p baton-simulation`.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod bugs;
mod client;
mod clock;
mod coverage;
mod far;
mod fleet;
mod hint_line;
mod invariants;
mod journal;
mod link;
mod nemesis;
mod poltergeist;
mod postman;
mod probe;
mod quiet;
mod script;
mod seeds;
mod sender;
mod stories;
mod story;
mod target;
mod witness;
mod world;
