//! Workers.

use std::{collections::BTreeMap, time::Duration};

use baton_domain::{WorkerId, fleet::Heartbeat};
use baton_ports::store::Fleet;

use crate::fixture::Fixture;

pub async fn heartbeat(fixture: &Fixture) {
    let slots = BTreeMap::from([("default".to_owned(), 50)]);
    heartbeat_of(fixture, fixture.worker, slots).await;
}

async fn heartbeat_of(fixture: &Fixture, worker: WorkerId, slots: BTreeMap<String, u32>) {
    let heartbeat = Heartbeat {
        remote: None,
        worker,
        name: "host:4711".to_owned(),
        version: "0.1.0".to_owned(),
        lease: None,
        slots,
        running: 3,
        draining: false,
        started_at: fixture.engine.now(),
    };
    fixture
        .store
        .heartbeat(&heartbeat, fixture.engine.now())
        .await
        .unwrap();
}

#[tokio::test]
async fn a_queue_has_the_slots_of_the_workers_that_are_live() {
    let fixture = Fixture::new();
    fixture.job(serde_json::json!({})).await;
    heartbeat(&fixture).await;

    let live = fixture.get("/v1/queues").await.ok();
    fixture.clock.advance(Duration::from_mins(1));
    let silent = fixture.get("/v1/queues").await.ok();

    assert_eq!(live["items"][0]["slots"], 50);
    assert_eq!(silent["items"][0]["slots"], 0);
}

#[tokio::test]
async fn workers_are_listed_as_they_are_now() {
    let fixture = Fixture::new();
    heartbeat(&fixture).await;

    let live = fixture.get("/v1/workers").await.ok();
    fixture.clock.advance(Duration::from_mins(1));
    let silent = fixture.get("/v1/workers").await.ok();

    assert_eq!(live["items"][0]["id"], fixture.worker.to_string());
    assert_eq!(live["items"][0]["state"], "live");
    assert_eq!(live["items"][0]["slots"]["default"], 50);
    assert_eq!(silent["items"][0]["state"], "silent");
}

#[tokio::test]
async fn workers_that_do_not_fit_one_page_are_on_the_next_one() {
    let fixture = Fixture::new();
    let queues = |n: usize| (format!("{n:0>64}"), 1);
    let many: BTreeMap<_, _> = (0..10_000).map(queues).collect();
    for _ in 0..12 {
        let worker = WorkerId::new(fixture.engine.now());
        heartbeat_of(&fixture, worker, many.clone()).await;
    }

    let mut listed = Vec::new();
    let (mut path, mut pages) = ("/v1/workers".to_owned(), 0);
    loop {
        let page = fixture.get(&path).await.ok();
        assert!(page.to_string().len() < 5 * 1024 * 1024);
        let items = page["items"].as_array().unwrap();
        listed.extend(items.iter().map(|one| one["id"].to_string()));
        pages += 1;
        let Some(next) = page["next"].as_str() else {
            break;
        };
        path = format!("/v1/workers?after={next}");
    }

    listed.sort_unstable();
    listed.dedup();
    assert_eq!((listed.len(), pages), (12, 2));
    let gone = fixture.get("/v1/workers?after=nobody").await;
    gone.problem("bad-cursor");
}
