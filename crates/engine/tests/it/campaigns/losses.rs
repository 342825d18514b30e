//! Nodes that are lost over a chunk: whatever kills them is tried with less, and then no more.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use async_trait::async_trait;
use baton_domain::{Clock, Timestamp, WorkerId, campaign::State};
use baton_engine::{
    Routine, Wish,
    routines::{Expander, Tools},
};
use baton_ports::{
    Store,
    layer::{Hook, Layer},
    store::{self, Campaigns, Chunk},
};

use super::{SILENCE, another_expander, campaign, deliveries, people, quiz};
use crate::fixture::Fixture;

/// A node takes the walk up, and dies before its chunk is written.
async fn one_is_lost(fixture: &Fixture) {
    fixture.clock.advance(SILENCE);
    let now = fixture.clock.now();
    let node = WorkerId::new(now);
    let taken = fixture.store.take_expansion(node, now + SILENCE / 2, now);
    assert!(taken.await.unwrap().is_some());
}

#[tokio::test]
async fn a_campaign_whose_chunk_has_killed_three_nodes_stops_with_the_reason_and_can_be_resumed() {
    let fixture = Fixture::new().await;
    people(&fixture, 9).await;
    let id = fixture.engine.create_campaign(quiz()).await.unwrap().id();
    for _ in 0..3 {
        one_is_lost(&fixture).await;
    }

    fixture.clock.advance(SILENCE);
    another_expander(&fixture).turn().await.unwrap();

    let stopped = campaign(&fixture, id).await;
    let why = stopped.why.unwrap();
    assert_eq!((stopped.state, stopped.expanded), (State::Stopped, 0));
    assert!(why.starts_with("3 nodes were lost"), "{why}");
    let resumed = fixture.engine.command_campaign(id, Wish::Resume, None);
    resumed.await.unwrap();
    another_expander(&fixture).turn().await.unwrap();
    assert_eq!(deliveries(&fixture, id).await, 9);
}

#[tokio::test]
async fn a_chunk_that_has_killed_nodes_is_tried_with_fewer_recipients() {
    let fixture = Fixture::new().await;
    people(&fixture, 600).await;
    let id = fixture.engine.create_campaign(quiz()).await.unwrap().id();
    let mut sizes = Vec::new();
    for _ in 0..2 {
        one_is_lost(&fixture).await;
        let before = deliveries(&fixture, id).await;

        fixture.clock.advance(SILENCE);
        another_expander(&fixture).turn().await.unwrap();

        sizes.push(deliveries(&fixture, id).await - before);
    }

    // The node that wrote the first of them is lost as well.
    assert_eq!(sizes, [125, 31]);
}

#[tokio::test]
async fn nodes_that_only_came_late_stop_no_campaign() {
    let fixture = Fixture::new().await;
    people(&fixture, 9).await;
    let id = fixture.engine.create_campaign(quiz()).await.unwrap().id();
    let slow = Arc::new(AtomicBool::new(true));
    let mut nodes = [
        slow_expander(&fixture, &slow),
        slow_expander(&fixture, &slow),
    ];
    for turn in 0..10 {
        nodes[turn % 2].turn().await.unwrap_err();
        fixture.clock.advance(SILENCE);
    }

    slow.store(false, Ordering::Relaxed);
    for turn in 0..4 {
        nodes[turn % 2].turn().await.unwrap();
    }

    let walked = campaign(&fixture, id).await;
    assert_eq!((walked.state, walked.expanded), (State::Sending, 9));
}

/// A store that leaves each chunk without an answer for a while.
struct Slow(Arc<AtomicBool>);

#[async_trait]
impl Hook for Slow {
    async fn expand(
        &self,
        below: &dyn Store,
        chunk: &Chunk,
        now: Timestamp,
    ) -> store::Result<bool> {
        if self.0.load(Ordering::Relaxed) {
            return Err(store::Error::Unconfirmed("no answer in time".to_owned()));
        }
        below.expand(chunk, now).await
    }
}

fn slow_expander(fixture: &Fixture, slow: &Arc<AtomicBool>) -> Expander {
    let tools = fixture.engine.tools();
    let store = Layer::over(Arc::clone(&tools.store), Slow(Arc::clone(slow)));
    fixture.clock.advance(std::time::Duration::from_millis(1));
    let node = WorkerId::new(fixture.clock.now());
    Expander::new(Tools { store, ..tools }, node)
}
