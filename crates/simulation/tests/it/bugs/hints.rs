//! Mistakes with hints. One that is harmless here, because a claim is the one thing that permits work
//! and workers look for themselves, is shown to be; the stories of hints tell what it does elsewhere.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use baton_domain::{
    JobId, LeaseId, Timestamp,
    job::{AttemptCounters, NewJob},
};
use baton_ports::{
    Hint, Hints, Store,
    hints::MemoryHints,
    layer::Hook,
    store::{
        Atomicity, Claim, Claimable, Claimed, Enqueued, Error, JobArgs, QueueClaim, Result, Turn,
    },
};
use tokio::time::sleep;

use super::{hinted, is_caught_with_hints, with};
use crate::{
    invariants::violations,
    journal::History,
    story,
    witness::Deed,
    world::{Flaw, Hinting, Weather, play_in},
};

/// How many seeds a harmless mistake is watched in.
const SEEDS: u64 = 20;
/// In how many at the most, until one has met it.
const MOST: u64 = 400;

/// Leases what a hint names, whatever has become of it.
struct Trusting;

#[async_trait]
impl Hook for Trusting {
    async fn claim(
        &self,
        below: &dyn Store,
        claim: &Claim,
        now: Timestamp,
    ) -> Result<Vec<Claimed>> {
        let mut claimed = below.claim(claim, now).await?;
        for want in &claim.queues {
            for job in want.jobs.iter().flatten() {
                if !claimed.iter().any(|one| one.args.id == *job) {
                    claimed.extend(forged(below, want, *job).await?);
                }
            }
        }
        Ok(claimed)
    }
}

/// A job as a hint has it, under a lease that nobody granted.
async fn forged(below: &dyn Store, want: &QueueClaim, job: JobId) -> Result<Option<Claimed>> {
    let job = below.job(job).await?.filter(|job| job.queue == want.queue);
    Ok(job.map(|job| Claimed {
        lease: want.lease,
        counters: AttemptCounters {
            attempt: job.attempt + 1,
            tries: job.tries + 1,
            losses: job.losses,
            run: job.run,
        },
        queued_at: job.updated_at,
        args: JobArgs {
            id: job.id,
            kind: job.kind,
            queue: job.queue,
            payload: job.payload,
            expires_at: job.expires_at,
            created_at: job.created_at,
            key: job.key,
            options: job.options,
        },
    }))
}

#[test]
fn a_worker_that_runs_what_a_hint_says_is_caught() {
    is_caught_with_hints(
        |store, _| with(store, Trusting),
        "no_two_leases_hold_a_job_at_once",
    );
}

/// Gives nothing that no hint has led to, and knows of nothing that was forgotten.
pub struct Led;

#[async_trait]
impl Hook for Led {
    async fn claim(
        &self,
        below: &dyn Store,
        claim: &Claim,
        now: Timestamp,
    ) -> Result<Vec<Claimed>> {
        let wants = claim.queues.iter().filter(|want| want.jobs.is_some());
        let claim = Claim {
            queues: wants.cloned().collect(),
            ..claim.clone()
        };
        below.claim(&claim, now).await
    }

    async fn claimable(
        &self,
        _: &dyn Store,
        _: Option<&Turn>,
        _: Timestamp,
        _: u32,
    ) -> Result<Claimable> {
        Ok(Claimable::default())
    }
}

#[test]
fn workers_that_never_look_for_themselves_are_caught() {
    is_caught_with_hints(|store, _| with(store, Led), "everything_ends");
}

/// Hints at jobs before they are there; some never will be.
pub struct Rash(pub Arc<MemoryHints>);

/// How long a commit may take.
pub const COMMIT: Duration = Duration::from_millis(200);

#[async_trait]
impl Hook for Rash {
    async fn enqueue(
        &self,
        below: &dyn Store,
        jobs: Vec<NewJob>,
        atomicity: Atomicity,
    ) -> Result<Vec<Enqueued>> {
        let hints = jobs.iter().filter(|job| job.run_at <= job.created_at);
        let hints = hints.filter_map(|job| Hint::of(&job.queue, job.id, job.priority));
        let hints: Vec<_> = hints.collect();
        let _ = self.0.offer(&hints).await;
        sleep(COMMIT).await;
        if jobs.iter().any(|job| job.priority == -1) {
            return Err(Error::Unavailable("rolled back".to_owned()));
        }
        below.enqueue(jobs, atomicity).await
    }
}

#[test]
fn a_hint_before_its_commit_costs_only_time() {
    is_harmless(
        |store, hints| with(store, Rash(Arc::clone(hints))),
        by_others,
        |history| led(history) > 0,
    );
}

fn by_others(weather: &mut Weather) {
    weather.hinting = Hinting::ByOthers;
    // Nobody would build them anew.
    weather.is_haunted = false;
}

/// Forgets a hint the moment it has led to a claim, long before a result is recorded.
struct Hasty(Arc<MemoryHints>);

#[async_trait]
impl Hook for Hasty {
    async fn claim(
        &self,
        below: &dyn Store,
        claim: &Claim,
        now: Timestamp,
    ) -> Result<Vec<Claimed>> {
        let claimed = below.claim(claim, now).await?;
        let is_hinted = |lease: LeaseId| {
            let mut wants = claim.queues.iter();
            wants.any(|want| want.lease == lease && want.jobs.is_some())
        };
        let followed = claimed.iter().filter(|one| is_hinted(one.lease));
        let followed = followed.map(|one| Hint {
            queue: one.args.queue.clone(),
            job: one.args.id,
            is_urgent: false,
        });
        let followed: Vec<_> = followed.collect();
        let _ = self.0.drop_taken(claim.worker, &followed).await;
        Ok(claimed)
    }
}

#[test]
fn a_hint_that_is_removed_before_its_result_is_recorded_costs_nothing_where_leases_are() {
    is_harmless(
        |store, hints| with(store, Hasty(Arc::clone(hints))),
        hinted,
        |history| led(history) > 0 && history.faults.iter().any(|fault| fault.what == "killed"),
    );
}

/// How many claims hints have led to.
fn led(history: &History) -> usize {
    let led = |deed: &Deed| {
        matches!(
            deed,
            Deed::Claimed {
                is_hinted: true,
                ..
            }
        )
    };
    history.deeds.iter().filter(|(_, deed)| led(deed)).count()
}

/// Asserts that every invariant holds in spite of a mistake, which `is_met` somewhere.
fn is_harmless(flaw: Flaw, change: fn(&mut Weather), is_met: fn(&History) -> bool) {
    let mut is_met_once = false;
    for seed in 0..MOST {
        let history = play_in(seed, flaw, change);
        let violations = violations(&history);
        assert!(
            violations.is_empty(),
            "{}",
            story::tell(seed, &history, &violations)
        );
        is_met_once |= is_met(&history);
        if is_met_once && seed + 1 >= SEEDS {
            return;
        }
    }
    panic!("no seed has met the mistake");
}
