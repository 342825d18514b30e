//! Campaigns: walked, stopped, taken over and ended by routines that are turned by hand.

mod books;
mod crashes;
mod losses;

use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use async_trait::async_trait;
use baton_domain::{
    CampaignId, Clock, ManualClock, Timestamp, WorkerId,
    campaign::{Campaign, CampaignSpec, State},
    job::{Class, Failure, Job},
    message::MessageSpec,
    page::PageRequest,
    recipient::{Profile, RecipientSpec},
};
use baton_engine::{Caller, CampaignCommand, Routine, SnapshotCache, routines::Expander};
use baton_ports::{
    CampaignSnapshots, Store,
    campaign_snapshots::CampaignStatus,
    layer::{Hook, Layer},
    store::{self, JobFilter, Jobs, Recipients},
};
use serde_json::json;

use crate::fixture::Fixture;

/// Longer than an expansion is left to a node that says nothing.
const SILENCE: Duration = Duration::from_secs(11);

pub fn quiz() -> CampaignSpec {
    CampaignSpec {
        name: "Daily quiz".to_owned(),
        category: "question".to_owned(),
        action: "push".to_owned(),
        audience: json!({ "all": true }),
        message: MessageSpec {
            title: "Quiz".to_owned(),
            body: "For {{id}}".to_owned(),
            ..MessageSpec::default()
        },
        ..CampaignSpec::default()
    }
}

pub async fn people(fixture: &Fixture, count: usize) {
    profiles(&*fixture.store, count, fixture.clock.now()).await;
}

/// Writes `p0`, `p1` and so on down.
pub async fn profiles(store: &dyn Recipients, count: usize, now: Timestamp) {
    let profile = |number: usize| {
        let spec = RecipientSpec {
            addresses: BTreeMap::from([("push".to_owned(), format!("token-{number}"))]),
            ..RecipientSpec::on("ios")
        };
        Profile::from_spec(format!("p{number}"), spec).unwrap()
    };
    let profiles: Vec<_> = (0..count).map(profile).collect();
    store.put_recipients(&profiles, now).await.unwrap();
}

pub async fn campaign(fixture: &Fixture, id: CampaignId) -> Campaign {
    fixture.engine.campaign(id).await.unwrap()
}

async fn deliveries(fixture: &Fixture, id: CampaignId) -> usize {
    deliveries_of(fixture, id).await.len()
}

async fn deliveries_of(fixture: &Fixture, id: CampaignId) -> Vec<Job> {
    let filter = JobFilter {
        campaign: Some(id),
        ..JobFilter::default()
    };
    let page = PageRequest::first(10_000);
    fixture.store.jobs(&filter, &page).await.unwrap().items
}

fn another_expander(fixture: &Fixture) -> Expander {
    Expander::new(fixture.engine.tools(), WorkerId::new(fixture.clock.now()))
}

#[tokio::test]
async fn an_audience_is_walked_chunk_by_chunk_to_its_end() {
    let mut fixture = Fixture::new().await;
    people(&fixture, 1_200).await;
    let id = fixture.engine.create_campaign(quiz()).await.unwrap().id();

    fixture.turn("expander").await;
    let begun = campaign(&fixture, id).await;
    while campaign(&fixture, id).await.state == State::Expanding {
        fixture.turn("expander").await;
    }

    assert!((1..1_200).contains(&begun.expanded), "{}", begun.expanded);
    assert_eq!(campaign(&fixture, id).await.expanded, 1_200);
    assert_eq!(deliveries(&fixture, id).await, 1_200);
}

#[tokio::test]
async fn a_chunk_is_no_larger_than_the_campaign_wants() {
    let mut fixture = Fixture::new().await;
    people(&fixture, 10).await;
    let spec = CampaignSpec {
        chunk: Some(3),
        ..quiz()
    };
    let id = fixture.engine.create_campaign(spec).await.unwrap().id();

    for _ in 0..4 {
        fixture.turn("expander").await;
    }

    let walked = campaign(&fixture, id).await;
    assert_eq!((walked.chunks, walked.expanded), (4, 10));
}

#[tokio::test]
async fn a_chunk_ends_where_what_it_lays_into_inboxes_becomes_too_much() {
    let mut fixture = Fixture::new().await;
    people(&fixture, 300).await;
    let spec = CampaignSpec {
        action: "inbox".to_owned(),
        message: MessageSpec {
            title: "Quiz".to_owned(),
            body: "{{data.x}}{{data.x}}{{data.x}}".to_owned(),
            data: Some(format!(r#"{{"x": "{}"}}"#, "x".repeat(30_000))),
            ..MessageSpec::default()
        },
        ..quiz()
    };
    let id = fixture.engine.create_campaign(spec).await.unwrap().id();

    fixture.turn("expander").await;
    let begun = campaign(&fixture, id).await;
    while campaign(&fixture, id).await.state == State::Expanding {
        fixture.turn("expander").await;
    }

    // Each item has some 120,000 bytes, and a chunk 4 MiB.
    assert!((1..=36).contains(&begun.expanded), "{}", begun.expanded);
    let walked = campaign(&fixture, id).await;
    assert_eq!((walked.expanded, walked.items), (300, 300));
}

#[tokio::test]
async fn a_campaign_whose_message_multiplies_its_data_is_refused() {
    let fixture = Fixture::new().await;
    let spec = CampaignSpec {
        message: MessageSpec {
            title: "Quiz".to_owned(),
            body: "{{data.x}}".repeat(900),
            data: Some(format!(r#"{{"x": "{}"}}"#, "x".repeat(30_000))),
            ..MessageSpec::default()
        },
        ..quiz()
    };

    let refused = fixture.engine.create_campaign(spec).await.unwrap_err();

    let baton_engine::Error::Invalid(errors) = refused else {
        panic!("{refused:?}");
    };
    assert_eq!(errors[0].field, "message.body");
}

#[tokio::test]
async fn campaigns_of_two_lanes_take_turns() {
    let mut fixture = Fixture::new().await;
    people(&fixture, 10).await;
    let spec = |lane: &str| CampaignSpec {
        chunk: Some(3),
        lane: Some(lane.to_owned()),
        ..quiz()
    };
    let one = fixture
        .engine
        .create_campaign(spec("one"))
        .await
        .unwrap()
        .id();
    let two = fixture
        .engine
        .create_campaign(spec("two"))
        .await
        .unwrap()
        .id();

    fixture.turn("expander").await;
    fixture.clock.advance(Duration::from_secs(1));
    fixture.turn("expander").await;
    fixture.turn("expander").await;

    assert!(campaign(&fixture, one).await.chunks > 0);
    assert!(campaign(&fixture, two).await.chunks > 0);
}

#[tokio::test]
async fn a_stopped_campaign_is_left_alone_until_it_is_resumed() {
    let mut fixture = Fixture::new().await;
    people(&fixture, 10).await;
    let spec = CampaignSpec {
        chunk: Some(3),
        ..quiz()
    };
    let id = fixture.engine.create_campaign(spec).await.unwrap().id();
    fixture.turn("expander").await;

    let command = fixture
        .engine
        .command_campaign(id, CampaignCommand::Stop, None);
    command.await.unwrap();
    for _ in 0..3 {
        fixture.turn("expander").await;
    }
    let stopped = deliveries(&fixture, id).await;
    let command = fixture
        .engine
        .command_campaign(id, CampaignCommand::Resume, None);
    command.await.unwrap();
    for _ in 0..4 {
        fixture.turn("expander").await;
    }

    assert_eq!((stopped, deliveries(&fixture, id).await), (3, 10));
}

#[tokio::test]
async fn a_chunk_made_ahead_is_void_once_a_command_came_between() {
    let mut fixture = Fixture::new().await;
    people(&fixture, 9).await;
    let spec = CampaignSpec {
        chunk: Some(3),
        ..quiz()
    };
    let id = fixture.engine.create_campaign(spec).await.unwrap().id();
    fixture.turn("expander").await;

    for wish in [CampaignCommand::Stop, CampaignCommand::Resume] {
        let command = fixture.engine.command_campaign(id, wish, None);
        command.await.unwrap();
    }
    fixture.turn("expander").await;
    let between = deliveries(&fixture, id).await;
    fixture.clock.advance(Duration::from_secs(1));
    for _ in 0..2 {
        fixture.turn("expander").await;
    }

    assert_eq!((between, deliveries(&fixture, id).await), (3, 9));
}

#[tokio::test]
async fn a_walk_whose_node_went_silent_is_taken_over_and_the_old_node_writes_nothing_more() {
    let fixture = Fixture::new().await;
    people(&fixture, 9).await;
    let spec = CampaignSpec {
        chunk: Some(3),
        ..quiz()
    };
    let id = fixture.engine.create_campaign(spec).await.unwrap().id();
    let (mut old, mut heir) = (another_expander(&fixture), another_expander(&fixture));
    old.turn().await.unwrap();

    heir.turn().await.unwrap();
    let too_early = campaign(&fixture, id).await.chunks;
    fixture.clock.advance(SILENCE);
    heir.turn().await.unwrap();
    old.turn().await.unwrap();
    heir.turn().await.unwrap();

    let walked = campaign(&fixture, id).await;
    assert_eq!((too_early, walked.chunks, walked.expanded), (1, 3, 9));
    assert_eq!(deliveries(&fixture, id).await, 9);
}

#[tokio::test]
async fn the_members_of_an_audience_are_counted_for_those_who_watch() {
    let mut fixture = Fixture::new().await;
    people(&fixture, 10).await;
    let id = fixture.engine.create_campaign(quiz()).await.unwrap().id();

    fixture.turn("expander").await;
    tokio::task::yield_now().await;

    assert_eq!(campaign(&fixture, id).await.expected, Some(10));
}

#[tokio::test]
async fn a_campaign_for_nobody_is_done_by_the_conductor() {
    let mut fixture = Fixture::new().await;
    let id = fixture.engine.create_campaign(quiz()).await.unwrap().id();

    fixture.turn("expander").await;
    fixture.turn("sequencer").await;
    fixture.turn("conductor").await;

    assert_eq!(campaign(&fixture, id).await.state, State::Done);
}

#[tokio::test]
async fn a_canceled_campaign_is_cleared_up_by_the_conductor() {
    let mut fixture = Fixture::new().await;
    people(&fixture, 10).await;
    let id = fixture.engine.create_campaign(quiz()).await.unwrap().id();
    fixture.turn("expander").await;

    let command = fixture
        .engine
        .command_campaign(id, CampaignCommand::Cancel, Some("wrong link"));
    command.await.unwrap();
    fixture.turn("conductor").await;
    fixture.turn("conductor").await;
    fixture.turn("sequencer").await;

    let canceled = campaign(&fixture, id).await;
    assert_eq!(canceled.counts.of(baton_domain::job::State::Canceled), 10);
    assert_eq!(canceled.why.as_deref(), Some("wrong link"));
    assert!(canceled.finished_at.is_some());
}

#[tokio::test]
async fn a_brief_hears_of_a_stop_within_a_second() {
    let fixture = Fixture::new().await;
    let id = fixture.engine.create_campaign(quiz()).await.unwrap().id();
    let tools = fixture.engine.tools();
    let snapshots = SnapshotCache::new(tools.store, tools.wakeups, tools.clock);
    let before = snapshots.snapshot(id).await.unwrap().unwrap().standing;

    let command = fixture
        .engine
        .command_campaign(id, CampaignCommand::Stop, None);
    command.await.unwrap();
    fixture.clock.advance(Duration::from_secs(1));
    let after = snapshots.snapshot(id).await.unwrap().unwrap().standing;

    assert_eq!(
        (before, after),
        (CampaignStatus::Active, CampaignStatus::Stopped)
    );
}

/// Somebody stops the campaign while the first answer about it is on its way, which takes this long.
struct Overtaken {
    engine: Caller,
    clock: ManualClock,
    takes: Duration,
    is_stopped: AtomicBool,
}

#[async_trait]
impl Hook for Overtaken {
    async fn campaign(
        &self,
        below: &dyn Store,
        id: CampaignId,
        now: Timestamp,
    ) -> store::Result<Option<Campaign>> {
        let answer = below.campaign(id, now).await;
        if !self.is_stopped.swap(true, Ordering::SeqCst) {
            let stopped = self
                .engine
                .command_campaign(id, CampaignCommand::Stop, None)
                .await;
            stopped.unwrap();
            self.clock.advance(self.takes);
        }
        answer
    }
}

#[tokio::test]
async fn a_brief_that_was_long_on_its_way_is_asked_for_again() {
    for (takes, standing) in [
        (Duration::from_millis(500), CampaignStatus::Active),
        (Duration::from_secs(2), CampaignStatus::Stopped),
    ] {
        let fixture = Fixture::new().await;
        let id = fixture.engine.create_campaign(quiz()).await.unwrap().id();
        let tools = fixture.engine.tools();
        let overtaken = Overtaken {
            engine: fixture.engine.clone(),
            clock: fixture.clock.clone(),
            takes,
            is_stopped: AtomicBool::new(false),
        };
        let store = Layer::over(tools.store, overtaken);
        let snapshots = SnapshotCache::new(store, tools.wakeups, tools.clock);

        let snapshot = snapshots.snapshot(id).await.unwrap().unwrap();

        assert_eq!(snapshot.standing, standing, "after {takes:?}");
    }
}

#[tokio::test]
async fn a_provider_that_cannot_work_stops_the_campaign_with_the_reason() {
    let fixture = Fixture::new().await;
    let id = fixture.engine.create_campaign(quiz()).await.unwrap().id();
    let tools = fixture.engine.tools();
    let snapshots = SnapshotCache::new(Arc::clone(&tools.store), tools.wakeups, tools.clock);
    let failure = Failure::new(Class::Misconfigured, "http_401", "the key is wrong");

    snapshots.misconfigured(id, &failure).await.unwrap();
    snapshots.misconfigured(id, &failure).await.unwrap();

    let stopped = tools.store.campaign(id, fixture.clock.now()).await;
    let stopped = stopped.unwrap().unwrap();
    assert_eq!((stopped.state, stopped.epoch), (State::Stopped, 1));
    assert!(stopped.why.unwrap().contains("the key is wrong"));
}

#[tokio::test]
async fn a_preview_finds_that_nobody_would_bring_it() {
    let fixture = Fixture::new().await;
    people(&fixture, 3).await;
    let spec = CampaignSpec {
        provider: Some("other".to_owned()),
        ..quiz()
    };

    let preview = fixture.engine.preview_campaign(spec).await.unwrap();

    assert_eq!(preview.members, 3);
    let missing = "provider: no such provider is configured here; there is: gateway";
    assert_eq!(preview.missing, [missing]);
}

#[tokio::test]
async fn who_lacks_what_the_message_asks_for_is_skipped_and_not_told_half_a_sentence() {
    let mut fixture = Fixture::new().await;
    people(&fixture, 3).await;
    let message = MessageSpec {
        body: "It is morning in {{time_zone}}".to_owned(),
        ..quiz().message
    };
    let spec = CampaignSpec {
        action: "both".to_owned(),
        message,
        ..quiz()
    };

    let preview = fixture.engine.preview_campaign(spec.clone()).await.unwrap();
    let id = fixture.engine.create_campaign(spec).await.unwrap().id();
    fixture.turn("expander").await;
    fixture.turn("sequencer").await;

    assert_eq!(preview.skipped, BTreeMap::from([("missing_value", 3)]));
    assert!(preview.missing[0].contains("{{time_zone}}"), "{preview:?}");
    let walked = campaign(&fixture, id).await;
    assert_eq!((walked.expanded, walked.items), (3, 0));
    assert_eq!(walked.counts.of(baton_domain::job::State::Skipped), 3);
    for delivery in deliveries_of(&fixture, id).await {
        assert_eq!(delivery.reason.as_deref(), Some("missing_value"));
    }
}
