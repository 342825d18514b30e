//! The worker: claims jobs, runs their handlers, records what became of them.
//!
//! Four loops share one [`core`]: the [`claimer`] takes jobs for free slots, runners ([`run`]) make
//! the attempts, the [`settler`] records results in batches, the [`renewer`] keeps the leases and
//! hears of those that were lost; [`deadlines`] stops work whose lease may have ended. Beside the
//! claimer, jobs come by [`local_dispatch`], from the engine of the same process. What names jobs to the claimer, so that
//! the store need not be searched, is a [`claim_source`]; [`hints`] are one. A claimed job
//! ends in exactly one of two ways: a settlement is recorded for it, or its lease is lost and another
//! worker has it.
//!
//! To teach the worker a new kind, implement [`baton_ports::Handler`] and hand it to [`Worker::new`].
#![warn(missing_docs)]

mod all_slots;
mod backlog;
mod claim_source;
mod claimer;
mod config;
mod core;
mod cursor;
mod deadlines;
mod detached;
mod finished_attempt;
mod hints;
mod job;
mod lease;
mod leases;
mod local_dispatch;
mod lost_claims;
mod pace;
mod process_slots;
mod queue_slots;
mod queue_view;
mod refused_results;
mod renewer;
mod results;
mod run;
mod runtime;
mod settler;
mod spans;
mod status;
mod stop;
mod store_backoff;
mod telemetry;

pub use config::{Config, SlotsConfig};
pub use runtime::Worker;
pub use status::{QueueStatus, Status};
pub use stop::{Report, Stop};
