//! The rest of a campaign: whoever it has not reached, once, however often it is canceled on its way.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use baton_domain::{
    CampaignId, Clock, LeaseId,
    campaign::{CampaignSpec, RestSpec, State},
    job::{self, Verdict, decide},
    page::PageRequest,
};
use baton_engine::{CampaignCommand, Created, Error};
use baton_ports::store::{
    AttemptResult, By, Claim, Claimed, JobFilter, Jobs, QueueClaim, Retention, Upkeep, Work,
};
use rand::{SeedableRng, rngs::StdRng};

use crate::{
    campaigns::{campaign, people, quiz},
    fixture::Fixture,
};

const ALL: u32 = 10_000;

#[tokio::test]
async fn the_rest_of_the_rest_of_a_rest_reaches_each_of_the_audience_once() {
    let mut fixture = Fixture::new().await;
    people(&fixture, 20).await;
    let first = fixture
        .engine
        .create_campaign(in_fours())
        .await
        .unwrap()
        .id();
    send_and_cancel(&mut fixture, first, 2, 3).await;
    people(&fixture, 25).await;

    let second = rest_of(&fixture, first).await.id();
    send_and_cancel(&mut fixture, second, 1, 2).await;
    let third = rest_of(&fixture, second).await.id();
    send_and_cancel(&mut fixture, third, 3, 4).await;
    let last = rest_of(&fixture, third).await.id();
    walk(&mut fixture, last).await;
    send(&fixture, last, ALL).await;

    let mut reached = BTreeMap::<String, u32>::new();
    for id in [first, second, third, last] {
        for person in delivered(&fixture, id).await {
            *reached.entry(person).or_default() += 1;
        }
    }
    assert_eq!(
        reached.len(),
        20,
        "the audience that the first one was for, and nobody who came since"
    );
    assert!(reached.values().all(|times| *times == 1), "{reached:?}");
}

#[tokio::test]
async fn how_many_are_left_is_counted_exactly_and_told_by_why() {
    let mut fixture = Fixture::new().await;
    people(&fixture, 20).await;
    let id = fixture
        .engine
        .create_campaign(in_fours())
        .await
        .unwrap()
        .id();
    send_and_cancel(&mut fixture, id, 2, 3).await;

    let rest = fixture.engine.rest_of_campaign(id).await.unwrap();
    let sent = rest_of(&fixture, id).await.id();
    walk(&mut fixture, sent).await;

    assert_eq!(
        (rest.never, rest.written.canceled, rest.total()),
        (12, 5, 17)
    );
    assert_eq!(campaign(&fixture, sent).await.expanded, 17);
}

#[tokio::test]
async fn a_campaign_has_one_rest_however_often_it_is_asked_for() {
    let mut fixture = Fixture::new().await;
    people(&fixture, 4).await;
    let id = fixture
        .engine
        .create_campaign(in_fours())
        .await
        .unwrap()
        .id();
    send_and_cancel(&mut fixture, id, 1, 1).await;

    let once = rest_of(&fixture, id).await;
    fixture.clock.advance(Duration::from_secs(1));
    let again = rest_of(&fixture, id).await;

    assert_eq!(again, Created::Known(once.id()));
}

#[tokio::test]
async fn a_campaign_that_can_still_reach_somebody_has_no_rest() {
    let mut fixture = Fixture::new().await;
    people(&fixture, 4).await;
    let id = fixture
        .engine
        .create_campaign(in_fours())
        .await
        .unwrap()
        .id();
    let wanted = RestSpec::default;
    let scheduled = fixture.engine.send_to_rest(id, wanted()).await;
    fixture.turn("expander").await;
    claim(&fixture, id, 1).await;
    cancel(&fixture, id).await;
    fixture.turn("conductor").await;

    let running = fixture.engine.send_to_rest(id, wanted()).await;

    assert!(matches!(
        scheduled,
        Err(Error::NotEnded {
            state: State::Scheduled,
            ..
        })
    ));
    assert!(matches!(
        running,
        Err(Error::NotEnded {
            state: State::Canceled,
            ..
        })
    ));
}

#[tokio::test]
async fn where_deliveries_were_pruned_nobody_guesses_who_is_left() {
    let mut fixture = Fixture::new().await;
    people(&fixture, 8).await;
    let id = fixture
        .engine
        .create_campaign(in_fours())
        .await
        .unwrap()
        .id();
    send_and_cancel(&mut fixture, id, 1, 2).await;
    let retention = Retention::default();
    fixture
        .clock
        .advance(retention.jobs + Duration::from_secs(1));
    fixture
        .store
        .prune(&retention, 1, fixture.clock.now())
        .await
        .unwrap();

    let refused = fixture.engine.send_to_rest(id, RestSpec::default()).await;

    assert!(
        matches!(refused, Err(Error::DeliveriesGone { gone: 1, .. })),
        "{refused:?}"
    );
}

#[tokio::test]
async fn a_campaign_that_was_canceled_before_it_began_is_for_everybody_once_more() {
    let mut fixture = Fixture::new().await;
    people(&fixture, 3).await;
    let id = fixture
        .engine
        .create_campaign(in_fours())
        .await
        .unwrap()
        .id();
    cancel(&fixture, id).await;
    fixture.turn("conductor").await;

    let rest = rest_of(&fixture, id).await.id();
    walk(&mut fixture, rest).await;

    assert_eq!(campaign(&fixture, rest).await.expanded, 3);
}

#[tokio::test]
async fn whoever_has_the_item_in_the_inbox_gets_no_second_one() {
    let mut fixture = Fixture::new().await;
    people(&fixture, 8).await;
    let spec = CampaignSpec {
        action: "both".to_owned(),
        ..in_fours()
    };
    let id = fixture.engine.create_campaign(spec).await.unwrap().id();
    send_and_cancel(&mut fixture, id, 1, 1).await;

    let rest = rest_of(&fixture, id).await.id();
    walk(&mut fixture, rest).await;

    let rest = campaign(&fixture, rest).await;
    assert_eq!((rest.expanded, rest.items), (7, 4));
}

fn in_fours() -> CampaignSpec {
    CampaignSpec {
        chunk: Some(4),
        ..quiz()
    }
}

/// So many chunks are written, so many deliveries are accepted, and then it is canceled.
async fn send_and_cancel(fixture: &mut Fixture, id: CampaignId, chunks: usize, sent: u32) {
    for _ in 0..chunks {
        fixture.turn("expander").await;
    }
    send(fixture, id, sent).await;
    cancel(fixture, id).await;
    for _ in 0..2 {
        fixture.turn("conductor").await;
    }
    fixture.turn("expander").await;
    fixture.clock.advance(Duration::from_secs(1));
}

async fn walk(fixture: &mut Fixture, id: CampaignId) {
    while !campaign(fixture, id).await.is_complete() {
        fixture.turn("expander").await;
    }
}

async fn cancel(fixture: &Fixture, id: CampaignId) {
    let canceled = fixture
        .engine
        .command_campaign(id, CampaignCommand::Cancel, None)
        .await;
    assert_eq!(canceled.unwrap().state, State::Canceled);
}

async fn rest_of(fixture: &Fixture, id: CampaignId) -> Created {
    fixture
        .engine
        .send_to_rest(id, RestSpec::default())
        .await
        .unwrap()
}

async fn claim(fixture: &Fixture, id: CampaignId, limit: u32) -> Vec<Claimed> {
    let claim = Claim {
        worker: fixture.worker,
        until: fixture.clock.now() + Duration::from_secs(30),
        queues: vec![QueueClaim {
            queue: id.to_string(),
            lease: LeaseId::random(),
            limit,
            limited: false,
            jobs: None,
        }],
    };
    fixture
        .store
        .claim(&claim, fixture.clock.now())
        .await
        .unwrap()
}

async fn send(fixture: &Fixture, id: CampaignId, limit: u32) {
    let now = fixture.clock.now();
    for claimed in claim(fixture, id, limit).await {
        let policy = claimed.args.options.policy();
        let accepted = Verdict::Accepted { result: None };
        let mut chance = StdRng::seed_from_u64(1);
        let result = AttemptResult {
            lease: claimed.lease,
            job: claimed.args.id,
            counters: claimed.counters,
            queued_at: claimed.queued_at,
            started_at: Some(now),
            decision: decide(accepted, claimed.counters, policy, now, &mut chance).unwrap(),
            fingerprint: None,
            seen: None,
        };
        let by = By::Worker(fixture.worker);
        fixture.store.settle(by, &[result], now).await.unwrap();
    }
}

/// Whom the accepted deliveries of a campaign were for.
async fn delivered(fixture: &Fixture, id: CampaignId) -> BTreeSet<String> {
    let filter = JobFilter {
        campaign: Some(id),
        state: Some(job::State::Succeeded),
        ..JobFilter::default()
    };
    let page = PageRequest::first(ALL);
    let jobs = fixture.store.jobs(&filter, &page).await.unwrap().items;
    let payload = |job: job::Job| serde_json::from_str::<serde_json::Value>(&job.payload).unwrap();
    let ids = jobs.into_iter().map(payload);
    ids.map(|delivery_payload| {
        delivery_payload["recipient_id"]
            .as_str()
            .unwrap()
            .to_owned()
    })
    .collect()
}
