//! The drill with a base backup: a copy is made under load, becomes the database, and what came after it is named.

use std::{
    collections::HashSet,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use baton_client::{Client, EnqueueJob, Error, EventsQuery, FeedMessage, JobsQuery, StreamQuery};
use baton_domain::JobId;
use baton_testkit::{Postgres, eventually};
use futures::{StreamExt, TryStreamExt};
use tokio::task::{JoinHandle, spawn_blocking};

use crate::support::Served;

const TIMEOUT: Duration = Duration::from_mins(1);
/// How many jobs are accepted before the copy begins, and after it is made.
const SOME: usize = 60;

/// A client that enqueues without a pause, and the jobs that were accepted, in order.
struct Load {
    stop: Arc<AtomicBool>,
    accepted: tokio::sync::watch::Receiver<Vec<(String, JobId)>>,
    task: JoinHandle<()>,
}

impl Load {
    fn start(client: Client) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let (told, accepted) = tokio::sync::watch::channel(Vec::new());
        let stopped = stop.clone();
        let task = tokio::spawn(async move {
            for number in 0.. {
                if stopped.load(Ordering::SeqCst) {
                    return;
                }
                let key = format!("k-{number}");
                let enqueued = client.enqueue(&job(&key)).await.unwrap();
                told.send_modify(|all| all.push((key, enqueued.job.id)));
            }
        });
        Self {
            stop,
            accepted,
            task,
        }
    }

    fn count(&self) -> usize {
        self.accepted.borrow().len()
    }

    async fn more(&mut self, count: usize) -> usize {
        let wanted = self.count() + count;
        let enough = self.accepted.wait_for(|all| all.len() >= wanted);
        let all = tokio::time::timeout(TIMEOUT, enough).await;
        all.expect("jobs are accepted").unwrap().len()
    }

    async fn end(self) -> Vec<(String, JobId)> {
        self.stop.store(true, Ordering::SeqCst);
        self.task.await.unwrap();
        self.accepted.borrow().clone()
    }
}

fn job(key: &str) -> EnqueueJob {
    let json = serde_json::json!({"kind": "simulate", "key": key, "payload": {"sleep_ms": 30}});
    serde_json::from_value(json).unwrap()
}

fn served(url: &str) -> (Served, Client) {
    let flags = ["--database", url, "--migrate", "--allow-unsafe-durability"];
    let served = Served::start(&flags);
    let client = Client::new(&served.url).unwrap();
    (served, client)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_base_backup_made_under_load_goes_on_and_what_came_after_it_is_named() {
    let postgres = Arc::new(Postgres::start());
    let (server, client) = served(&postgres.url());
    let mut load = Load::start(client.clone());
    let before = load.more(SOME).await;
    let original = postgres.clone();
    let copy = spawn_blocking(move || original.copy()).await.unwrap();
    let after = load.count();
    load.more(SOME).await;
    let accepted = load.end().await;
    let seen = position(&client).await;
    server.signal("KILL");
    server.ended();
    drop(postgres);

    let (_server, client) = served(&copy.url());
    let query = StreamQuery {
        after: Some(seen.clone()),
        ..StreamQuery::default()
    };
    let feed = client.follow(query).await.unwrap();
    futures::pin_mut!(feed);
    let told = feed.next().await.unwrap().unwrap();
    all_have_ended(&client).await;
    let there = jobs(&client).await;
    let known =
        |range: &[(String, JobId)]| range.iter().filter(|(_, id)| there.contains(id)).count();

    let FeedMessage::Reset(reset) = told else {
        panic!("expected a reset: {told:?}")
    };
    assert_ne!(
        Some(reset.last.epoch.to_string()),
        seen.split('-').next().map(str::to_owned)
    );
    assert_eq!(
        known(&accepted[..before]),
        before,
        "accepted before the copy began"
    );
    assert_eq!(
        known(&accepted[after + 1..]),
        0,
        "accepted after it was made"
    );
    assert_eq!(known(&accepted), there.len(), "and nobody else is there");
    let (key, lost) = accepted.last().unwrap();
    let Err(Error::Problem(problem)) = client.job(*lost).await else {
        panic!("a job that is lost is said to be unknown")
    };
    assert_eq!(problem.status, 404);
    let (kept, lost) = (&accepted[0], (key, lost));
    assert_eq!(client.enqueue(&job(&kept.0)).await.unwrap().job.id, kept.1);
    assert!(client.enqueue(&job(lost.0)).await.unwrap().created);
}

/// Where the feed ends.
async fn position(client: &Client) -> String {
    let mut query = EventsQuery::default();
    loop {
        let page = client.events(&query).await.unwrap();
        if page.next.is_none() {
            return page.position.to_string();
        }
        query.after = page.next;
    }
}

async fn all_have_ended(client: &Client) {
    eventually("every job of the copy has ended", TIMEOUT, async || {
        let queues = client.queues().await.unwrap();
        let open = |queue: &baton_client::Queue| {
            queue.pending + queue.queued + queue.running + queue.retry_wait
        };
        queues.iter().map(open).sum::<u64>() == 0
    })
    .await;
    let failed = JobsQuery {
        state: Some(baton_domain::job::State::Failed),
        ..JobsQuery::default()
    };
    let failed = client.jobs_page(&failed).await.unwrap();
    assert_eq!(failed.items, []);
}

async fn jobs(client: &Client) -> HashSet<JobId> {
    let pages = client.jobs(JobsQuery::default());
    let all: Vec<_> = pages.try_concat().await.unwrap();
    all.iter().map(|job| job.id).collect()
}
