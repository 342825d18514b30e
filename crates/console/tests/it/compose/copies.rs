//! Copies: the form filled with another campaign.

use std::time::Duration;

use axum::http::StatusCode;
use baton_domain::{campaign::CampaignSpec, job::DeliveryGuarantee, message::MessageSpec};
use serde_json::json;

use super::{all, carried, filled_in};
use crate::fixture::{Answer, Fixture};

/// A campaign that is to go at this moment, or when clocks show this time.
fn spec_for(at: Option<&str>, local: Option<&str>) -> CampaignSpec {
    CampaignSpec {
        name: "Quiz".to_owned(),
        category: "question".to_owned(),
        action: "both".to_owned(),
        audience: json!({ "all": true }),
        message: MessageSpec {
            title: "Quiz".to_owned(),
            body: "For {{id}}".to_owned(),
            ..MessageSpec::default()
        },
        send_at: at.map(|at| at.parse().unwrap()),
        send_at_local: local.map(str::to_owned),
        ..CampaignSpec::default()
    }
}

/// The form, filled with a new campaign of this kind, so much later.
async fn copy_of(fixture: &Fixture, spec: CampaignSpec, later: Duration) -> Answer {
    let id = fixture.engine.create_campaign(spec).await.unwrap().id();
    fixture.clock.advance(later);
    let path = format!("/admin/campaigns/new?of={id}");
    fixture.get(&path).await
}

#[tokio::test]
async fn a_copy_begins_with_the_message_the_audience_the_provider_the_rate_and_the_time() {
    let fixture = Fixture::new();
    let spec = CampaignSpec {
        name: "Daily <quiz>".to_owned(),
        category: "question".to_owned(),
        action: "push".to_owned(),
        audience: json!({ "topic": "daily-quiz" }),
        message: MessageSpec {
            title: "Quiz".to_owned(),
            body: "For {{id}}".to_owned(),
            ..MessageSpec::default()
        },
        send_at_local: Some("2026-03-01T09:00".to_owned()),
        time_zone: Some("Asia/Seoul".to_owned()),
        rate: Some(12.5),
        delivery: Some(DeliveryGuarantee::AtMostOnce),
        max_attempts: Some(2),
        ..CampaignSpec::default()
    };
    let id = fixture.engine.create_campaign(spec).await.unwrap().id();

    let original = fixture.get(&format!("/admin/campaigns/{id}")).await;
    let copy = fixture.get(&format!("/admin/campaigns/new?of={id}")).await;

    original.has(&format!("href=\"../campaigns/new?of={id}\""));
    copy.has("A copy of <b>Daily &#60;quiz&#62;</b>")
        .has("name=\"whom_topic\" value=\"daily-quiz\"")
        .has("value=\"12.5\"")
        .has("value=\"2026-03-01T09:00\"")
        .has("value=\"Asia/Seoul\"")
        .has("value=\"local\" checked")
        .has("<option selected>gateway</option>")
        .has("<option selected>push</option>");
    copy.has("<option value=\"at_most_once\" selected>")
        .has("name=\"max_attempts\" value=\"2\"");
    assert_eq!(all(&fixture).await.len(), 1, "looking creates nothing");
}

#[tokio::test]
async fn a_copy_that_is_sent_on_as_it_is_does_what_the_first_one_did() {
    let fixture = Fixture::new();
    let spec = CampaignSpec {
        name: "Quiz".to_owned(),
        category: "question".to_owned(),
        action: "both".to_owned(),
        audience: json!({ "all_of": [{ "topic": "daily" }, { "not": { "platform": "web" } }] }),
        message: MessageSpec {
            title: "Quiz".to_owned(),
            body: "Line one\nLine two".to_owned(),
            data: Some("{\"screen\":\"quiz\"}".to_owned()),
            translations: serde_json::from_value(json!({
                "ko": { "title": "퀴즈", "body": "한 줄\n두 줄" },
                "pt-BR": { "title": "Quiz", "body": "Oi, {{id}}" },
            }))
            .unwrap(),
        },
        send_at: Some("2026-03-01T00:00:00Z".parse().unwrap()),
        lead: Some(Duration::from_mins(10)),
        expires_after: Some(Duration::from_hours(2)),
        delivery: Some(DeliveryGuarantee::AtMostOnce),
        timeout: Some(Duration::from_secs(7)),
        max_attempts: Some(2),
        chunk: Some(500),
        ..CampaignSpec::default()
    };
    let id = fixture.engine.create_campaign(spec).await.unwrap().id();
    let form = fixture.get(&format!("/admin/campaigns/new?of={id}")).await;

    let seen = fixture
        .press("/admin/campaigns/new", &filled_in(&form.body))
        .await;
    let create = format!("{}&step=create", carried(&seen.body));
    let created = fixture.press("/admin/campaigns/new", &create).await;

    assert_eq!(created.status, 303, "{created:?}");
    let [copy, first] = &all(&fixture).await[..] else {
        panic!("two campaigns");
    };
    assert_eq!(copy.plan, first.plan);
    assert_eq!((copy.rate, &copy.lane), (first.rate, &first.lane));
}

#[tokio::test]
async fn a_copy_of_what_went_at_a_moment_that_has_passed_asks_for_a_new_one() {
    let fixture = Fixture::new();
    let spec = spec_for(Some("2026-03-01T00:00:00Z"), None);

    let form = copy_of(&fixture, spec, Duration::from_hours(24 * 60)).await;
    let sent_on = fixture
        .press("/admin/campaigns/new", &filled_in(&form.body))
        .await;

    form.has("value=\"at\" checked")
        .has("name=\"send_at\" value=\"\"")
        .has("Its moment has passed");
    assert_eq!(sent_on.status, StatusCode::BAD_REQUEST);
    sent_on.has("id=\"send_at-wrong\"");
    assert_eq!(all(&fixture).await.len(), 1);
}

#[tokio::test]
async fn a_copy_of_what_has_passed_on_some_clocks_asks_for_a_new_time() {
    let fixture = Fixture::new();
    let spec = spec_for(None, Some("2026-02-01T09:00"));

    let form = copy_of(&fixture, spec, Duration::from_hours(14)).await;
    let sent_on = fixture
        .press("/admin/campaigns/new", &filled_in(&form.body))
        .await;

    form.has("value=\"local\" checked")
        .has("name=\"send_at_local\" value=\"\"");
    assert_eq!(sent_on.status, StatusCode::BAD_REQUEST);
    sent_on.has("id=\"send_at_local-wrong\"");
}

#[tokio::test]
async fn a_copy_names_no_topic_that_its_audience_says_already() {
    let fixture = Fixture::new();
    let spec = CampaignSpec {
        audience: json!({ "topic": "daily" }),
        ..spec_for(None, None)
    };

    let form = copy_of(&fixture, spec, Duration::ZERO).await;

    form.has("name=\"topic\" value=\"\"");
}

#[tokio::test]
async fn a_copy_says_and_carries_the_same_to_the_byte_at_the_same_second() {
    let fixture = Fixture::new();
    let spec = CampaignSpec {
        message: MessageSpec {
            title: " Quiz ".to_owned(),
            body: "\n  Line one\nLine two \n".to_owned(),
            data: Some("\n{ \"screen\":\n\"quiz\" } ".to_owned()),
            ..MessageSpec::default()
        },
        ..spec_for(None, Some("2026-03-01T09:00:30"))
    };
    let form = copy_of(&fixture, spec, Duration::ZERO).await;

    let seen = fixture
        .press("/admin/campaigns/new", &filled_in(&form.body))
        .await;
    // A form sends line breaks as mails have them.
    let create = format!("{}&step=create", carried(&seen.body)).replace("%0a", "%0d%0a");
    let created = fixture.press("/admin/campaigns/new", &create).await;

    assert_eq!(created.status, 303, "{created:?}");
    let [copy, first] = &all(&fixture).await[..] else {
        panic!("two campaigns");
    };
    assert_eq!(copy.plan, first.plan);
}
