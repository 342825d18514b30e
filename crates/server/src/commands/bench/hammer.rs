//! Many callers, each with one call under way, for a while.

use std::{future::Future, time::Duration};

use futures::future::try_join_all;
use indicatif::ProgressBar;
use tokio::time::Instant;

use crate::exit::Failure;

/// What came of it.
pub struct Hammered {
    /// How long each call took.
    pub calls: Vec<Duration>,
    pub took: Duration,
}

/// Has so many callers call for so long, one call after the other.
pub async fn hammer<C, F>(
    callers: u32,
    span: Duration,
    bar: &ProgressBar,
    call: C,
) -> Result<Hammered, Failure>
where
    C: Fn() -> F + Clone + Send + 'static,
    F: Future<Output = Result<(), Failure>> + Send,
{
    let begun = Instant::now();
    let tasks = (0..callers).map(|_| {
        let (call, bar) = (call.clone(), bar.clone());
        Caller(tokio::spawn(async move {
            let mut calls = Vec::new();
            while begun.elapsed() < span {
                let sent = Instant::now();
                call().await?;
                calls.push(sent.elapsed());
                bar.set_position(millis(begun.elapsed()));
            }
            Ok::<_, Failure>(calls)
        }))
    });
    let tasks: Vec<_> = tasks.collect();
    let calls = try_join_all(tasks.into_iter().map(Caller::end)).await?;
    Ok(Hammered {
        calls: calls.concat(),
        took: begun.elapsed(),
    })
}

/// As a bar counts it.
fn millis(span: Duration) -> u64 {
    u64::try_from(span.as_millis()).unwrap_or(u64::MAX)
}

/// A task that ends with whoever waits for it.
struct Caller<T>(tokio::task::JoinHandle<Result<T, Failure>>);

impl<T> Caller<T> {
    async fn end(mut self) -> Result<T, Failure> {
        (&mut self.0)
            .await
            .map_err(|error| Failure::new(format!("a caller has ended: {error}")))?
    }
}

impl<T> Drop for Caller<T> {
    fn drop(&mut self) {
        self.0.abort();
    }
}
