//! The log of what was done while it is watched: what is new is offered, and not put under the hand.

use std::time::Duration;

use baton_domain::{access::Role, job::State, queue::QueueChange};
use baton_ports::Wakeup;

use crate::{access::seen_by, fixture::Fixture, live::Feed};

/// What a page of the log says that it watches for.
async fn watched(fixture: &Fixture, query: &str) -> String {
    let page = fixture.get(&format!("/admin/activity{query}")).await;
    page.has("data-room=\"activity\"").has("data-fresh hidden");
    let (_, rest) = page.body.split_once("data-watch=\"").unwrap();
    let watch = rest.split('"').next().unwrap();
    format!("room=activity&{}", watch.replace("&#38;", "&"))
}

async fn pause(fixture: &Fixture, queue: &str) {
    fixture
        .press(&format!("/admin/queues/{queue}/pause"), "")
        .await;
}

#[tokio::test(start_paused = true)]
async fn entries_that_are_written_while_the_page_is_open_are_offered() {
    let fixture = Fixture::new();
    pause(&fixture, "mail").await;
    let of_all = watched(&fixture, "").await;
    let of_resumed = watched(&fixture, "?action=queue.change&object=news").await;
    let mut all = Feed::open_in(&fixture, &of_all, "en").await;
    let mut resumed = Feed::open_in(&fixture, &of_resumed, "en").await;

    let calm = all.frame().await.unwrap();
    fixture.clock.advance(Duration::from_secs(1));
    pause(&fixture, "default").await;
    pause(&fixture, "letters").await;
    fixture.engine.wakeups().send(Wakeup::Events);
    let busy = all.frame().await.unwrap();
    resumed.frame().await.unwrap();
    let elsewhere = resumed.frame().await.unwrap();
    fixture.clock.advance(Duration::from_secs(1));
    pause(&fixture, "news").await;
    let met = resumed.frame().await.unwrap();

    assert!(calm["fresh"].is_null(), "{calm}");
    assert_eq!(busy["fresh"], "2");
    assert!(elsewhere["fresh"].is_null(), "{elsewhere}");
    assert_eq!(met["fresh"], "1");
}

#[tokio::test(start_paused = true)]
async fn whoever_may_not_read_the_log_hears_nothing_of_it() {
    let fixture = Fixture::new();
    pause(&fixture, "mail").await;
    let seen = watched(&fixture, "").await;
    fixture.job_in(State::Queued).await;
    let fixture = seen_by(fixture, Role::Viewer);
    let mut feed = Feed::open_in(&fixture, &seen, "en").await;

    let calm = feed.frame().await.unwrap();
    fixture.clock.advance(Duration::from_secs(1));
    let paused = QueueChange {
        paused: Some(true),
        ..QueueChange::default()
    };
    fixture.engine.change_queue("news", &paused).await.unwrap();
    let after = feed.frame().await.unwrap();

    assert!(calm["fresh"].is_null() && after["fresh"].is_null());
}
