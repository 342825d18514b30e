//! A walk through an API that fails now and then, whose server is killed, or which is stopped and resumed.

mod shop;

use std::time::Duration;

use baton_domain::{JobId, job::State};
use baton_protocol::job::{Job, JobsQuery};
use baton_testkit::eventually;
use serde_json::{Value, json};

use crate::fixture::{Fixture, TIMEOUT};

use self::shop::{PAGE, ROWS, Shop};

const EVERYTHING: &str = "api,engine,worker";

#[tokio::test(flavor = "multi_thread")]
async fn a_walk_whose_server_is_killed_goes_on_at_its_page_and_makes_each_row_once() {
    let fixture = Fixture::on_a_file("walk").await;
    let shop = Shop::open().await;
    let first = fixture.start("serve-1", EVERYTHING).await;
    let walk = enqueue(&fixture, &shop).await;

    shop.sell(6).await;
    fixture.kill(first).await;
    let asked = shop.asked();
    let second = fixture.start("serve-2", EVERYTHING).await;
    // This one may die in the middle of a checkpoint.
    shop.sell(7).await;
    shop.let_go(1);
    fixture.kill(second).await;
    let _third = fixture.start("serve-3", EVERYTHING).await;
    shop.let_go(100);

    let ended = until(&fixture, walk, "it has ended", |job| {
        job.state.is_terminal()
    })
    .await;
    assert_eq!(ended.state, State::Succeeded, "{ended:?}");
    let walked = ended.result.map(|result| result.as_str().to_owned());
    let wanted = format!("{{\"pages\":{},\"rows\":{ROWS}}}", ROWS / PAGE);
    assert_eq!(walked.as_deref(), Some(wanted.as_str()));
    assert_eq!(
        shop.asked()[asked.len()],
        asked[asked.len() - 1],
        "the page that was not answered"
    );
    each_row_once(&rows(&fixture).await, ROWS);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_walk_is_stopped_and_resumed_and_makes_each_row_once() {
    let fixture = Fixture::on_a_file("walk-stopped").await;
    let shop = Shop::open().await;
    let _server = fixture.start("serve", EVERYTHING).await;
    let walk = enqueue(&fixture, &shop).await;

    shop.sell(5).await;
    fixture.client.cancel(walk, false, None).await.unwrap();
    let stopped = until(&fixture, walk, "it is stopped", |job| {
        job.state.is_terminal()
    })
    .await;
    let before = rows(&fixture).await;
    shop.let_go(100);
    fixture.client.retry(walk).await.unwrap();
    let ended = until(&fixture, walk, "it has ended", |job| {
        job.state == State::Succeeded
    })
    .await;

    assert_eq!(stopped.state, State::Canceled);
    each_row_once(&before, 5 * PAGE);
    each_row_once(&rows(&fixture).await, ROWS);
    let progress = ended.progress.unwrap();
    assert_eq!((progress.done, progress.total), (ROWS, Some(ROWS)));
}

async fn enqueue(fixture: &Fixture, shop: &Shop) -> JobId {
    let walk = json!({
        "kind": "baton.walk",
        "payload": {
            "url": shop.url(),
            "items": "/rows",
            "total": "/total",
            "next": {"cursor": "/next", "param": "after"},
            "job": {"kind": "row", "payload": {"$row": "/number"}},
        },
        "backoff": {"strategy": "fixed", "base": "50ms", "cap": "50ms"},
        "timeout": "5s",
    });
    let walk = serde_json::from_value(walk).unwrap();
    fixture.client.enqueue(&walk).await.unwrap().job.id
}

async fn until(fixture: &Fixture, id: JobId, what: &str, is_so: impl Fn(&Job) -> bool) -> Job {
    let mut seen = None;
    eventually(what, TIMEOUT, async || {
        seen = fixture
            .client
            .ended_job(id, Duration::from_secs(1))
            .await
            .ok();
        seen.as_ref().is_some_and(&is_so)
    })
    .await;
    seen.unwrap()
}

/// The rows that have become jobs. Nobody runs them: they wait in the queue of their kind.
async fn rows(fixture: &Fixture) -> Vec<u64> {
    let mut query = JobsQuery {
        kind: Some("row".to_owned()),
        queue: Some("row".to_owned()),
        limit: Some(500),
        ..JobsQuery::default()
    };
    let mut rows = Vec::new();
    loop {
        let page = fixture.client.jobs_page(&query).await.unwrap();
        let numbers = page.items.iter().map(|job| {
            let number: Value = serde_json::from_str(job.payload.as_str()).unwrap();
            number.as_u64().unwrap()
        });
        rows.extend(numbers);
        query.after = page.next;
        if query.after.is_none() {
            return rows;
        }
    }
}

/// The first so many rows, each once.
fn each_row_once(rows: &[u64], count: u64) {
    let mut rows = rows.to_vec();
    rows.sort_unstable();

    assert_eq!(rows, (0..count).collect::<Vec<_>>());
}
