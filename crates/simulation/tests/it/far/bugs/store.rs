//! Mistakes of the store.

use std::time::Duration;

use async_trait::async_trait;
use baton_domain::{JobId, LeaseId, Timestamp, WorkerId, job::NewJob};
use baton_ports::{
    Store,
    layer::{Hook, Layer},
    store::{
        Atomicity, AttemptResult, By, CheckpointOutcome, CheckpointStep, Claimed, HeldJob, Result,
        SettleOutcome,
    },
};

use tokio::time::sleep;

use super::is_caught;
use crate::{
    bugs::leases::all_held,
    far::world::{FLAWLESS, Flaw},
};

/// Answers a claim that is asked again for its first want alone.
struct Forgetful;

#[async_trait]
impl Hook for Forgetful {
    async fn claimed(
        &self,
        below: &dyn Store,
        worker: WorkerId,
        leases: &[LeaseId],
        now: Timestamp,
    ) -> Result<Vec<Claimed>> {
        below.claimed(worker, &leases[..1], now).await
    }
}

#[test]
fn a_repeat_that_forgets_a_want_is_caught() {
    let store = |store| Layer::over(store, Forgetful) as _;
    is_caught(
        Flaw { store, ..FLAWLESS },
        "a_lease_ends_only_with_its_worker",
    );
}

/// Writes the children of a step whether the cursor moves by it or not.
struct Careless;

#[async_trait]
impl Hook for Careless {
    async fn checkpoint(
        &self,
        below: &dyn Store,
        worker: WorkerId,
        step: &CheckpointStep,
        now: Timestamp,
    ) -> Result<CheckpointOutcome> {
        let outcome = below.checkpoint(worker, step, now).await?;
        let is_new = matches!(
            outcome,
            CheckpointOutcome::Recorded {
                is_repeated: false,
                ..
            }
        );
        if !is_new {
            let children = step.jobs.iter().cloned().map(|child| NewJob {
                id: JobId::new(now),
                created_at: now,
                run_at: now,
                ..child
            });
            below.enqueue(children.collect(), Atomicity::All).await?;
        }
        Ok(outcome)
    }
}

#[test]
fn children_without_a_move_are_caught() {
    let store = |store| Layer::over(store, Careless) as _;
    is_caught(Flaw { store, ..FLAWLESS }, "every_item_has_one_child");
}

/// Sees that the lease holds the attempt, and moves the cursor a while later, whose the job is by then: nothing has kept the lease
/// from ending meanwhile.
struct Unlocked;

const A_WHILE: Duration = Duration::from_secs(4);

#[async_trait]
impl Hook for Unlocked {
    async fn checkpoint(
        &self,
        below: &dyn Store,
        worker: WorkerId,
        step: &CheckpointStep,
        now: Timestamp,
    ) -> Result<CheckpointOutcome> {
        let held = all_held(below).await?;
        let is_held =
            |one: &HeldJob| (one.worker, one.lease, one.job) == (worker, step.lease, step.job);
        if !held.iter().any(is_held) {
            return below.checkpoint(worker, step, now).await;
        }
        sleep(A_WHILE).await;
        let held = all_held(below).await?;
        let Some(holder) = held.iter().find(|one| one.job == step.job) else {
            return below.checkpoint(worker, step, now).await;
        };
        let unfenced = CheckpointStep {
            lease: holder.lease,
            attempt: holder.counters.attempt,
            ..step.clone()
        };
        below.checkpoint(holder.worker, &unfenced, now).await
    }
}

#[test]
fn a_checkpoint_without_the_lock_of_its_lease_is_caught() {
    let store = |store| Layer::over(store, Unlocked) as _;
    is_caught(
        Flaw { store, ..FLAWLESS },
        "only_the_holder_of_a_lease_moves_a_cursor",
    );
}

/// Counts tries anew after every attempt.
struct Indulgent;

#[async_trait]
impl Hook for Indulgent {
    async fn settle(
        &self,
        below: &dyn Store,
        by: By,
        results: &[AttemptResult],
        now: Timestamp,
    ) -> Result<Vec<SettleOutcome>> {
        let anew = |one: &AttemptResult| {
            let mut one = one.clone();
            one.decision.tries = 0;
            one
        };
        let results: Vec<_> = results.iter().map(anew).collect();
        below.settle(by, &results, now).await
    }
}

#[test]
fn tries_that_begin_anew_without_a_move_are_caught() {
    let store = |store| Layer::over(store, Indulgent) as _;
    is_caught(
        Flaw { store, ..FLAWLESS },
        "tries_begin_anew_only_after_a_move",
    );
}
