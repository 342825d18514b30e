use serde_json::json;

use super::*;
use crate::campaign::{Counts, State};

const NOW: Timestamp = Timestamp::from_micros(1_700_000_000_000_000);

/// A campaign that was canceled when it had come to this number of 100.
fn canceled_at(cursor: i64, rest: Option<Rest>) -> Campaign {
    let spec = CampaignSpec {
        name: "Quiz".to_owned(),
        category: "question".to_owned(),
        action: "push".to_owned(),
        audience: json!({ "topic": "daily-quiz" }),
        message: crate::message::MessageSpec {
            title: "Quiz".to_owned(),
            body: "Hello {{id}}".to_owned(),
            ..crate::message::MessageSpec::default()
        },
        rate: Some(50.0),
        ..CampaignSpec::default()
    };
    let new = NewCampaign::from_spec(spec, NOW).unwrap();
    let mut plan = new.plan;
    plan.rest = rest;
    Campaign {
        id: new.id,
        key: None,
        plan,
        lane: new.lane,
        state: State::Canceled,
        approval: None,
        why: None,
        epoch: 1,
        rate: new.rate,
        start_at: NOW,
        cursor,
        until: Some(100),
        expected: None,
        expanded: 0,
        items: 0,
        chunks: 0,
        holder: None,
        counts: Counts::default(),
        per_second: 0.0,
        losses: 0,
        waits_for: None,
        created_at: NOW,
        updated_at: NOW,
        began_at: Some(NOW),
        completed_at: None,
        finished_at: Some(NOW),
    }
}

fn stretch(campaign: &Campaign, until: i64) -> NumberRange {
    NumberRange {
        campaign: campaign.id,
        until,
    }
}

#[test]
fn the_rest_is_told_by_deliveries_up_to_the_cursor() {
    let (begun, untouched) = (canceled_at(40, None), canceled_at(0, None));

    assert_eq!(begun.rest().stretches, [stretch(&begun, 40)]);
    assert_eq!(untouched.rest().stretches, []);
}

#[test]
fn the_rest_of_a_rest_is_told_stretch_by_stretch() {
    let first = canceled_at(40, None);
    let early = canceled_at(10, Some(first.rest()));
    let late = canceled_at(70, Some(first.rest()));

    let of_early = early.rest().stretches;
    assert_eq!(of_early, [stretch(&early, 10), stretch(&first, 40)]);
    assert_eq!(late.rest().stretches, [stretch(&late, 70)]);
}

#[test]
fn what_is_said_to_the_rest_is_the_same_at_once_and_to_the_same_number() {
    let mut campaign = canceled_at(40, None);
    campaign.plan.send_at = SendAt::At(NOW);

    let rest = NewCampaign::for_the_rest(&campaign, RestSpec::default(), NOW).unwrap();

    assert_eq!(rest.plan.name, "Quiz, the rest");
    assert_eq!(rest.plan.message, campaign.plan.message);
    assert_eq!(rest.plan.topic.as_deref(), Some("daily-quiz"));
    assert_eq!((rest.plan.send_at, rest.start_at), (SendAt::Now, NOW));
    assert_eq!((rest.until, rest.rate), (Some(100), Some(50.0)));
}

#[test]
fn a_campaign_has_one_rest_whatever_its_rate_was_meanwhile() {
    let mut campaign = canceled_at(40, None);
    let once = NewCampaign::for_the_rest(&campaign, RestSpec::default(), NOW).unwrap();

    campaign.rate = Some(1.0);
    let again = NewCampaign::for_the_rest(&campaign, RestSpec::default(), NOW).unwrap();

    assert_eq!((once.key, once.content), (again.key, again.content));
}

#[test]
fn what_cannot_be_had_is_refused_field_by_field() {
    let wanted = RestSpec {
        name: Some(String::new()),
        rate: Some(0.0),
    };

    let wrong = NewCampaign::for_the_rest(&canceled_at(40, None), wanted, NOW).unwrap_err();

    let fields: Vec<_> = wrong.iter().map(|error| error.field.as_str()).collect();
    assert_eq!(fields, ["name", "rate"]);
}

#[test]
fn a_name_does_not_grow_with_each_rest() {
    assert_eq!(name_of_the_rest("Quiz, the rest"), "Quiz, the rest");
    assert_eq!(name_of_the_rest(&"é".repeat(200)).chars().count(), 200);
}
