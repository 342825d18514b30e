//! What a server that crashed must still know when it is back.

use baton_domain::{
    JobId, WorkerId,
    job::{DeliveryGuarantee, JobSpec, State},
};
use baton_ports::store::{Atomicity, By, Claim, Jobs, SettleOutcome, Work};
use baton_sql::SqlStore;
use baton_testkit::Postgres;
use tokio::task::block_in_place;

use crate::{
    databases,
    hands::{DAWN, LEASE, claim, job, spec, success},
};

/// Nothing reaches the disk of itself.
const LAZY: [&str; 1] = ["wal_writer_delay=10s"];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_may_be_called_once_only_stays_claimed_when_the_server_crashes_right_after() {
    let mut server = Postgres::start_with(&LAZY);
    baton_sql::migrate(&server.url()).await.unwrap();
    let ways: [fn(Claim, JobId) -> Claim; 3] = [|claim, _| claim, hinted, limited];

    for way in ways {
        let store = databases::open(&server.url()).await;
        let id = enqueue_at_most_once(&store).await;
        let claim = way(claim(WorkerId::new(DAWN), 10, DAWN + LEASE), id);
        let claimed = store.claim(&claim, DAWN).await.unwrap();
        block_in_place(|| {
            server.kill();
            server.restart();
        });
        let store = databases::open(&server.url()).await;
        let job = store.job(id).await.unwrap().unwrap();

        assert_eq!(claimed.len(), 1);
        assert_eq!(job.state, State::Running, "{claim:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_success_under_a_claim_that_the_crash_has_forgotten_is_adopted() {
    let mut server = Postgres::start_with(&LAZY);
    baton_sql::migrate(&server.url()).await.unwrap();
    let store = databases::open(&server.url()).await;
    let asked = job(spec(), DAWN);
    let (id, worker) = (asked.id, WorkerId::new(DAWN));
    store.enqueue(vec![asked], Atomicity::All).await.unwrap();
    let claimed = store
        .claim(&claim(worker, 1, DAWN + LEASE), DAWN)
        .await
        .unwrap();
    block_in_place(|| {
        server.kill();
        server.restart();
    });
    let store = databases::open(&server.url()).await;
    let before = store.job(id).await.unwrap().unwrap().state;

    let ends = [success(&claimed[0], DAWN)];
    let settled = store.settle(By::Worker(worker), &ends, DAWN).await.unwrap();

    let after = store.job(id).await.unwrap().unwrap().state;
    assert_eq!((before, after), (State::Queued, State::Succeeded));
    assert_eq!(settled, [SettleOutcome::Adopted]);
}

async fn enqueue_at_most_once(store: &SqlStore) -> JobId {
    let once = JobSpec {
        delivery: Some(DeliveryGuarantee::AtMostOnce),
        ..spec()
    };
    let job = job(once, DAWN);
    let id = job.id;
    store.enqueue(vec![job], Atomicity::All).await.unwrap();
    id
}

fn hinted(mut claim: Claim, id: JobId) -> Claim {
    claim.queues[0].jobs = Some(vec![id]);
    claim
}

fn limited(mut claim: Claim, _: JobId) -> Claim {
    claim.queues[0].limited = true;
    claim
}
