//! Live feeds: what has changed, a second apart at least, until the server stops.

use std::time::Duration;

use axum::{
    body::{Body, BodyDataStream},
    http::Request,
};
use baton_domain::{JobId, job::State};
use baton_ports::Wakeup;
use futures::StreamExt;
use serde_json::{Value, json};
use tokio::time::Instant;
use tower::ServiceExt;

use crate::fixture::{Fixture, spec};

pub struct Feed(BodyDataStream);

impl Feed {
    async fn open(fixture: &Fixture, query: &str) -> Self {
        Self::open_in(fixture, query, "en").await
    }

    /// The feed of a page in the language that a browser asks for.
    pub async fn open_in(fixture: &Fixture, query: &str, language: &str) -> Self {
        let address = format!("/admin/live?up=.&home=../admin&{query}");
        let request = Request::get(address).header("accept-language", language);
        let request = request.body(Body::empty()).unwrap();
        let response = fixture.browser.clone().oneshot(request).await.unwrap();
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        Self(response.into_body().into_data_stream())
    }

    /// The next frame; keep-alives are passed over.
    pub async fn frame(&mut self) -> Option<Value> {
        loop {
            let bytes = self.0.next().await?.unwrap();
            let text = String::from_utf8(bytes.to_vec()).unwrap();
            let Some(data) = text.split("data: ").nth(1) else {
                continue;
            };
            return Some(serde_json::from_str(data.trim()).unwrap());
        }
    }
}

fn bare(id: JobId) -> String {
    id.to_string().trim_start_matches("job_").to_owned()
}

#[tokio::test(start_paused = true)]
async fn a_feed_begins_with_everything_and_then_sends_what_has_changed() {
    let fixture = Fixture::new();
    fixture.job_in(State::Succeeded).await;
    let mut feed = Feed::open(&fixture, "room=overview").await;

    let first = feed.frame().await.unwrap();
    fixture.job_in(State::Failed).await;
    fixture.engine.wakeups().send(Wakeup::Events);
    let second = feed.frame().await.unwrap();

    for panel in [
        "needs", "numbers", "queues", "workers", "routines", "events", "health",
    ] {
        assert!(first["panels"][panel].is_string(), "{panel}");
    }
    assert!(
        second["panels"]["events"]
            .as_str()
            .unwrap()
            .contains("job_")
    );
    assert!(
        second["panels"]["workers"].is_null(),
        "no worker has changed"
    );
}

#[tokio::test(start_paused = true)]
async fn new_events_are_offered_and_not_put_under_the_hand() {
    let fixture = Fixture::new();
    fixture.job_in(State::Queued).await;
    let mut all = Feed::open(&fixture, "room=events&seen=1").await;
    let mut of_queues = Feed::open(&fixture, "room=events&seen=1&type=queue.").await;

    let calm = all.frame().await.unwrap();
    fixture.job_in(State::Canceled).await;
    fixture.engine.wakeups().send(Wakeup::Events);
    let busy = all.frame().await.unwrap();
    of_queues.frame().await.unwrap();
    let elsewhere = of_queues.frame().await.unwrap();

    assert!(calm["fresh"].is_null(), "{calm}");
    assert_eq!(busy["fresh"], "2");
    assert!(busy["panels"]["events"].is_null());
    assert!(elsewhere["fresh"].is_null(), "{elsewhere}");
}

#[tokio::test(start_paused = true)]
async fn a_new_event_is_offered_behind_more_others_than_one_look_goes_through() {
    let fixture = Fixture::new();
    fixture.job_in(State::Queued).await;
    let mut of_queues = Feed::open(&fixture, "room=events&seen=1&type=queue.").await;
    of_queues.frame().await.unwrap();

    let others = vec![spec(); 10_000];
    fixture.engine.enqueue_all(others).await.unwrap();
    fixture.note("queue.paused", "default", json!({})).await;
    let mut told = Vec::new();
    for _ in 0..4 {
        fixture.engine.wakeups().send(Wakeup::Events);
        told.push(of_queues.frame().await.unwrap()["fresh"].take());
    }

    assert_eq!(told.last().unwrap(), "1", "{told:?}");
}

#[tokio::test(start_paused = true)]
async fn frames_are_a_second_apart_however_many_wakeups_come() {
    let fixture = Fixture::new();
    let mut feed = Feed::open(&fixture, "room=overview").await;
    feed.frame().await.unwrap();
    let began = Instant::now();

    for _ in 0..3 {
        for _ in 0..100 {
            fixture.engine.wakeups().send(Wakeup::Events);
        }
        feed.frame().await.unwrap();
    }

    assert!(
        began.elapsed() >= Duration::from_secs(3),
        "{:?}",
        began.elapsed()
    );
    assert!(
        began.elapsed() < Duration::from_secs(4),
        "{:?}",
        began.elapsed()
    );
}

#[tokio::test(start_paused = true)]
async fn a_feed_looks_by_itself_when_no_wakeup_comes() {
    let fixture = Fixture::new();
    let mut feed = Feed::open(&fixture, "room=dead-letters").await;
    feed.frame().await.unwrap();

    fixture.job_in(State::Failed).await;
    let frame = feed.frame().await.unwrap();

    assert!(
        frame["panels"]["groups"]
            .as_str()
            .unwrap()
            .contains("data-group")
    );
}

#[tokio::test(start_paused = true)]
async fn a_row_is_updated_even_after_it_has_left_its_list() {
    let fixture = Fixture::new();
    let id = fixture.job_in(State::Queued).await;
    let query = format!("room=jobs&state=queued&held={}", bare(id));
    let mut feed = Feed::open(&fixture, &query).await;
    feed.frame().await.unwrap();

    fixture.press(&format!("/admin/jobs/{id}/cancel"), "").await;
    fixture.engine.wakeups().send(Wakeup::Events);
    let frame = feed.frame().await.unwrap();

    let row = frame["rows"][id.to_string()].as_str().unwrap();
    assert!(row.contains("data-state=\"canceled\""), "{row}");
}

#[tokio::test(start_paused = true)]
async fn a_new_job_joins_the_list_and_is_kept_current() {
    let fixture = Fixture::new();
    let mut feed = Feed::open(&fixture, "room=jobs").await;
    feed.frame().await.unwrap();

    let id = fixture.enqueue(spec()).await;
    fixture.engine.wakeups().send(Wakeup::Events);
    let came = feed.frame().await.unwrap();
    fixture.claim().await;
    fixture.engine.wakeups().send(Wakeup::Events);
    let runs = feed.frame().await.unwrap();

    let state = |frame: &Value, state: &str| {
        let row = frame["rows"][id.to_string()].as_str().unwrap();
        assert!(row.contains(&format!("data-state=\"{state}\"")), "{row}");
    };
    state(&came, "queued");
    state(&runs, "running");
    assert!(came["fresh"].is_null());
}

#[tokio::test(start_paused = true)]
async fn new_jobs_are_only_counted_when_a_page_has_grown_to_twice_its_size() {
    let fixture = Fixture::new();
    let mut feed = Feed::open(&fixture, "room=jobs").await;
    feed.frame().await.unwrap();

    let mut frames = Vec::new();
    for came in [40, 40, 40] {
        for _ in 0..came {
            fixture.clock.advance(Duration::from_millis(1));
            fixture.enqueue(spec()).await;
        }
        fixture.engine.wakeups().send(Wakeup::Events);
        frames.push(feed.frame().await.unwrap());
    }

    let rows = |frame: &Value| frame["rows"].as_object().unwrap().len();
    assert_eq!((rows(&frames[0]), rows(&frames[1])), (40, 40));
    assert_eq!((rows(&frames[2]), &frames[2]["fresh"]), (0, &"40".into()));
}

#[tokio::test(start_paused = true)]
async fn more_new_jobs_than_a_page_holds_are_only_counted() {
    let fixture = Fixture::new();
    let mut feed = Feed::open(&fixture, "room=jobs").await;
    feed.frame().await.unwrap();

    for _ in 0..60 {
        fixture.enqueue(spec()).await;
    }
    fixture.engine.wakeups().send(Wakeup::Events);
    let frame = feed.frame().await.unwrap();

    assert_eq!(frame["fresh"], "50+");
    assert_eq!(frame["rows"], serde_json::json!({}));
}

#[tokio::test(start_paused = true)]
async fn a_jobs_feed_shows_its_buttons_change() {
    let fixture = Fixture::new();
    let id = fixture.job_in(State::Queued).await;
    let mut feed = Feed::open(&fixture, &format!("room=job&id={id}")).await;
    let first = feed.frame().await.unwrap();

    fixture.claim().await;
    fixture.engine.wakeups().send(Wakeup::Events);
    let second = feed.frame().await.unwrap();

    assert!(
        !first["panels"]["head"]
            .as_str()
            .unwrap()
            .contains("force-stop")
    );
    assert!(
        second["panels"]["head"]
            .as_str()
            .unwrap()
            .contains("force-stop")
    );
    assert!(
        second["panels"]["timeline"]
            .as_str()
            .unwrap()
            .contains("Attempt 1: running")
    );
}

#[tokio::test(start_paused = true)]
async fn a_feed_says_that_the_store_is_away_and_goes_on_when_it_is_back() {
    let fixture = Fixture::new();
    fixture.job_in(State::Queued).await;
    let mut feed = Feed::open(&fixture, "room=jobs").await;
    feed.frame().await.unwrap();

    fixture.cut(true);
    let away = feed.frame().await.unwrap();
    fixture.cut(false);
    let back = feed.frame().await.unwrap();

    assert!(
        away["trouble"].as_str().unwrap().contains("not available"),
        "{away}"
    );
    assert!(back["trouble"].is_null(), "{back}");
}

#[tokio::test(start_paused = true)]
async fn a_feed_ends_when_the_server_stops() {
    let fixture = Fixture::new();
    let mut feed = Feed::open(&fixture, "room=overview").await;
    feed.frame().await.unwrap();

    fixture.shutdown.cancel();

    assert_eq!(feed.frame().await, None);
}

#[tokio::test]
async fn a_feed_that_was_told_a_page_elsewhere_is_refused() {
    let fixture = Fixture::new();

    let answer = fixture
        .get("/admin/live?room=overview&up=javascript%3Aalert(1)&home=.")
        .await;

    assert_eq!(answer.status.as_u16(), 400);
}
