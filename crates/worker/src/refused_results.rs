//! Results that the store refuses: they must not hold up the others, and must not be forgotten.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use baton_domain::job::{Decision, Failure};
use baton_ports::{
    bisect::bisect,
    store::{AttemptResult, Error, Result},
};

use crate::{
    core::Core,
    finished_attempt::{AttemptContext, FinishedAttempt},
    settler::{complain, landed, settle, wait_for_the_store},
    store_backoff::StoreBackoff,
};

/// How long a refused result waits for its next chance.
const REST: Duration = Duration::from_secs(10);
/// So many refusals in a row are the store's fault, not the results'.
const TOO_MANY: usize = 16;

/// Records the results of a batch that the store refuses, or never answers in time: in halves, until what
/// is in the way stands alone. That waits and comes back, and holds up no other.
pub async fn settle_apart(
    core: &Arc<Core>,
    batch: &[AttemptResult],
    contexts: Vec<AttemptContext>,
    delay: &mut StoreBackoff,
) {
    let batch = batch.iter().cloned().zip(contexts);
    let batch: Vec<_> = batch
        .map(|(result, context)| FinishedAttempt { result, context })
        .collect();
    let refusals = AtomicUsize::new(0);
    let refused = loop {
        match bisect(&batch, true, |piece| record(core, piece, &refusals)).await {
            Ok(bisected) => break bisected.alone.into_iter().map(|(one, _)| one).collect(),
            Err(error) if !core.hard.is_cancelled() => {
                complain(core, delay, batch.len(), &error);
                wait_for_the_store(core, delay).await;
            }
            Err(_) => break batch,
        }
    };
    if !refused.is_empty() {
        put_off(core, refused);
    }
}

/// Records a piece of a batch; one alone that is refused without its words, which may be why.
async fn record(core: &Core, piece: Vec<FinishedAttempt>, refusals: &AtomicUsize) -> Result<()> {
    if core.hard.is_cancelled() || refusals.load(Ordering::Relaxed) >= TOO_MANY {
        return Err(Error::Refused("the store is not asked any more".to_owned()));
    }
    let piece = piece.into_iter().map(|one| (one.result, one.context));
    let (results, contexts): (Vec<_>, Vec<_>) = piece.unzip();
    let mut results = Arc::new(results);
    let mut answers = settle(core, &results).await;
    if let ([one], Err(error)) = (&results[..], &answers)
        && !error.is_passing()
    {
        tracing::error!(job = %one.job, error = %error, "the store refused the result of {}: {error}", one.job);
        let plain = Arc::new(vec![without_words(one)]);
        match settle(core, &plain).await {
            Ok(recorded) => (results, answers) = (plain, Ok(recorded)),
            Err(_) => drop(refusals.fetch_add(1, Ordering::Relaxed)),
        }
    }
    landed(core, &results, &contexts, &answers?);
    refusals.store(0, Ordering::Relaxed);
    Ok(())
}

/// A result without what came from outside, which a database may dislike.
fn without_words(result: &AttemptResult) -> AttemptResult {
    let failure = result.decision.failure.as_ref().map(|failure| {
        Failure::new(
            failure.class,
            "unrecordable",
            "the store refused the words of this failure",
        )
    });
    let reason = result.decision.reason.as_ref();
    AttemptResult {
        decision: Decision {
            failure,
            result: None,
            reason: reason.filter(|reason| reason.is_ascii()).cloned(),
            ..result.decision.clone()
        },
        ..result.clone()
    }
}

/// Refused results come back after a rest, and count as held until then.
fn put_off(core: &Arc<Core>, refused: Vec<FinishedAttempt>) {
    let core = Arc::clone(core);
    tokio::spawn(async move {
        tokio::select! {
            () = tokio::time::sleep(REST) => core.results.put_back(refused),
            () = core.over.cancelled() => {}
        }
    });
}
