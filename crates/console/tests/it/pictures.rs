//! The pictures of the overview and of a queue: how long jobs waited, and what happened meanwhile.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use async_trait::async_trait;
use baton_domain::job::State;
use baton_ports::{
    Store,
    layer::{Hook, Layer, StoreCall},
    store::Result,
};
use futures::future::join_all;
use serde_json::json;
use tokio::time::Instant;

use crate::{
    campaigns::in_line,
    fixture::{Fixture, NOW, spec, verdict_for},
    live::Feed,
};

#[tokio::test]
async fn the_overview_draws_how_long_jobs_waited_before_they_began() {
    let fixture = Fixture::new();
    fixture.enqueue(spec()).await;
    fixture.clock.advance(Duration::from_mins(3));
    fixture.claim().await;

    let overview = fixture.get("/admin").await;
    let queue = fixture.get("/admin/queues/default").await;

    // Three minutes lie between 131 and 262 seconds, and half of one job is in the middle of these.
    let told = "Wait of the jobs that began in the last 15 minutes: p50 3 m 16 s, p99 ";
    overview.has(told).has(">wait p99</th>");
    queue.has(told);
}

#[tokio::test]
async fn what_happened_meanwhile_is_a_line_in_the_pictures_and_in_the_list_below() {
    let fixture = Fixture::new();
    fixture.enqueue(spec()).await;
    fixture.note("queue.paused", "mail", json!({})).await;
    let joined = json!({"name": "web", "version": "1.2.3"});
    fixture.note("worker.joined", "wrk_2", joined).await;
    fixture.clock.advance(Duration::from_mins(2));
    for campaign in ["cmp_1", "cmp_2"] {
        fixture.note("campaign.stopped", campaign, json!({})).await;
    }

    let overview = fixture.get("/admin").await;
    let queue = fixture.get("/admin/queues/default").await;

    overview
        .has("<rect class=\"marker stop\"")
        .has("<rect class=\"marker join\"")
        .has("Queues paused: 1 · <a href=\"admin/queues/mail\">mail</a>")
        .has("Nodes that joined: 1 · 1.2.3")
        .has("Campaigns stopped: 2</li>");
    // Newest first.
    let place = |text: &str| overview.body.find(text).expect("it is listed");
    assert!(place("Campaigns stopped: 2</li>") < place("Nodes that joined: 1 ·"));
    queue.lacks("Queues paused").lacks("class=\"marker");
}

#[tokio::test]
async fn of_much_that_happened_the_newest_is_listed_and_the_rest_counted() {
    let fixture = Fixture::new();
    fixture.enqueue(spec()).await;
    for _ in 0..14 {
        fixture.note("leader.changed", "wrk_1", json!({})).await;
        fixture.clock.advance(Duration::from_mins(1));
    }

    let overview = fixture.get("/admin").await;

    assert_eq!(
        overview.body.matches("Changes of the leader: 1 ·").count(),
        12
    );
    overview.has("Before that: 2 more, each a line in the pictures.");
}

#[tokio::test]
async fn what_a_clock_said_that_was_put_back_since_is_neither_drawn_nor_listed() {
    let fixture = Fixture::new();
    fixture.enqueue(spec()).await;
    fixture.clock.advance(Duration::from_hours(24));
    fixture.note("queue.paused", "mail", json!({})).await;
    fixture.clock.set(NOW);

    let overview = fixture.get("/admin").await;

    overview.lacks("Queues paused").lacks("class=\"marker");
}

#[tokio::test(start_paused = true)]
async fn pictures_follow_what_happens_but_no_faster_than_they_have_to() {
    let fixture = Fixture::new();
    let id = in_line(&fixture, "Autumn").await;
    fixture.job_in(State::Failed).await;
    for (room, panel) in [
        ("room=overview&window=24h".to_owned(), "pictures"),
        ("room=queue&id=default".to_owned(), "pictures"),
        (format!("room=campaign&id={id}"), "picture"),
    ] {
        let mut feed = Feed::open_in(&fixture, &room, "en").await;
        let first = feed.frame().await.unwrap();
        let began = Instant::now();

        fixture.job_in(State::Failed).await;
        if panel == "picture" {
            let sent = fixture.claim_of(&id.to_string()).await;
            fixture.settle(sent, verdict_for(State::Succeeded)).await;
        }
        let fresh = loop {
            let mut frame = feed.frame().await.unwrap();
            if frame["panels"][panel].is_string() {
                break frame["panels"][panel].take();
            }
        };

        let shown = first["panels"][panel].as_str().unwrap();
        assert_ne!(shown, fresh.as_str().unwrap(), "{room}");
        assert!(fresh.as_str().unwrap().contains("<svg"), "{fresh}");
        let waited = began.elapsed();
        let limits = Duration::from_secs(10)..Duration::from_secs(25);
        assert!(limits.contains(&waited), "{room} {waited:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn however_many_watch_the_pictures_the_store_is_asked_for_them_once() {
    let fixture = Fixture::new();
    fixture.job_in(State::Succeeded).await;
    let below = Arc::clone(&fixture.store) as Arc<dyn Store>;
    let counted = Layer::over(below, CountsPictures::default());
    let fixture = fixture.over(Arc::clone(&counted) as Arc<dyn Store>);
    let mut feeds = Vec::new();
    for _ in 0..20 {
        feeds.push(Feed::open_in(&fixture, "room=overview", "en").await);
    }

    let began = Instant::now();
    let mut drawn = 0;
    while began.elapsed() < Duration::from_mins(1) {
        fixture.job_in(State::Succeeded).await;
        let frames = join_all(feeds.iter_mut().map(Feed::frame)).await;
        let pictures = frames
            .iter()
            .flatten()
            .map(|one| &one["panels"]["pictures"]);
        drawn += pictures.filter(|one| one.is_string()).count();
    }

    // A look each quarter of a minute, for all of them.
    let asked = counted.hook.0.load(Ordering::Relaxed);
    assert!((4..=6).contains(&asked), "asked {asked} times");
    assert!(drawn >= 4 * 20, "drawn {drawn} times");
}

/// How often the store was asked for what pictures are drawn from.
#[derive(Default)]
struct CountsPictures(AtomicUsize);

#[async_trait]
impl Hook for CountsPictures {
    async fn before(&self, call: StoreCall) -> Result<()> {
        self.0
            .fetch_add(usize::from(call.name == "rollups"), Ordering::Relaxed);
        Ok(())
    }
}
