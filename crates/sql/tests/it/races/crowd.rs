//! A crowd at one queue: everybody claims, settles, renews, rescues, releases and cancels at once.

use std::{
    collections::HashMap,
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use baton_domain::{
    JobId, Lifecycle, Timestamp, WorkerId,
    job::{Class, Outcome, State, Trigger},
};
use baton_ports::store::{
    Atomicity, AttemptResult, By, Claimed, Events, Jobs, SettleOutcome, UnclaimedTransition,
    Upkeep, Work,
};
use baton_sql::SqlStore;
use baton_testkit::eventually;
use futures::future::join_all;
use rand::{
    RngExt, SeedableRng,
    rngs::StdRng,
    seq::{IndexedRandom, SliceRandom},
};

use crate::{
    hands::{DAWN, LEASE, claim, ending, failure, jobs, loss, success},
    races::onlooker::Onlooker,
};

const JOBS: usize = 3_000;
/// Leases of workers that crash end at dawn; those of the others do not.
const MORNING: Timestamp = Timestamp::from_micros(DAWN.as_micros() + 1_000_000);
/// Whatever waits for another attempt is due then.
const NEXT_DAY: Timestamp = Timestamp::from_micros(DAWN.as_micros() + 86_400_000_000);

on_each_server!(a_crowd_ends_each_job_once_and_leaves_nothing_behind);

/// Where those stand that have ended, and which of them have succeeded.
const ENDS_ON_POSTGRES: [&str; 2] = [
    "(SELECT job_id FROM finished UNION ALL SELECT job_id FROM successes UNION ALL SELECT unnest(jobs) FROM success_batches) AS ended",
    "(SELECT job_id FROM successes UNION ALL SELECT unnest(jobs) FROM success_batches UNION ALL SELECT job_id FROM finished WHERE state = 'succeeded') AS s",
];
const ENDS_ON_MYSQL: [&str; 2] = [
    "(SELECT job_id FROM finished UNION ALL SELECT job_id FROM successes) AS ended",
    "(SELECT job_id FROM successes UNION ALL SELECT job_id FROM finished WHERE state = 'succeeded') AS s",
];

async fn a_crowd_ends_each_job_once_and_leaves_nothing_behind(store: SqlStore, onlooker: Onlooker) {
    let [ended, succeeded] = match onlooker {
        Onlooker::Postgres { .. } => ENDS_ON_POSTGRES,
        Onlooker::Mysql { .. } => ENDS_ON_MYSQL,
    };
    let jobs = jobs(JOBS, DAWN);
    let ids: Vec<_> = jobs.iter().map(|job| job.id).collect();
    store.enqueue(jobs, Atomicity::All).await.unwrap();
    let done = AtomicBool::new(false);
    let crowd = Crowd {
        store: &store,
        ids: &ids,
        done: &done,
    };

    let workers = join_all((0..8).map(|seed| crowd.work(seed)));
    let finished = async || onlooker.count(ended).await;
    let until_the_end = async {
        let all = async || finished().await == 3_000;
        eventually("every job has ended", Duration::from_mins(1), all).await;
        done.store(true, Ordering::SeqCst);
    };
    let (successes, ..) = tokio::join!(
        workers,
        crowd.rescue(),
        crowd.release(),
        crowd.cancel(),
        crowd.sequence(),
        until_the_end
    );

    let mut heard = HashMap::<JobId, u32>::new();
    for id in successes.into_iter().flatten() {
        *heard.entry(id).or_default() += 1;
    }
    assert!(
        heard.values().all(|times| *times == 1),
        "a job succeeded twice"
    );
    assert_eq!(heard.len() as i64, onlooker.count(succeeded).await);
    for place in [
        "ready",
        "ready_batches",
        "waiting",
        "leases",
        "cancellations",
    ] {
        assert_eq!(onlooker.count(place).await, 0, "{place}");
    }
    assert_eq!(finished().await, 3_000);
    assert_eq!(onlooker.deadlocks().await, 0);
    while store.sequence(10_000, NEXT_DAY).await.unwrap().count > 0 {}
    assert_eq!(store.reconcile(NEXT_DAY).await.unwrap(), []);
}

#[derive(Clone, Copy)]
struct Crowd<'a> {
    store: &'a SqlStore,
    ids: &'a [JobId],
    done: &'a AtomicBool,
}

impl Crowd<'_> {
    /// Claims three times and settles in two halves at once, renewing, or crashes; says which jobs it
    /// was told have succeeded.
    async fn work(self, seed: u64) -> Vec<JobId> {
        let mut chance = StdRng::seed_from_u64(seed);
        let mut succeeded = Vec::new();
        while self.goes_on() {
            let crashes = chance.random_ratio(1, 5);
            let worker = WorkerId::new(DAWN);
            let until = if crashes { DAWN } else { DAWN + LEASE };
            let mut claimed = Vec::new();
            for _ in 0..3 {
                let wish = claim(worker, chance.random_range(1..15), until);
                claimed.extend(self.store.claim(&wish, DAWN).await.unwrap());
            }
            claimed.shuffle(&mut chance);
            let kept = if crashes {
                claimed.len() / 2
            } else {
                claimed.len()
            };
            let results = claimed[..kept].iter().map(|one| result(one, &mut chance));
            let results: Vec<_> = results.collect();
            let leases: Vec<_> = claimed.iter().map(|one| one.lease).collect();
            let (some, others) = results.split_at(chance.random_range(0..=kept));
            let (some, others, renewed) = tokio::join!(
                self.settle(worker, some),
                self.settle(worker, others),
                self.store.renew(worker, &leases, until)
            );
            renewed.unwrap();
            succeeded.extend(some.into_iter().chain(others));
        }
        succeeded
    }

    async fn settle(self, worker: WorkerId, results: &[AttemptResult]) -> Vec<JobId> {
        let answers = self.store.settle(By::Worker(worker), results, DAWN).await;
        let pairs = results.iter().zip(answers.unwrap());
        let counts = |(result, answer): &(&AttemptResult, SettleOutcome)| {
            *answer != SettleOutcome::Stale && result.decision.outcome == Outcome::Succeeded
        };
        pairs.filter(counts).map(|(result, _)| result.job).collect()
    }

    async fn rescue(self) {
        while self.goes_on() {
            let held = ending(self.store, MORNING, 100).await;
            let lost: Vec<_> = held
                .iter()
                .map(|(held, until)| loss(held, *until, MORNING))
                .collect();
            self.store
                .settle(By::Rescuer, &lost, MORNING)
                .await
                .unwrap();
        }
    }

    async fn release(self) {
        while self.goes_on() {
            self.store.release(500, NEXT_DAY).await.unwrap();
        }
    }

    /// Cancels whatever it meets, in each of the ways there are.
    async fn cancel(self) {
        let mut chance = StdRng::seed_from_u64(100);
        while self.goes_on() {
            let any = self.ids[chance.random_range(0..self.ids.len())];
            let held = ending(self.store, NEXT_DAY, 30).await;
            let running = held.choose(&mut chance).map_or(any, |(held, _)| held.job);
            match chance.random_range(0..8) {
                0 => drop(self.transition(any, State::Queued).await),
                1 => drop(self.transition(any, State::RetryWait).await),
                2 => drop(self.store.force_cancel(running, None, DAWN).await.unwrap()),
                _ => drop(
                    self.store
                        .request_cancel(running, None, DAWN)
                        .await
                        .unwrap(),
                ),
            }
        }
    }

    async fn transition(self, job: JobId, from: State) -> bool {
        let change = UnclaimedTransition {
            afresh: false,
            job,
            transition: from.on(Trigger::Cancel).unwrap(),
            reason: None,
        };
        self.store.transition(&change, DAWN).await.unwrap()
    }

    async fn sequence(self) {
        while self.goes_on() {
            self.store.sequence(1_000, DAWN).await.unwrap();
        }
    }

    fn goes_on(self) -> bool {
        !self.done.load(Ordering::SeqCst)
    }
}

fn result(claimed: &Claimed, chance: &mut StdRng) -> AttemptResult {
    if chance.random_ratio(1, 4) {
        failure(claimed, Class::Retry, DAWN)
    } else {
        success(claimed, DAWN)
    }
}
