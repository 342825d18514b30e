//! Events: replay.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use async_trait::async_trait;
use baton_domain::{Clock, Timestamp, event::Event};
use baton_ports::{
    Store,
    layer::{Hook, Layer},
    store::{EventFilter, Result, Retention},
};
use serde_json::json;

use crate::fixture::Fixture;

/// Forgets some facts right before a page is read, after it is known which there are.
struct Pruning {
    /// How many, once; and as of when.
    facts: Mutex<Option<u32>>,
    now: Timestamp,
}

#[async_trait]
impl Hook for Pruning {
    async fn events(
        &self,
        below: &dyn Store,
        after: i64,
        limit: u32,
        filter: &EventFilter,
    ) -> Result<(Vec<Event>, i64)> {
        let facts = self.facts.lock().unwrap().take();
        if let Some(facts) = facts {
            let retention = Retention {
                events: Duration::from_secs(1),
                ..Retention::default()
            };
            below.prune(&retention, facts, self.now).await?;
        }
        below.events(after, limit, filter).await
    }
}

/// The same fixture, which forgets its first three facts while a page is read.
fn forgetful(fixture: Fixture) -> Fixture {
    let hook = Pruning {
        facts: Mutex::new(Some(3)),
        now: fixture.clock.now() + Duration::from_mins(1),
    };
    let store = Layer::over(Arc::clone(&fixture.store) as Arc<dyn Store>, hook);
    fixture.over(store)
}

#[tokio::test]
async fn events_that_are_pruned_while_a_page_is_read_are_not_skipped_in_silence() {
    let fixture = fixture_with_events(9).await;
    let page = fixture.get("/v1/events?limit=1").await.ok();
    let after = page["position"].as_str().unwrap().to_owned();
    let fixture = forgetful(fixture);

    let answer = fixture.get(&format!("/v1/events?after={after}")).await;

    answer.problem("events-gone");
}

#[tokio::test]
async fn who_asks_for_all_there_is_gets_a_page_that_begins_with_what_is_kept() {
    let fixture = forgetful(fixture_with_events(9).await);

    let page = fixture.get("/v1/events").await.ok();

    let bounds = fixture.engine.event_bounds().await.unwrap();
    assert!(bounds.first > 1);
    assert_eq!(page["items"][0]["seq"], bounds.first);
}

async fn fixture_with_events(jobs: usize) -> Fixture {
    let fixture = Fixture::new();
    for n in 0..jobs {
        let queue = if n % 2 == 0 { "even" } else { "odd" };
        fixture.job(json!({"queue": queue})).await;
    }
    fixture.sequence().await;
    fixture
}

#[tokio::test]
async fn events_are_replayed_in_order_without_a_gap() {
    let fixture = fixture_with_events(7).await;

    let mut seqs = Vec::new();
    let mut path = "/v1/events?limit=3".to_owned();
    loop {
        let page = fixture.get(&path).await.ok();
        seqs.extend(
            page["items"]
                .as_array()
                .unwrap()
                .iter()
                .map(|e| e["seq"].as_i64().unwrap()),
        );
        match page["next"].as_str() {
            Some(next) => path = format!("/v1/events?limit=3&after={next}"),
            None => break,
        }
    }

    let expected: Vec<i64> = (1..=i64::try_from(seqs.len()).unwrap()).collect();
    assert_eq!(seqs, expected);
    assert!(seqs.len() >= 7);
}

#[tokio::test]
async fn the_end_of_the_feed_tells_where_to_go_on_later() {
    let fixture = fixture_with_events(2).await;
    let page = fixture.get("/v1/events").await.ok();
    let position = page["position"].as_str().unwrap();

    fixture.job(json!({})).await;
    fixture.sequence().await;
    let later = fixture
        .get(&format!("/v1/events?after={position}"))
        .await
        .ok();

    assert_eq!(page["next"], json!(null));
    let events = later["items"].as_array().unwrap();
    assert!(!events.is_empty());
    assert_eq!(
        events[0]["seq"],
        page["items"].as_array().unwrap().len() + 1
    );
}

#[tokio::test]
async fn a_filter_shows_only_what_is_asked_for() {
    let fixture = fixture_with_events(4).await;

    let page = fixture.get("/v1/events?queue=odd&types=job.").await.ok();
    let none = fixture
        .get("/v1/events?types=worker.joined,queue.")
        .await
        .ok();

    let events = page["items"].as_array().unwrap();
    assert!(events.len() >= 2);
    assert!(events.iter().all(|event| event["data"]["queue"] == "odd"));
    assert_eq!(none["items"], json!([]));
}

#[tokio::test]
async fn a_place_that_is_no_place_of_this_history_is_refused() {
    let fixture = fixture_with_events(1).await;
    let page = fixture.get("/v1/events").await.ok();
    let id = page["position"].as_str().unwrap();
    let (epoch, seq) = id.split_once('-').unwrap();
    let (epoch, seq): (i64, i64) = (epoch.parse().unwrap(), seq.parse().unwrap());

    let future = fixture
        .get(&format!("/v1/events?after={epoch}-{}", seq + 1))
        .await;
    let other = fixture
        .get(&format!("/v1/events?after={}-{seq}", epoch + 1))
        .await;
    let rubbish = fixture.get("/v1/events?after=rubbish").await;

    assert_eq!(future.status, 410);
    future.problem("events-gone");
    other.problem("events-gone");
    rubbish.problem("bad-cursor");
}
