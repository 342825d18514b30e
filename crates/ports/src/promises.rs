//! Promises: what every store must do, written once as sentences and run against each.
//!
//! A test of a store calls [`run`] with the stores it has; each promise gets a fresh, empty one. Names
//! read `memory::jobs::a_due_job_is_queued_straight_away`. Nothing here waits for real time: a
//! [`Bench`] turns the clock by hand.
#![expect(
    clippy::unwrap_used,
    reason = "promises are tests, although they are compiled like a library"
)]

mod access;
mod audit_log;
mod bench;
mod campaigns;
mod checkpoints;
mod claim;
mod dead_letters;
mod enqueue;
mod erasures;
mod events;
mod fleet;
mod force_cancel;
mod hinting;
mod hints;
mod inbox;
mod leadership;
mod limits;
mod lists;
mod model;
mod nodes;
mod operations;
mod outstanding;
mod queues;
mod recipients;
mod release;
mod renew;
mod rollups;
mod runner;
mod schedules;
mod settle;
mod start;
mod traces;
mod transition;
mod upkeep;

use std::{any::Any, future::Future, num::NonZero, pin::Pin, process::ExitCode, sync::Arc, thread};

use libtest_mimic::{Arguments, Trial};

use self::runner::promises;
pub use self::{
    bench::Bench,
    erasures::canary::{CANARY, Canary, TRACE},
    hints::{FreshHints, HintsBench, HintsFactory, run_hints},
    runner::{Factory, Promise},
};
use crate::Store;

/// A future that is on its own.
pub type BoxFuture<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// Makes a fresh, empty store.
pub type StoreFactory = Factory<Fresh>;

/// A fresh, empty store.
pub struct Fresh {
    /// The store.
    pub store: Arc<dyn Store>,
    /// What is to be kept as long as the store is used: a folder, a schema that is dropped after.
    pub keep: Box<dyn Any + Send + Sync>,
}

impl Fresh {
    /// A store that needs nothing kept.
    #[must_use]
    pub fn new(store: Arc<dyn Store>) -> Self {
        Self {
            store,
            keep: Box::new(()),
        }
    }
}

/// Every promise, by the word of the port it belongs to.
pub const PROMISES: &[(&str, &[Promise])] = &[
    ("jobs", enqueue::PROMISES),
    ("jobs", lists::PROMISES),
    ("jobs", transition::PROMISES),
    ("jobs", force_cancel::PROMISES),
    ("work", claim::PROMISES),
    ("work", start::PROMISES),
    ("work", limits::PROMISES),
    ("work", renew::PROMISES),
    ("work", settle::PROMISES),
    ("work", settle::late::PROMISES),
    ("work", settle::many::PROMISES),
    ("work", settle::rescue::PROMISES),
    ("work", release::PROMISES),
    ("work", traces::PROMISES),
    ("work", checkpoints::PROMISES),
    ("work", checkpoints::again::PROMISES),
    ("work", checkpoints::children::PROMISES),
    ("work", checkpoints::progress::PROMISES),
    ("work", checkpoints::races::PROMISES),
    ("dead_letters", dead_letters::PROMISES),
    ("dead_letters", dead_letters::operations::PROMISES),
    ("operations", operations::PROMISES),
    ("queues", queues::PROMISES),
    ("rollups", rollups::PROMISES),
    ("recipients", recipients::PROMISES),
    ("recipients", recipients::walk::PROMISES),
    ("campaigns", campaigns::PROMISES),
    ("campaigns", campaigns::approvals::PROMISES),
    ("campaigns", campaigns::control::PROMISES),
    ("campaigns", campaigns::books::PROMISES),
    ("campaigns", campaigns::gaps::PROMISES),
    ("campaigns", campaigns::line::PROMISES),
    ("campaigns", campaigns::losses::PROMISES),
    ("campaigns", campaigns::midst::PROMISES),
    ("campaigns", campaigns::storm::PROMISES),
    ("campaigns", campaigns::unreached::PROMISES),
    ("erasures", erasures::PROMISES),
    ("erasures", erasures::races::PROMISES),
    ("inbox", inbox::PROMISES),
    ("inbox", inbox::notify::PROMISES),
    ("schedules", schedules::PROMISES),
    ("schedules", schedules::fire::PROMISES),
    ("schedules", schedules::campaign::PROMISES),
    ("fleet", fleet::PROMISES),
    ("nodes", nodes::PROMISES),
    ("leadership", leadership::PROMISES),
    ("events", events::PROMISES),
    ("hinting", hinting::PROMISES),
    ("access", access::PROMISES),
    ("access", access::users::PROMISES),
    ("access", access::set_up::PROMISES),
    ("access", access::identities::PROMISES),
    ("access", access::sessions::PROMISES),
    ("audit_log", audit_log::PROMISES),
    ("audit_log", audit_log::audited::PROMISES),
    ("upkeep", upkeep::PROMISES),
    ("upkeep", upkeep::keys::PROMISES),
    ("upkeep", upkeep::unused::PROMISES),
    ("upkeep", outstanding::PROMISES),
    ("model", model::PROMISES),
];

/// Runs every promise against every store, with the arguments of a test binary.
#[must_use]
pub fn run(stores: &[(&str, StoreFactory)]) -> ExitCode {
    let trials = stores
        .iter()
        .flat_map(|(store, factory)| trials_of(store, factory));
    let mut arguments = Arguments::from_args();
    // Most of the time a promise waits for its database.
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    arguments.test_threads.get_or_insert(2 * cores);
    libtest_mimic::run(&arguments, trials.collect()).exit_code()
}

/// The promises as tests of one store, for a binary that has tests of its own beside them.
pub fn trials_of(store: &str, factory: &StoreFactory) -> Vec<Trial> {
    let bench = |fresh: &Fresh| Bench::new(fresh.store.clone());
    runner::trials(store, PROMISES, factory, bench)
}
