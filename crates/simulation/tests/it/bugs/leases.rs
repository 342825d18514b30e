//! Mistakes with leases.

use std::time::Duration;

use async_trait::async_trait;
use baton_domain::{LeaseId, Timestamp, WorkerId};
use baton_ports::{
    Store,
    store::{
        AttemptResult, By, Claim, Claimed, HeldJob, LeaseView, Renewed, Result, SettleOutcome,
    },
};
use parking_lot::Mutex;
use tokio::time::sleep;

use super::{is_caught, with};
use baton_ports::layer::Hook;

use crate::fleet::LEASE;

/// More than there ever is.
const ALL: u32 = 10_000;

/// Everything that anybody holds.
pub async fn all_held(below: &dyn Store) -> Result<Vec<HeldJob>> {
    let leases = below.leases(ALL).await?;
    let leases: Vec<_> = leases.iter().map(|lease| lease.lease).collect();
    below.held(&leases, ALL).await
}

/// Hands a job out again that somebody has.
#[derive(Default)]
struct Twice(Mutex<Option<(WorkerId, Claimed)>>);

#[async_trait]
impl Hook for Twice {
    async fn claim(
        &self,
        below: &dyn Store,
        claim: &Claim,
        now: Timestamp,
    ) -> Result<Vec<Claimed>> {
        let mut claimed = below.claim(claim, now).await?;
        let first = claimed.first().cloned();
        let mut before = self.0.lock();
        let want = &claim.queues[0];
        let again = before.take_if(|(worker, one)| {
            *worker != claim.worker && one.args.queue == want.queue && claimed.is_empty()
        });
        if let Some((_, again)) = again {
            let lease = want.lease;
            claimed.push(Claimed { lease, ..again });
        }
        if let Some(first) = first {
            *before = Some((claim.worker, first));
        }
        Ok(claimed)
    }
}

#[test]
fn a_claim_that_hands_a_job_out_twice_is_caught() {
    is_caught(
        |store, _| with(store, Twice::default()),
        "no_two_leases_hold_a_job_at_once",
    );
}

/// Records what a worker says of a job, whoever has it now.
struct Unfenced;

#[async_trait]
impl Hook for Unfenced {
    async fn settle(
        &self,
        below: &dyn Store,
        by: By,
        results: &[AttemptResult],
        now: Timestamp,
    ) -> Result<Vec<SettleOutcome>> {
        let mut answers = below.settle(by, results, now).await?;
        let held = all_held(below).await?;
        for (result, answer) in results.iter().zip(&mut answers) {
            let now_held = held.iter().find(|held| held.job == result.job);
            if let (SettleOutcome::Stale, Some(held)) = (*answer, now_held) {
                let forged = AttemptResult {
                    lease: held.lease,
                    counters: held.counters,
                    ..result.clone()
                };
                let by = By::Worker(held.worker);
                *answer = below.settle(by, &[forged], now).await?[0];
            }
        }
        Ok(answers)
    }
}

#[test]
fn settling_without_a_look_at_the_lease_is_caught() {
    is_caught(
        |store, _| with(store, Unfenced),
        "only_the_holder_of_a_lease_settles",
    );
}

/// Rescues what is leased for another while.
struct Impatient;

const TOO_SOON: Duration = Duration::from_secs(4);

#[async_trait]
impl Hook for Impatient {
    async fn leases(&self, below: &dyn Store, limit: u32) -> Result<Vec<LeaseView>> {
        let mut leases = below.leases(limit).await?;
        for lease in &mut leases {
            lease.length = Some(LEASE - TOO_SOON);
        }
        Ok(leases)
    }
}

#[test]
fn a_rescuer_that_does_not_wait_for_the_end_of_a_lease_is_caught() {
    is_caught(
        |store, _| with(store, Impatient),
        "a_lease_is_rescued_only_when_it_has_run_out",
    );
}

/// Takes back what it saw unrenewed a while ago, whoever has renewed it since. It takes a renewal that
/// was long on its way to find that out; a story of leases tells of one.
pub struct Stubborn;

const A_WHILE: Duration = Duration::from_secs(2);

#[async_trait]
impl Hook for Stubborn {
    async fn settle(
        &self,
        below: &dyn Store,
        by: By,
        results: &[AttemptResult],
        now: Timestamp,
    ) -> Result<Vec<SettleOutcome>> {
        if by != By::Rescuer {
            return below.settle(by, results, now).await;
        }
        sleep(A_WHILE).await;
        let leases = below.leases(ALL).await?;
        let as_it_is = |one: &AttemptResult| AttemptResult {
            seen: leases
                .iter()
                .find(|lease| lease.lease == one.lease)
                .map(|lease| lease.until),
            ..one.clone()
        };
        let results: Vec<_> = results.iter().map(as_it_is).collect();
        below.settle(by, &results, now + A_WHILE).await
    }
}

/// Says that leases were extended, and extends none.
struct Pretender;

#[async_trait]
impl Hook for Pretender {
    async fn renew(
        &self,
        below: &dyn Store,
        worker: WorkerId,
        leases: &[LeaseId],
        _: Timestamp,
    ) -> Result<Renewed> {
        let held = all_held(below).await?;
        let is_held = |lease: &&LeaseId| {
            let mut held = held.iter();
            held.any(|held| held.lease == **lease && held.worker == worker)
        };
        Ok(Renewed {
            leases: leases.iter().filter(is_held).copied().collect(),
            cancels: Vec::new(),
        })
    }
}

#[test]
fn a_renewal_that_only_pretends_is_caught() {
    is_caught(
        |store, _| with(store, Pretender),
        "a_lease_is_rescued_only_when_it_has_run_out",
    );
}

/// Finds nothing to rescue.
struct Blind;

#[async_trait]
impl Hook for Blind {
    async fn leases(&self, _: &dyn Store, _: u32) -> Result<Vec<LeaseView>> {
        Ok(Vec::new())
    }
}

#[test]
fn a_rescuer_that_sees_nothing_is_caught() {
    is_caught(|store, _| with(store, Blind), "nothing_stands_still");
}
