//! Hostile neighbours: receivers that never answer, beside those that do.

use std::{
    fs,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use baton_client::{BatchItem, Client, EnqueueJob};
use baton_domain::{JobId, job::State};
use baton_lab::target::{Options, Target};
use baton_testkit::eventually;
use serde_json::json;
use tokio::{
    io::AsyncReadExt,
    net::{TcpListener, TcpStream},
};

use crate::support::Served;

const TIMEOUT: Duration = Duration::from_mins(1);
/// Fewer than a queue has slots, which are 50.
const PER_ORIGIN: usize = 8;

/// A receiver that takes every call and never answers.
struct Stuck {
    url: String,
    most: Arc<AtomicUsize>,
}

impl Stuck {
    async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/", listener.local_addr().unwrap());
        let (now, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let told = Arc::clone(&most);
        tokio::spawn(async move {
            loop {
                let (socket, _) = listener.accept().await.unwrap();
                tokio::spawn(hold(socket, Arc::clone(&now), Arc::clone(&told)));
            }
        });
        Self { url, most }
    }

    /// The most calls that were ever under way at once.
    fn most(&self) -> usize {
        self.most.load(Ordering::SeqCst)
    }
}

async fn hold(mut socket: TcpStream, now: Arc<AtomicUsize>, most: Arc<AtomicUsize>) {
    most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
    while socket
        .read(&mut [0; 4_096])
        .await
        .is_ok_and(|read| read > 0)
    {}
    now.fetch_sub(1, Ordering::SeqCst);
}

/// Enqueues so many calls of this URL.
async fn enqueue(client: &Client, url: &str, count: usize) -> Vec<JobId> {
    let job = EnqueueJob {
        kind: "http".to_owned(),
        payload: json!({ "url": url, "body": {} }).to_string(),
        timeout: Some(Duration::from_mins(10)),
        ..EnqueueJob::default()
    };
    let answers = client.enqueue_all(vec![job; count]).await.unwrap();
    let id = |item: BatchItem| item.id;
    answers.into_iter().map(id).collect()
}

#[tokio::test]
async fn five_hundred_calls_of_one_who_never_answers_hold_up_fifty_of_another_in_no_queue() {
    let folder = tempfile::tempdir().unwrap();
    let settings =
        format!("[http]\nallow_private_targets = true\nconnections_per_origin = {PER_ORIGIN}\n");
    fs::write(folder.path().join("baton.toml"), settings).unwrap();
    let served = Served::start_in(folder, &["--grace", "1s"]);
    let client = Client::new(&served.url).unwrap();
    let (stuck, quick) = (
        Stuck::start().await,
        Target::start(Options::default()).await.unwrap(),
    );

    let waiting = enqueue(&client, &stuck.url, 500).await;
    eventually("the slow one is called", TIMEOUT, async || {
        stuck.most() == PER_ORIGIN
    })
    .await;
    enqueue(&client, &quick.url("/ok"), 50).await;

    eventually("the quick one has all its calls", TIMEOUT, async || {
        quick.total() == 50
    })
    .await;
    assert_eq!(stuck.most(), PER_ORIGIN);
    // Nothing was wrong with it, so no try was used.
    let last = *waiting.last().unwrap();
    eventually("the last one was put off", TIMEOUT, async || {
        let last = client.job(last).await.unwrap();
        last.state == State::Pending && last.attempt > 0 && last.tries == 0
    })
    .await;
}
