//! The pictures of the overview and of a queue: how long jobs waited, and what happened meanwhile.

use std::time::Duration;

use serde_json::json;

use crate::fixture::{Fixture, NOW, spec};

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
