//! Hints in memory keep every promise of hints.

use std::{process::ExitCode, sync::Arc};

use baton_domain::{JobId, Timestamp};
use baton_ports::{
    hints::MemoryHints,
    promises::{FreshHints, HintsFactory, run_hints},
};

fn main() -> ExitCode {
    let memory: HintsFactory = Arc::new(|| Box::pin(async { Ok(memory()) }));
    run_hints(&[("memory", memory)])
}

fn memory() -> FreshHints {
    let hints = Arc::new(MemoryHints::new());
    let (forgetful, poisoned) = (hints.clone(), hints.clone());
    FreshHints {
        hints,
        others: Arc::new(MemoryHints::new()),
        forget: Arc::new(move || forgetful.restart_empty()),
        poison: Arc::new(move |queue| {
            poisoned.poison(queue, [JobId::new(Timestamp::from_micros(0))]);
        }),
        keep: Box::new(()),
    }
}
