//! Results that the store refuses: they must not hold up the others, and must not be forgotten.

use std::{sync::Arc, time::Duration};

use baton_domain::job::{Decision, Failure};
use baton_ports::store::{Error, Settlement};

use crate::{
    core::Core,
    ended::{About, Ended},
    flusher::{landed, settle},
};

/// How long a refused result waits for its next chance.
const REST: Duration = Duration::from_secs(10);
/// So many refusals in a row are the store's fault, not the results'.
const TOO_MANY: usize = 16;

/// Records the results of a refused batch one by one; those refused again wait and come back.
pub async fn settle_apart(
    core: &Arc<Core>,
    batch: &[Settlement],
    abouts: Vec<About>,
    error: &Error,
) {
    tracing::error!(error = %error, results = batch.len(), "the store refused a batch of results: {error}; they are recorded one by one");
    let mut refused = Vec::new();
    let mut in_a_row = 0;
    for (settlement, about) in batch.iter().cloned().zip(abouts) {
        if in_a_row < TOO_MANY && settle_one(core, &settlement, &about).await {
            in_a_row = 0;
        } else {
            in_a_row += 1;
            refused.push(Ended { settlement, about });
        }
    }
    if !refused.is_empty() {
        put_off(core, refused);
    }
}

/// Records one result; if its words are refused, without them.
async fn settle_one(core: &Core, settlement: &Settlement, about: &About) -> bool {
    for settlement in [settlement.clone(), without_words(settlement)] {
        let batch = Arc::new(vec![settlement]);
        match settle(core, &batch).await {
            Ok(answers) => {
                landed(core, &batch, std::slice::from_ref(about), &answers);
                return true;
            }
            Err(error) if error.is_passing() => return false,
            Err(error) => {
                tracing::error!(job = %batch[0].job, error = %error, "the store refused the result of {}: {error}", batch[0].job);
            }
        }
    }
    false
}

/// A settlement without what came from outside, which a database may dislike.
fn without_words(settlement: &Settlement) -> Settlement {
    let failure = settlement.decision.failure.as_ref().map(|failure| {
        Failure::new(
            failure.class,
            "unrecordable",
            "the store refused the words of this failure",
        )
    });
    let reason = settlement.decision.reason.as_ref();
    Settlement {
        decision: Decision {
            failure,
            result: None,
            reason: reason.filter(|reason| reason.is_ascii()).cloned(),
            ..settlement.decision.clone()
        },
        ..settlement.clone()
    }
}

/// Refused results come back after a rest, and count as held until then.
fn put_off(core: &Arc<Core>, refused: Vec<Ended>) {
    let core = Arc::clone(core);
    tokio::spawn(async move {
        tokio::select! {
            () = tokio::time::sleep(REST) => core.results.put_back(refused),
            () = core.over.cancelled() => {}
        }
    });
}
