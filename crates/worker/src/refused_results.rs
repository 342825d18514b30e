//! Results that the store refuses: they must not hold up the others, and must not be forgotten.

use std::{collections::VecDeque, sync::Arc, time::Duration};

use baton_domain::job::{Decision, Failure};
use baton_ports::store::{AttemptResult, Error};

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
    let ends = batch.iter().cloned().zip(contexts);
    let ends = ends.map(|(result, context)| FinishedAttempt { result, context });
    let mut pieces = Pieces {
        size: batch.len().div_ceil(2),
        left: ends.collect(),
        refused: Vec::new(),
        in_a_row: 0,
        are_taken: false,
    };
    while !pieces.left.is_empty() && pieces.in_a_row < TOO_MANY && !core.hard.is_cancelled() {
        pieces.settle_next(core, delay).await;
    }
    pieces.refused.extend(pieces.left);
    if !pieces.refused.is_empty() {
        put_off(core, pieces.refused);
    }
}

/// What is left of a batch, on its way piece by piece.
struct Pieces {
    left: VecDeque<FinishedAttempt>,
    /// How many are tried next; twice as many after a success.
    size: usize,
    refused: Vec<FinishedAttempt>,
    /// How many were refused alone, one after the other.
    in_a_row: usize,
    /// Whether the store has taken anything.
    are_taken: bool,
}

impl Pieces {
    async fn settle_next(&mut self, core: &Arc<Core>, delay: &mut StoreBackoff) {
        let count = self.size.clamp(1, self.left.len());
        let piece = self.left.iter().take(count);
        let piece = Arc::new(piece.map(|ended| ended.result.clone()).collect::<Vec<_>>());
        match settle(core, &piece).await {
            Ok(answers) => {
                let contexts: Vec<_> = self
                    .left
                    .drain(..count)
                    .map(|ended| ended.context)
                    .collect();
                landed(core, &piece, &contexts, &answers);
                (self.are_taken, self.in_a_row, self.size) = (true, 0, count * 2);
            }
            Err(error) if error.is_passing() => {
                complain(core, delay, count, &error);
                self.size = count / 2;
                if count == 1 {
                    self.stand_aside();
                }
                wait_for_the_store(core, delay).await;
            }
            Err(_) if count > 1 => self.size = count / 2,
            Err(error) => self.without_words(core, &error).await,
        }
    }

    /// One alone is not answered for: it is in the way if others were, and else the store is away.
    fn stand_aside(&mut self) {
        if self.are_taken {
            self.refused.extend(self.left.pop_front());
        } else {
            self.left.rotate_left(1);
        }
    }

    /// One alone is refused: its words may be why.
    async fn without_words(&mut self, core: &Arc<Core>, error: &Error) {
        let Some(FinishedAttempt { result, context }) = self.left.pop_front() else {
            return;
        };
        tracing::error!(job = %result.job, error = %error, "the store refused the result of {}: {error}", result.job);
        let piece = Arc::new(vec![without_words(&result)]);
        if let Ok(answers) = settle(core, &piece).await {
            landed(core, &piece, std::slice::from_ref(&context), &answers);
            (self.are_taken, self.in_a_row) = (true, 0);
        } else {
            self.refused.push(FinishedAttempt { result, context });
            self.in_a_row += 1;
        }
    }
}

/// A settlement without what came from outside, which a database may dislike.
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
