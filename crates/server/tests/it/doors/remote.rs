//! What the doors do to remote workers.

use baton_client::{Client, JobsQuery};
use baton_domain::{Clock, LeaseId, WorkerId, job::State, time::SystemClock};
use baton_protocol::remote::{ClaimJobs, ClaimedJob, Settled, SettledResult};
use baton_testkit::eventually;
use serde_json::{Value, json};
use tokio::{io::AsyncReadExt, net::TcpStream};

use super::{DAY, TIMEOUT, client, enqueue, until};
use crate::support::Served;

/// A remote worker, asked to do each thing by hand.
struct RemoteWorker {
    client: Client,
    worker: WorkerId,
}

impl RemoteWorker {
    async fn registered(client: &Client) -> Self {
        let worker = WorkerId::new(SystemClock.now());
        let body = json!({"protocol": 1, "name": "hand:1", "sdk": "test/1", "kinds": ["mine"], "slots": 4});
        let body = serde_json::from_value(body).unwrap();
        client.register_worker(worker, &body).await.unwrap();
        Self {
            client: client.clone(),
            worker,
        }
    }

    async fn claim(&self) -> Option<ClaimedJob> {
        let claim = claim(LeaseId::random(), "20s", 0);
        let claimed = self.client.claim_jobs(self.worker, &claim).await.unwrap();
        claimed.batches.into_iter().flat_map(|one| one.jobs).next()
    }

    async fn tell(&self, job: &ClaimedJob, mut result: Value) -> SettledResult {
        result["token"] = job.token.clone().into();
        let body = serde_json::from_value(json!({"results": [result]})).unwrap();
        let settled = self.client.tell_results(self.worker, &body).await.unwrap();
        settled.items.into_iter().next().unwrap()
    }
}

fn claim(lease: LeaseId, wait: &str, repeat: u32) -> ClaimJobs {
    let wants = json!([{"queue": "mine", "limit": 1, "lease": lease.to_string()}]);
    let claim = json!({"wants": wants, "limit": 1, "wait": wait, "repeat": repeat});
    serde_json::from_value(claim).unwrap()
}

#[tokio::test]
async fn a_remote_worker_lives_through_a_day_that_passes_and_its_result_counts() {
    let served = Served::start(&[]);
    let client = client(&served);
    let hand = RemoteWorker::registered(&client).await;
    let id = enqueue(&client, json!({"kind": "mine", "payload": {}})).await;
    let job = hand.claim().await.unwrap();
    let lease = json!({"running": 1, "free": 3, "asked_ago": "1s", "heard": []});

    client.advance_clock(DAY).await.unwrap();
    let workers = client.workers().await.unwrap();
    let news = client
        .beat_worker(hand.worker, &serde_json::from_value(lease).unwrap())
        .await
        .unwrap();
    let settled = hand.tell(&job, json!({"verdict": "accepted"})).await;

    let own = workers.iter().find(|one| one.id == hand.worker).unwrap();
    assert_eq!(own.state, "live", "{own:?}");
    assert!(news.lost.is_empty());
    assert_eq!(settled.settled, Settled::Recorded);
    let ended = client.job(id).await.unwrap();
    assert_eq!((ended.state, ended.attempt), (State::Succeeded, 1));
}

#[tokio::test]
async fn a_lost_lease_has_its_job_run_again_and_what_comes_late_is_history() {
    let served = Served::start(&[]);
    let client = client(&served);
    let hand = RemoteWorker::registered(&client).await;
    let id = enqueue(&client, json!({"kind": "mine", "payload": {}})).await;
    let first = hand.claim().await.unwrap();

    let lost = client.lose_leases().await.unwrap();
    let second = hand.claim().await.unwrap();
    let failure = json!({"verdict": "failed", "class": "retry", "code": "late"});
    let late = hand.tell(&first, failure).await;
    let counted = hand.tell(&second, json!({"verdict": "accepted"})).await;

    assert_eq!(lost, 1);
    assert_eq!((second.id, second.attempt, second.losses), (id, 2, 1));
    assert_eq!(late.settled, Settled::Stale);
    assert_eq!(counted.settled, Settled::Recorded);
    let ended = client.job(id).await.unwrap();
    assert_eq!((ended.state, ended.attempt), (State::Succeeded, 2));
    assert_eq!(client.lose_leases().await.unwrap(), 0, "nothing is leased");
}

#[tokio::test]
async fn a_success_under_a_lost_lease_counts_while_nobody_has_begun_anew() {
    let served = Served::start(&[]);
    let client = client(&served);
    let hand = RemoteWorker::registered(&client).await;
    let id = enqueue(&client, json!({"kind": "mine", "payload": {}})).await;
    let job = hand.claim().await.unwrap();

    client.lose_leases().await.unwrap();
    until(&client, id, State::Queued).await;
    let settled = hand.tell(&job, json!({"verdict": "accepted"})).await;

    assert_eq!(settled.settled, Settled::Adopted);
    let all = client.jobs_page(&JobsQuery::default()).await.unwrap();
    assert_eq!(all.items[0].state, State::Succeeded);
}

#[tokio::test]
async fn a_claim_that_waits_is_cut_and_gets_its_job_when_it_is_asked_again() {
    let served = Served::start(&[]);
    let client = client(&served);
    let hand = RemoteWorker::registered(&client).await;
    let lease = LeaseId::random();
    let waiting = {
        let (far, worker) = (Client::new(&served.url).unwrap(), hand.worker);
        tokio::spawn(async move { far.claim_jobs(worker, &claim(lease, "25s", 0)).await })
    };

    eventually("the claim is cut", TIMEOUT, async || {
        client.cut_connections().await.unwrap();
        waiting.is_finished()
    })
    .await;
    let id = enqueue(&client, json!({"kind": "mine", "payload": {}})).await;
    let repeated = client
        .claim_jobs(hand.worker, &claim(lease, "20s", 1))
        .await
        .unwrap();

    assert!(waiting.await.unwrap().is_err(), "it heard an answer");
    assert_eq!(repeated.batches[0].lease, lease);
    assert_eq!(repeated.batches[0].jobs[0].id, id);
}

#[tokio::test]
async fn a_cut_closes_what_is_open_but_for_the_connection_it_came_over() {
    let served = Served::start(&[]);
    let client = client(&served);
    let address = served.url.strip_prefix("http://").unwrap();
    let mut idle = TcpStream::connect(address).await.unwrap();

    eventually("the idle one is cut", TIMEOUT, async || {
        client.cut_connections().await.unwrap() > 0
    })
    .await;
    let mut answer = [0; 8];
    let closed = tokio::time::timeout(TIMEOUT, idle.read(&mut answer));
    let closed = closed.await.unwrap();
    let none = client.cut_connections().await.unwrap();

    assert!(matches!(closed, Ok(0) | Err(_)), "{closed:?}");
    assert_eq!(none, 0);
}
