//! What all hints must do, run like the promises of a store: against memory and against Redis.

mod bench;
mod generations;
mod offering;
mod taken;
mod taking;

use std::{any::Any, process::ExitCode, sync::Arc};

use libtest_mimic::Arguments;

pub use self::bench::HintsBench;
use super::{Factory, Promise, runner};
use crate::Hints;

/// Makes fresh hints without an open generation.
pub type HintsFactory = Factory<FreshHints>;

/// Fresh hints, and what breaks them.
pub struct FreshHints {
    /// Of one installation.
    pub hints: Arc<dyn Hints>,
    /// Of another installation at the same place.
    pub others: Arc<dyn Hints>,
    /// Makes the far end forget everything.
    pub forget: Arc<dyn Fn() + Send + Sync>,
    /// Puts an entry that nobody has offered into a queue: for a job, which the entry may not name.
    pub poison: Arc<dyn Fn(&str) + Send + Sync>,
    /// What is to be kept as long as they are used.
    pub keep: Box<dyn Any + Send + Sync>,
}

const PROMISES: &[(&str, &[Promise<HintsBench>])] = &[
    ("offering", offering::PROMISES),
    ("taking", taking::PROMISES),
    ("taken", taken::PROMISES),
    ("generations", generations::PROMISES),
];

/// Runs every promise against all these hints, with the arguments of a test binary.
#[must_use]
pub fn run_hints(all: &[(&str, HintsFactory)]) -> ExitCode {
    let trials = all.iter().flat_map(|(hints, factory)| {
        let of = format!("{hints}::hints");
        runner::trials(&of, PROMISES, factory, HintsBench::new)
    });
    libtest_mimic::run(&Arguments::from_args(), trials.collect()).exit_code()
}
