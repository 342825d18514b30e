//! Nodes that are lost over a chunk: whatever kills them is tried with less, and then no more.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU32, Ordering},
    },
    time::Duration,
};

use async_trait::async_trait;
use baton_domain::{
    Clock, WorkerId,
    campaign::{CampaignSpec, State},
};
use baton_engine::{
    CampaignCommand, Routine,
    routines::{Expander, Tools},
};
use baton_ports::{
    layer::{Hook, Layer, StoreCall},
    store::{self, Campaigns},
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
    let resumed = fixture
        .engine
        .command_campaign(id, CampaignCommand::Resume, None);
    resumed.await.unwrap();
    another_expander(&fixture).turn().await.unwrap();
    assert_eq!(deliveries(&fixture, id).await, 9);
}

#[tokio::test]
async fn behind_a_loss_a_campaign_is_walked_in_small_chunks() {
    let fixture = Fixture::new().await;
    people(&fixture, 600).await;
    let id = fixture.engine.create_campaign(quiz()).await.unwrap().id();
    one_is_lost(&fixture).await;
    fixture.clock.advance(SILENCE);
    let mut careful = another_expander(&fixture);

    let mut walked = Vec::new();
    for _ in 0..3 {
        careful.turn().await.unwrap();
        walked.push(deliveries(&fixture, id).await);
    }

    assert_eq!(walked, [32, 64, 96]);
}

#[tokio::test]
async fn nodes_that_only_came_late_stop_no_campaign() {
    for call in ["expand", "members"] {
        let fixture = Fixture::new().await;
        people(&fixture, 9).await;
        let id = fixture.engine.create_campaign(quiz()).await.unwrap().id();
        let slow = Arc::new(Slow::at(call));
        let mut nodes = [
            slow_expander(&fixture, &slow),
            slow_expander(&fixture, &slow),
        ];
        for turn in 0..10 {
            nodes[turn % 2].turn().await.unwrap_err();
            fixture.clock.advance(SILENCE);
        }

        slow.is_slow.store(false, Ordering::Relaxed);
        for turn in 0..4 {
            nodes[turn % 2].turn().await.unwrap();
        }

        let walked = campaign(&fixture, id).await;
        assert_eq!(
            (walked.state, walked.expanded),
            (State::Sending, 9),
            "{call}"
        );
    }
}

#[tokio::test]
async fn a_node_that_takes_over_from_itself_writes_each_chunk_once() {
    let fixture = Fixture::new().await;
    people(&fixture, 9).await;
    let spec = CampaignSpec {
        chunk: Some(3),
        ..quiz()
    };
    fixture.engine.create_campaign(spec).await.unwrap();
    let slow = Arc::new(Slow::at("expand"));
    let mut node = slow_expander(&fixture, &slow);
    for _ in 0..3 {
        node.turn().await.unwrap_err();
        fixture.clock.advance(SILENCE);
    }
    let before = slow.asked.load(Ordering::Relaxed);

    slow.is_slow.store(false, Ordering::Relaxed);
    for _ in 0..8 {
        node.turn().await.unwrap();
    }

    assert_eq!(slow.asked.load(Ordering::Relaxed) - before, 3);
}

/// A store that leaves one kind of call without an answer for a while, and counts it.
struct Slow {
    call: &'static str,
    is_slow: AtomicBool,
    asked: AtomicU32,
}

impl Slow {
    fn at(call: &'static str) -> Self {
        Self {
            call,
            is_slow: AtomicBool::new(true),
            asked: AtomicU32::new(0),
        }
    }
}

struct Watched(Arc<Slow>);

#[async_trait]
impl Hook for Watched {
    async fn before(&self, call: StoreCall) -> store::Result<()> {
        if call.name != self.0.call {
            return Ok(());
        }
        self.0.asked.fetch_add(1, Ordering::Relaxed);
        if self.0.is_slow.load(Ordering::Relaxed) {
            return Err(store::Error::Unconfirmed("no answer in time".to_owned()));
        }
        Ok(())
    }
}

fn slow_expander(fixture: &Fixture, slow: &Arc<Slow>) -> Expander {
    let tools = fixture.engine.tools();
    let store = Layer::over(Arc::clone(&tools.store), Watched(Arc::clone(slow)));
    fixture.clock.advance(Duration::from_millis(1));
    let node = WorkerId::new(fixture.clock.now());
    Expander::new(Tools { store, ..tools }, node)
}
