//! The store alone: claim a thousand, record a thousand, one after the other, by one caller.

use baton_domain::{
    LeaseId, Timestamp, WorkerId, chance,
    job::{Verdict, decide},
};
use baton_ports::store::{AttemptResult, By, Claim, Claimed, QueueClaim, SettleOutcome};
use tokio::time::Instant;

use crate::{
    commands::bench::{
        figure::Figure,
        load::{self, BATCH, QUEUE},
        rig::Rig,
        session::Session,
    },
    exit::Failure,
    store,
};

use super::drain::JOBS;

pub async fn run(session: &mut Session<'_>) -> Result<(), Failure> {
    let jobs = session.jobs(JOBS);
    // No routine turns: this is what the store's statements cost.
    let rig = session.rig().await?;
    let bar = session.bar(jobs, "enqueue");
    load::fill(rig.engine(), jobs, &load::noop(), &bar).await?;
    bar.finish_and_clear();
    session.checkpoint(&rig).await?;
    let bar = session.bar(jobs, "claim and record");
    let worker = WorkerId::new(rig.engine().now());
    let mut done = 0;
    let begun = Instant::now();
    while done < jobs {
        let claimed = claim(&rig, worker).await?;
        let count = u32::try_from(claimed.len()).unwrap_or(u32::MAX);
        if count == 0 {
            return Err(Failure::new(format!(
                "the store gave {done} of {jobs} jobs and no more"
            )));
        }
        record(&rig, worker, &claimed).await?;
        done += count;
        bar.inc(count.into());
    }
    let took = begun.elapsed();
    bar.finish_and_clear();
    rig.take_down(session.ground).await?;
    session.found(
        Figure::rate("store_claim_settle", jobs.into(), 1, took).note(format!(
            "claim {BATCH}, settle {BATCH}, two commits for each batch, no engine"
        )),
    );
    Ok(())
}

async fn claim(rig: &Rig, worker: WorkerId) -> Result<Vec<Claimed>, Failure> {
    let now = rig.engine().now();
    let want = QueueClaim {
        queue: QUEUE.to_owned(),
        lease: LeaseId::random(),
        limit: BATCH,
        limited: false,
        jobs: None,
    };
    let claim = Claim {
        worker,
        until: now + rig.engine().settings().lease,
        queues: vec![want],
    };
    let claimed = rig.store.claim(&claim, now).await;
    claimed.map_err(|error| store::lost(&error))
}

async fn record(rig: &Rig, worker: WorkerId, claimed: &[Claimed]) -> Result<(), Failure> {
    let now = rig.engine().now();
    let results = claimed.iter().map(|claimed| success(claimed, now));
    let results = results.collect::<Result<Vec<_>, _>>()?;
    let settled = rig.store.settle(By::Worker(worker), &results, now).await;
    let settled = settled.map_err(|error| store::lost(&error))?;
    if settled
        .iter()
        .all(|settled| *settled == SettleOutcome::Recorded)
    {
        Ok(())
    } else {
        Err(Failure::new(
            "the store did not record what was claimed a moment ago",
        ))
    }
}

fn success(claimed: &Claimed, now: Timestamp) -> Result<AttemptResult, Failure> {
    let policy = claimed.args.options.policy();
    let verdict = Verdict::Accepted { result: None };
    let decision =
        chance::draw(|mut chance| decide(verdict, claimed.counters, policy, now, &mut chance));
    Ok(AttemptResult {
        lease: claimed.lease,
        job: claimed.args.id,
        counters: claimed.counters,
        queued_at: claimed.queued_at,
        started_at: Some(now),
        decision: decision.map_err(|error| Failure::new(error.to_string()))?,
        fingerprint: None,
        seen: None,
    })
}
