//! The rest of a campaign: whoever it has not reached, once, however often it is canceled on its way.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use baton_domain::{
    CampaignId, Clock, LeaseId,
    campaign::{CampaignSpec, RestSpec, State},
    job::{self, Policy, Verdict, decide},
    page::PageRequest,
};
use baton_engine::{Created, Error, Wish};
use baton_ports::store::{
    By, Claim, Claimed, JobFilter, Jobs, Retention, Settlement, Upkeep, Want, Work,
};
use rand::{SeedableRng, rngs::StdRng};

use crate::{
    campaigns::{campaign, people, quiz},
    house::House,
};

const ALL: u32 = 10_000;

#[tokio::test]
async fn the_rest_of_the_rest_of_a_rest_reaches_each_of_the_audience_once() {
    let mut house = House::new().await;
    people(&house, 20).await;
    let first = house.engine.create_campaign(in_fours()).await.unwrap().id();
    send_and_cancel(&mut house, first, 2, 3).await;
    people(&house, 25).await;

    let second = rest_of(&house, first).await.id();
    send_and_cancel(&mut house, second, 1, 2).await;
    let third = rest_of(&house, second).await.id();
    send_and_cancel(&mut house, third, 3, 4).await;
    let last = rest_of(&house, third).await.id();
    walk(&mut house, last).await;
    send(&house, last, ALL).await;

    let mut reached = BTreeMap::<String, u32>::new();
    for id in [first, second, third, last] {
        for person in delivered(&house, id).await {
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
    let mut house = House::new().await;
    people(&house, 20).await;
    let id = house.engine.create_campaign(in_fours()).await.unwrap().id();
    send_and_cancel(&mut house, id, 2, 3).await;

    let rest = house.engine.rest_of_campaign(id).await.unwrap();
    let sent = rest_of(&house, id).await.id();
    walk(&mut house, sent).await;

    assert_eq!(
        (rest.never, rest.written.canceled, rest.total()),
        (12, 5, 17)
    );
    assert_eq!(campaign(&house, sent).await.expanded, 17);
}

#[tokio::test]
async fn a_campaign_has_one_rest_however_often_it_is_asked_for() {
    let mut house = House::new().await;
    people(&house, 4).await;
    let id = house.engine.create_campaign(in_fours()).await.unwrap().id();
    send_and_cancel(&mut house, id, 1, 1).await;

    let once = rest_of(&house, id).await;
    house.clock.advance(Duration::from_secs(1));
    let again = rest_of(&house, id).await;

    assert_eq!(again, Created::Known(once.id()));
}

#[tokio::test]
async fn a_campaign_that_can_still_reach_somebody_has_no_rest() {
    let mut house = House::new().await;
    people(&house, 4).await;
    let id = house.engine.create_campaign(in_fours()).await.unwrap().id();
    let wanted = RestSpec::default;
    let scheduled = house.engine.send_to_rest(id, wanted()).await;
    house.turn("expander").await;
    claim(&house, id, 1).await;
    cancel(&house, id).await;
    house.turn("conductor").await;

    let running = house.engine.send_to_rest(id, wanted()).await;

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
    let mut house = House::new().await;
    people(&house, 8).await;
    let id = house.engine.create_campaign(in_fours()).await.unwrap().id();
    send_and_cancel(&mut house, id, 1, 2).await;
    let retention = Retention::default();
    house.clock.advance(retention.jobs + Duration::from_secs(1));
    house
        .store
        .prune(&retention, 1, house.clock.now())
        .await
        .unwrap();

    let refused = house.engine.send_to_rest(id, RestSpec::default()).await;

    assert!(
        matches!(refused, Err(Error::DeliveriesGone { gone: 1, .. })),
        "{refused:?}"
    );
}

#[tokio::test]
async fn a_campaign_that_was_canceled_before_it_began_is_for_everybody_once_more() {
    let mut house = House::new().await;
    people(&house, 3).await;
    let id = house.engine.create_campaign(in_fours()).await.unwrap().id();
    cancel(&house, id).await;
    house.turn("conductor").await;

    let rest = rest_of(&house, id).await.id();
    walk(&mut house, rest).await;

    assert_eq!(campaign(&house, rest).await.expanded, 3);
}

#[tokio::test]
async fn whoever_has_the_item_in_the_inbox_gets_no_second_one() {
    let mut house = House::new().await;
    people(&house, 8).await;
    let spec = CampaignSpec {
        action: "both".to_owned(),
        ..in_fours()
    };
    let id = house.engine.create_campaign(spec).await.unwrap().id();
    send_and_cancel(&mut house, id, 1, 1).await;

    let rest = rest_of(&house, id).await.id();
    walk(&mut house, rest).await;

    let rest = campaign(&house, rest).await;
    assert_eq!((rest.expanded, rest.items), (7, 4));
}

fn in_fours() -> CampaignSpec {
    CampaignSpec {
        chunk: Some(4),
        ..quiz()
    }
}

/// So many chunks are written, so many deliveries are accepted, and then it is canceled.
async fn send_and_cancel(house: &mut House, id: CampaignId, chunks: usize, sent: u32) {
    for _ in 0..chunks {
        house.turn("expander").await;
    }
    send(house, id, sent).await;
    cancel(house, id).await;
    for _ in 0..2 {
        house.turn("conductor").await;
    }
    house.turn("expander").await;
    house.clock.advance(Duration::from_secs(1));
}

async fn walk(house: &mut House, id: CampaignId) {
    while !campaign(house, id).await.is_complete() {
        house.turn("expander").await;
    }
}

async fn cancel(house: &House, id: CampaignId) {
    let canceled = house.engine.command_campaign(id, Wish::Cancel, None).await;
    assert_eq!(canceled.unwrap().state, State::Canceled);
}

async fn rest_of(house: &House, id: CampaignId) -> Created {
    house
        .engine
        .send_to_rest(id, RestSpec::default())
        .await
        .unwrap()
}

async fn claim(house: &House, id: CampaignId, limit: u32) -> Vec<Claimed> {
    let claim = Claim {
        worker: house.worker,
        until: house.clock.now() + Duration::from_secs(30),
        wants: vec![Want {
            queue: id.to_string(),
            lease: LeaseId::random(),
            limit,
            limited: false,
            hinted: None,
        }],
    };
    house.store.claim(&claim, house.clock.now()).await.unwrap()
}

async fn send(house: &House, id: CampaignId, limit: u32) {
    let now = house.clock.now();
    for claimed in claim(house, id, limit).await {
        let policy = Policy {
            max_attempts: claimed.order.max_attempts,
            backoff: &claimed.order.backoff,
            delivery: claimed.order.delivery,
        };
        let accepted = Verdict::Accepted { result: None };
        let mut chance = StdRng::seed_from_u64(1);
        let settlement = Settlement {
            lease: claimed.lease,
            job: claimed.order.id,
            ticket: claimed.ticket,
            queued_at: claimed.queued_at,
            started_at: Some(now),
            decision: decide(accepted, claimed.ticket, policy, now, &mut chance).unwrap(),
            fingerprint: None,
            seen: None,
        };
        let by = By::Worker(house.worker);
        house.store.settle(by, &[settlement], now).await.unwrap();
    }
}

/// Whom the accepted deliveries of a campaign were for.
async fn delivered(house: &House, id: CampaignId) -> BTreeSet<String> {
    let filter = JobFilter {
        campaign: Some(id),
        state: Some(job::State::Succeeded),
        ..JobFilter::default()
    };
    let page = PageRequest {
        limit: ALL,
        after: None,
    };
    let jobs = house.store.jobs(&filter, &page).await.unwrap().items;
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
