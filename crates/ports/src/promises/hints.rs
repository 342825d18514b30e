//! What all hints must do, run like the promises of a store: against memory and against Redis.

mod bench;
mod generations;
mod offering;
mod taken;
mod taking;

use std::{any::Any, process::ExitCode, sync::Arc};

use libtest_mimic::{Arguments, Failed, Trial};
use tokio::runtime;

pub use self::bench::HintsBench;
use super::BoxFuture;
use crate::Hints;

/// Makes fresh hints without an open generation; it is called once for each promise.
pub type HintsFactory = Arc<dyn Fn() -> BoxFuture<Result<FreshHints, String>> + Send + Sync>;

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

/// Something that all hints must do.
pub struct HintsPromise {
    /// What they do, as a sentence.
    pub name: &'static str,
    /// Sees whether they do.
    pub run: fn(HintsBench) -> BoxFuture<()>,
}

/// Writes functions down as promises of hints.
macro_rules! hints_promises {
    ($(async fn $name:ident($bench:ident: $type:ty) $body:block)*) => {
        $(async fn $name($bench: $type) $body)*

        pub(super) const PROMISES: &[$crate::promises::HintsPromise] = &[
            $($crate::promises::HintsPromise {
                name: stringify!($name),
                run: |bench| Box::pin($name(bench)),
            },)*
        ];
    };
}
use hints_promises;

const PROMISES: &[(&str, &[HintsPromise])] = &[
    ("offering", offering::PROMISES),
    ("taking", taking::PROMISES),
    ("taken", taken::PROMISES),
    ("generations", generations::PROMISES),
];

/// Runs every promise against all these hints, with the arguments of a test binary.
#[must_use]
pub fn run_hints(all: &[(&str, HintsFactory)]) -> ExitCode {
    let trials = all
        .iter()
        .flat_map(|(hints, factory)| trials_of(hints, factory));
    libtest_mimic::run(&Arguments::from_args(), trials.collect()).exit_code()
}

fn trials_of(hints: &str, factory: &HintsFactory) -> Vec<Trial> {
    let promises = PROMISES.iter();
    let named = promises.flat_map(|(word, promises)| promises.iter().map(move |p| (word, p)));
    let trials = named.map(|(word, promise)| {
        let (factory, run) = (factory.clone(), promise.run);
        let name = format!("{hints}::hints::{word}::{}", promise.name);
        Trial::test(name, move || keep_promise(&factory, run))
    });
    trials.collect()
}

fn keep_promise(
    factory: &HintsFactory,
    run: fn(HintsBench) -> BoxFuture<()>,
) -> Result<(), Failed> {
    let runtime = runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let fresh = factory().await?;
        run(HintsBench::new(&fresh)).await;
        drop(fresh);
        Ok(())
    })
}
