//! A campaign or a recipient that the store refuses holds up no other.

use std::time::Duration;

use baton_domain::{
    Clock,
    campaign::{CampaignSpec, State as Course},
    job::State,
};
use baton_engine::CampaignCommand;
use baton_ports::store::Recipients;

use super::{Picky, Shop};
use crate::campaigns::{profiles, quiz};

#[tokio::test]
async fn campaigns_that_cannot_end_hold_up_none_that_is_canceled() {
    let shop = Shop::with(Picky {
        ends_no_campaign: true,
        ..Picky::default()
    });
    profiles(&*shop.store, 20, shop.clock.now()).await;
    let id = shop.engine.create_campaign(quiz()).await.unwrap().id();
    shop.walk().await;
    let canceled = shop
        .engine
        .command_campaign(id, CampaignCommand::Cancel, None)
        .await;
    canceled.unwrap();

    let turn = shop.routine("conductor").await.turn().await;

    let delivery = id.delivery(1);
    assert!(turn.is_err());
    assert_eq!(shop.state(delivery).await, State::Canceled);
}

#[tokio::test]
async fn a_recipient_who_cannot_be_written_down_is_passed_over_and_the_books_say_so() {
    let shop = Shop::with(Picky {
        recipient: Some("\"p7\""),
        ..Picky::default()
    });
    profiles(&*shop.store, 20, shop.clock.now()).await;
    let id = shop.engine.create_campaign(quiz()).await.unwrap().id();

    shop.walk().await;

    let walked = shop.engine.campaign(id).await.unwrap();
    assert_eq!((walked.state, walked.expanded), (Course::Sending, 20));
    let skipped = shop.skipped(id).await;
    let [(whom, why)] = &skipped[..] else {
        panic!("{skipped:?}");
    };
    assert!(whom.contains("\"p7\""), "{whom}");
    assert_eq!(why.as_deref(), Some("unwritable"));
}

#[tokio::test]
async fn a_store_that_refuses_one_after_the_other_stops_the_campaign_before_all_are_passed_over() {
    let shop = Shop::with(Picky {
        recipient: Some("recipient"),
        ..Picky::default()
    });
    profiles(&*shop.store, 40, shop.clock.now()).await;
    let id = shop.engine.create_campaign(quiz()).await.unwrap().id();

    shop.walk().await;

    let stopped = shop.engine.campaign(id).await.unwrap();
    let skipped = shop.skipped(id).await.len();
    assert_eq!((stopped.state, stopped.expanded), (Course::Stopped, 5));
    assert_eq!(skipped, 5);
    let why = stopped.why.unwrap();
    assert!(
        why.contains("number 6") && why.contains("disliked"),
        "{why}"
    );
}

#[tokio::test]
async fn those_who_get_nothing_anyway_do_not_hide_that_the_store_refuses_all_others() {
    let shop = Shop::with(Picky {
        recipient: Some("recipient"),
        ..Picky::default()
    });
    profiles(&*shop.store, 40, shop.clock.now()).await;
    for number in (0..40).step_by(2) {
        let id = format!("p{number}");
        let now = shop.clock.now();
        shop.store
            .switch_topic(&id, "quiz", true, now)
            .await
            .unwrap();
    }
    let spec = CampaignSpec {
        topic: Some("quiz".to_owned()),
        ..quiz()
    };
    let id = shop.engine.create_campaign(spec).await.unwrap().id();

    shop.walk().await;

    let stopped = shop.engine.campaign(id).await.unwrap();
    let skipped = shop.skipped(id).await.into_iter();
    let unwritable = skipped.filter(|(_, why)| why.as_deref() == Some("unwritable"));
    assert_eq!(stopped.state, Course::Stopped);
    assert_eq!(unwritable.count(), 5);
}

#[tokio::test]
async fn nobody_is_passed_over_in_the_place_of_one_who_has_left() {
    let shop = Shop::with(Picky {
        recipient: Some("\"p7\""),
        leaves: true,
        ..Picky::default()
    });
    profiles(&*shop.store, 20, shop.clock.now()).await;
    let id = shop.engine.create_campaign(quiz()).await.unwrap().id();

    shop.walk().await;

    let walked = shop.engine.campaign(id).await.unwrap();
    assert_eq!((walked.state, walked.expanded), (Course::Sending, 19));
    assert_eq!(shop.skipped(id).await, []);
}

#[tokio::test]
async fn a_recipient_of_whom_nothing_can_be_written_stops_his_campaign_alone_and_after_all_before_him()
 {
    let shop = Shop::with(Picky {
        recipient: Some("\"p7\""),
        is_stubborn: true,
        ..Picky::default()
    });
    profiles(&*shop.store, 20, shop.clock.now()).await;
    let to_all = shop.engine.create_campaign(quiz()).await.unwrap().id();
    let others = CampaignSpec {
        audience: serde_json::json!({ "ids": ["p1", "p9"] }),
        lane: Some("other".to_owned()),
        ..quiz()
    };
    shop.clock.advance(Duration::from_millis(1));
    let to_some = shop.engine.create_campaign(others).await.unwrap().id();

    shop.walk().await;

    let stopped = shop.engine.campaign(to_all).await.unwrap();
    let walked = shop.engine.campaign(to_some).await.unwrap();
    let why = stopped.why.unwrap();
    assert_eq!((stopped.state, stopped.expanded), (Course::Stopped, 7));
    assert!(
        why.contains("number 8") && why.contains("disliked"),
        "{why}"
    );
    assert_eq!((walked.state, walked.expanded), (Course::Sending, 2));
}
