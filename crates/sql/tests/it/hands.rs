//! The hands of the tests: jobs, claims and settlements in few words.

use std::{collections::HashMap, time::Duration};

use baton_domain::{
    LeaseId, Timestamp, WorkerId,
    fingerprint::fingerprint,
    job::{Class, JobSpec, Limits, NewJob, State, Verdict, decide, lose},
};
use baton_ports::store::{AttemptResult, Claim, Claimed, HeldJob, QueueClaim, Work};
use baton_sql::SqlStore;
use rand::{SeedableRng, rngs::StdRng};

/// A moment of November 2023.
pub const DAWN: Timestamp = Timestamp::from_micros(1_700_000_040_000_000);
pub const LEASE: Duration = Duration::from_secs(30);

pub fn spec() -> JobSpec {
    JobSpec {
        kind: "mail".to_owned(),
        payload: "{}".to_owned(),
        ..JobSpec::default()
    }
}

pub fn job(spec: JobSpec, now: Timestamp) -> NewJob {
    NewJob::from_spec(spec, &Limits::default(), now).unwrap()
}

pub fn jobs(count: usize, now: Timestamp) -> Vec<NewJob> {
    (0..count).map(|_| job(spec(), now)).collect()
}

/// A wish for jobs of the default queue, under a new lease.
pub fn claim(worker: WorkerId, limit: u32, until: Timestamp) -> Claim {
    let want = QueueClaim {
        queue: "default".to_owned(),
        lease: LeaseId::random(),
        limit,
        limited: false,
        jobs: None,
    };
    Claim {
        worker,
        until,
        queues: vec![want],
    }
}

pub fn success(claimed: &Claimed, now: Timestamp) -> AttemptResult {
    ended(claimed, Verdict::Accepted { result: None }, now)
}

pub fn failure(claimed: &Claimed, class: Class, now: Timestamp) -> AttemptResult {
    let verdict = Verdict::failed(class, "http_503", "the target said no");
    ended(claimed, verdict, now)
}

/// What is held under leases that end before a moment, each with the end of its lease.
pub async fn ending(store: &SqlStore, before: Timestamp, limit: u32) -> Vec<(HeldJob, Timestamp)> {
    let standings = store.leases(10_000).await.unwrap();
    let over = standings.iter().filter(|one| one.until < before);
    let over: HashMap<_, _> = over.map(|one| (one.lease, one.until)).collect();
    let leases: Vec<_> = over.keys().copied().collect();
    let held = store.held(&leases, limit).await.unwrap();
    held.into_iter()
        .map(|held| (held.clone(), over[&held.lease]))
        .collect()
}

/// What the rescuer says of an attempt whose worker went silent, who saw its lease last until then.
pub fn loss(held: &HeldJob, seen: Timestamp, now: Timestamp) -> AttemptResult {
    AttemptResult {
        lease: held.lease,
        job: held.job,
        counters: held.counters,
        queued_at: held.queued_at,
        started_at: None,
        fingerprint: Some("fp_lost".to_owned()),
        seen: Some(seen),
        decision: lose(held.counters, held.delivery, now).unwrap(),
    }
}

fn ended(claimed: &Claimed, verdict: Verdict, now: Timestamp) -> AttemptResult {
    let args = &claimed.args;
    let policy = args.options.policy();
    let chance = &mut StdRng::seed_from_u64(1);
    let decision = decide(verdict, claimed.counters, policy, now, chance).unwrap();
    let is_dead = decision.transition.to() == State::Failed;
    let failure = decision.failure.as_ref().filter(|_| is_dead);
    AttemptResult {
        lease: claimed.lease,
        job: args.id,
        counters: claimed.counters,
        queued_at: claimed.queued_at,
        started_at: None,
        fingerprint: failure.map(|failure| fingerprint(&args.kind, failure)),
        seen: None,
        decision,
    }
}
