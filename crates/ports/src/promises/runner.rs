//! Runs promises, each as a test with something fresh of its own.

use std::sync::Arc;

use libtest_mimic::{Failed, Trial};
use tokio::runtime;

use super::{Bench, BoxFuture};

/// Something that everything of a kind must do: every store, or all hints.
pub struct Promise<B = Bench> {
    /// What it does, as a sentence.
    pub name: &'static str,
    /// Sees whether it does.
    pub run: fn(B) -> BoxFuture<()>,
}

/// Writes functions down as promises, so that no name is written twice.
macro_rules! promises {
    (@first $first:ident $($others:ident)*) => { $first };
    ($($(#[$doc:meta])* async fn $name:ident($bench:ident: $type:ident) $body:block)*) => {
        $($(#[$doc])* async fn $name($bench: $type) $body)*

        pub(in $crate::promises) const PROMISES: &[
            $crate::promises::Promise<$crate::promises::promises!(@first $($type)*)>
        ] = &[
            $($crate::promises::Promise {
                name: stringify!($name),
                run: |bench| Box::pin($name(bench)),
            },)*
        ];
    };
}
pub(in crate::promises) use promises;

/// Makes something fresh; it is called once for each promise, in the runtime that runs it.
pub type Factory<F> = Arc<dyn Fn() -> BoxFuture<Result<F, String>> + Send + Sync>;

/// The promises as tests; `bench` puts what is fresh on the bench, and it is kept until the end.
pub(super) fn trials<F: 'static, B: 'static>(
    of: &str,
    promises: &'static [(&str, &[Promise<B>])],
    factory: &Factory<F>,
    bench: fn(&F) -> B,
) -> Vec<Trial> {
    let named = promises
        .iter()
        .flat_map(|(word, promises)| promises.iter().map(move |promise| (word, promise)));
    let trials = named.map(|(word, promise)| {
        let (factory, run) = (factory.clone(), promise.run);
        let name = format!("{of}::{word}::{}", promise.name);
        Trial::test(name, move || keep_promise(&factory, bench, run))
    });
    trials.collect()
}

fn keep_promise<F, B>(
    factory: &Factory<F>,
    bench: fn(&F) -> B,
    run: fn(B) -> BoxFuture<()>,
) -> Result<(), Failed> {
    // Several threads, so that callers who race do race.
    let runtime = runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let fresh = factory().await?;
        run(bench(&fresh)).await;
        drop(fresh);
        Ok(())
    })
}
