//! Events: follow.

use std::time::Duration;

use axum::{
    body::{Body, BodyDataStream},
    http::Request,
};
use baton_api::Options;
use baton_engine::Streams;
use baton_ports::store::{Retention, Upkeep};
use futures::StreamExt;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;

use crate::fixture::Fixture;

/// How long a test waits for what must come.
const TIMEOUT: Duration = Duration::from_secs(30);

/// A reader of a stream, block by block.
pub struct Reader {
    stream: BodyDataStream,
    text: String,
}

#[derive(Debug, Default)]
pub struct Block {
    pub id: String,
    pub event: String,
    pub data: Value,
}

impl Reader {
    async fn open(fixture: &Fixture, query: &str, last_seen: Option<&str>) -> Self {
        Self::at(fixture, &format!("/v1/events/stream{query}"), last_seen).await
    }

    /// A reader of the stream at this path.
    pub async fn at(fixture: &Fixture, path: &str, last_seen: Option<&str>) -> Self {
        let mut request = Request::get(path);
        if let Some(id) = last_seen {
            request = request.header("last-event-id", id);
        }
        let response = fixture
            .api
            .clone()
            .oneshot(request.body(Body::empty()).unwrap())
            .await
            .unwrap();
        assert_eq!(response.status(), 200);
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        assert_eq!(response.headers()["cache-control"], "no-store");
        assert_eq!(response.headers()["x-accel-buffering"], "no");
        Self {
            stream: response.into_body().into_data_stream(),
            text: String::new(),
        }
    }

    /// The next block, also one without an event; `None` at the end.
    async fn block(&mut self) -> Option<Block> {
        while !self.text.contains("\n\n") {
            let chunk = tokio::time::timeout(TIMEOUT, self.stream.next());
            let chunk = chunk.await.expect("the stream has stalled")?.unwrap();
            self.text.push_str(std::str::from_utf8(&chunk).unwrap());
        }
        let (block, rest) = self.text.split_once("\n\n").unwrap();
        let mut read = Block::default();
        for line in block.lines() {
            match line.split_once(": ").unwrap_or((line, "")) {
                ("id", id) => read.id = id.to_owned(),
                ("event", event) => read.event = event.to_owned(),
                ("data", data) => read.data = serde_json::from_str(data).unwrap(),
                _ => {}
            }
        }
        self.text = rest.to_owned();
        Some(read)
    }

    /// The next event; comments that keep the line open do not count as progress.
    pub async fn event(&mut self) -> Block {
        let next = async {
            loop {
                let block = self.block().await.expect("the stream has ended");
                if !block.event.is_empty() {
                    return block;
                }
            }
        };
        tokio::time::timeout(TIMEOUT, next)
            .await
            .expect("no event comes")
    }
}

#[tokio::test]
async fn a_stream_begins_now_and_shows_what_comes() {
    let fixture = Fixture::new();
    fixture.job(json!({})).await;
    fixture.sequence().await;
    let mut reader = Reader::open(&fixture, "", None).await;
    let begin = reader.block().await.unwrap();

    let id = fixture.job(json!({})).await;
    fixture.sequence().await;
    let event = reader.event().await;

    assert!(begin.event.is_empty() && !begin.id.is_empty());
    assert_eq!(event.data["subject"], id.to_string());
    assert_eq!(event.event, event.data["type"].as_str().unwrap());
    assert_eq!(event.id, event.data["id"].as_str().unwrap());
}

#[tokio::test]
async fn a_stream_goes_on_after_a_break_without_a_gap() {
    let fixture = Fixture::new();
    let mut reader = Reader::open(&fixture, "", None).await;
    fixture.job(json!({})).await;
    fixture.sequence().await;
    let seen = reader.event().await;
    drop(reader);
    for _ in 0..300 {
        fixture.job(json!({})).await;
    }
    fixture.sequence().await;

    let mut reader = Reader::open(&fixture, "", Some(&seen.id)).await;

    let first = seen.data["seq"].as_i64().unwrap();
    for n in 1..=300 {
        assert_eq!(reader.event().await.data["seq"], first + n);
    }
}

#[tokio::test]
async fn the_header_goes_before_the_query() {
    let fixture = Fixture::new();
    for _ in 0..3 {
        fixture.job(json!({})).await;
    }
    fixture.sequence().await;
    let page = fixture.get("/v1/events").await.ok();
    let id = |n: usize| page["items"][n]["id"].as_str().unwrap().to_owned();

    let by_query = Reader::open(&fixture, &format!("?after={}", id(0)), None)
        .await
        .event()
        .await;
    let by_header = Reader::open(&fixture, &format!("?after={}", id(0)), Some(&id(1)))
        .await
        .event()
        .await;

    assert_eq!(by_query.id, id(1));
    assert_eq!(by_header.id, id(2));
}

#[tokio::test]
async fn a_filtered_stream_moves_its_place_past_what_it_does_not_show() {
    let fixture = Fixture::new();
    let mut reader = Reader::open(&fixture, "?queue=mail&types=job.", None).await;
    let begin = reader.block().await.unwrap();

    fixture.job(json!({})).await;
    fixture.sequence().await;
    let passed = reader.block().await.unwrap();
    let id = fixture.job(json!({"queue": "mail"})).await;
    fixture.sequence().await;
    let event = reader.event().await;

    assert!(passed.event.is_empty() && !passed.id.is_empty());
    assert_ne!(passed.id, begin.id);
    assert_eq!(event.data["subject"], id.to_string());
}

#[tokio::test]
async fn a_reader_that_cannot_go_on_is_told_so_and_follows_what_comes() {
    let fixture = Fixture::new();
    fixture.job(json!({})).await;
    fixture.sequence().await;
    let page = fixture.get("/v1/events").await.ok();
    let last = page["position"].as_str().unwrap().to_owned();
    let (epoch, seq) = last.split_once('-').unwrap();
    let epoch: i64 = epoch.parse().unwrap();
    let lost = [
        format!("{epoch}-{}", seq.parse::<i64>().unwrap() + 5),
        format!("{}-{seq}", epoch + 1),
        "rubbish".to_owned(),
    ];

    for id in lost {
        let mut reader = Reader::open(&fixture, "", Some(&id)).await;
        let reset = reader.event().await;
        let end = fixture.get("/v1/events").await.ok()["position"].clone();
        let job = fixture.job(json!({})).await;
        fixture.sequence().await;
        let event = reader.event().await;

        assert_eq!(reset.event, "reset", "{id}");
        assert_eq!(reset.data["last"], end);
        assert_eq!(reset.id, end);
        assert!(reset.data["first"].is_string() && reset.data["reason"].is_string());
        assert_eq!(event.data["subject"], job.to_string());
    }
}

#[tokio::test]
async fn a_reader_whose_place_has_been_pruned_is_reset() {
    let fixture = Fixture::new();
    for _ in 0..3 {
        fixture.job(json!({})).await;
    }
    fixture.sequence().await;
    let page = fixture.get("/v1/events").await.ok();
    let first = page["items"][0]["id"].as_str().unwrap().to_owned();
    fixture.clock.advance(Duration::from_hours(720));
    fixture
        .store
        .prune(&Retention::default(), 1_000, fixture.engine.now())
        .await
        .unwrap();

    let reset = Reader::open(&fixture, "", Some(&first)).await.event().await;
    let list = fixture.get(&format!("/v1/events?after={first}")).await;

    assert_eq!(reset.event, "reset");
    list.problem("events-gone");
}

#[tokio::test]
async fn a_stream_ends_when_the_server_stops() {
    let stop = CancellationToken::new();
    let fixture = Fixture::with(Options {
        stop: stop.clone(),
        ..Options::default()
    });
    let mut reader = Reader::open(&fixture, "", None).await;
    reader.block().await.unwrap();

    stop.cancel();

    assert!(reader.block().await.is_none());
}

#[tokio::test]
async fn a_stream_outlives_a_database_that_was_away() {
    let fixture = Fixture::new();
    let mut reader = Reader::open(&fixture, "", None).await;
    reader.block().await.unwrap();
    fixture.cut();
    fixture.engine.wakeups().send(baton_ports::Wakeup::Events);
    while fixture.faults.injected() == 0 {
        tokio::task::yield_now().await;
    }

    fixture.mend();
    let id = fixture.job(json!({})).await;
    fixture.sequence().await;

    assert_eq!(reader.event().await.data["subject"], id.to_string());
}

#[tokio::test]
async fn only_so_many_streams_are_open_at_once() {
    let fixture = Fixture::with(Options {
        streams: Streams::new(1),
        ..Options::default()
    });
    let open = Reader::open(&fixture, "", None).await;

    let refused = fixture.get("/v1/events/stream").await;
    drop(open);
    let reopened = async {
        // The permit is free once the stream's task has noticed that its reader has gone.
        loop {
            let request = Request::get("/v1/events/stream")
                .body(Body::empty())
                .unwrap();
            let response = fixture.api.clone().oneshot(request).await.unwrap();
            if response.status() == 200 {
                return;
            }
            tokio::task::yield_now().await;
        }
    };

    refused.problem("overloaded");
    tokio::time::timeout(Duration::from_secs(30), reopened)
        .await
        .unwrap();
}
