//! Approvals: what whoever asked for a large campaign sees of it, and what somebody else does.

use axum::http::StatusCode;
use baton_domain::{
    CampaignId,
    access::{Principal, Role},
    campaign::{Approval, CampaignSpec, NewCampaign, Signature, State},
    message::MessageSpec,
};
use baton_ports::store::Campaigns as _;
use serde_json::json;

use crate::{access::seen_by, fixture::Fixture};

/// A campaign for 2,000 recipients that ann has asked for, who counts as this.
pub async fn held(fixture: &Fixture, person: Principal) -> CampaignId {
    let spec = CampaignSpec {
        name: "Daily quiz".to_owned(),
        category: "question".to_owned(),
        action: "push".to_owned(),
        audience: json!({ "all": true }),
        message: MessageSpec {
            title: "Quiz".to_owned(),
            body: "Hello".to_owned(),
            ..MessageSpec::default()
        },
        ..CampaignSpec::default()
    };
    let now = fixture.engine.now();
    let mut new = NewCampaign::from_spec(spec, now).unwrap();
    new.approval = Some(Approval {
        recipients: 2_000,
        asked: Signature {
            by: person.clone(),
            name: "ann".to_owned(),
            at: now,
        },
        person,
        approved: None,
    });
    fixture.store.create_campaign(&new).await.unwrap();
    new.id
}

async fn state(fixture: &Fixture, id: CampaignId) -> State {
    let now = fixture.engine.now();
    let campaign = fixture.store.campaign(id, now).await.unwrap();
    campaign.unwrap().state
}

#[tokio::test]
async fn a_campaign_that_waits_for_approval_says_who_asked_and_offers_it_to_others() {
    let fixture = seen_by(Fixture::new(), Role::Sender);
    let id = held(&fixture, Principal::CommandLine).await;

    let page = fixture.get(&format!("/admin/campaigns/{id}")).await;
    let list = fixture.get("/admin/campaigns").await;

    page.has("ann asked for it at")
        .has("for 2,000 recipients")
        .has("It waits for somebody to approve it.")
        .has("/approve")
        .lacks("Resume…");
    list.has("waits for a second person to approve it");
}

#[tokio::test]
async fn whoever_asked_is_told_that_somebody_else_has_to_approve() {
    let fixture = Fixture::new();
    let id = held(&fixture, Principal::Anonymous).await;

    let page = fixture.get(&format!("/admin/campaigns/{id}")).await;
    let pressed = fixture
        .press(&format!("/admin/campaigns/{id}/approve"), "confirm=2000")
        .await;

    page.has("You have asked for it: somebody else has to approve it.")
        .lacks("/approve");
    assert_eq!(pressed.status, StatusCode::FORBIDDEN);
    assert_eq!(state(&fixture, id).await, State::Stopped);
}

#[tokio::test]
async fn an_approval_wants_the_number_of_recipients_typed() {
    let fixture = seen_by(Fixture::new(), Role::Sender);
    let id = held(&fixture, Principal::CommandLine).await;
    let path = format!("/admin/campaigns/{id}/approve");

    let asked = fixture.get(&path).await;
    let mistyped = fixture.press(&path, "confirm=200").await;
    let before = state(&fixture, id).await;
    fixture.press(&path, "confirm=2000").await;

    asked.has("pattern=\"2000\"").has("Approve the campaign");
    assert_eq!(mistyped.status, StatusCode::BAD_REQUEST);
    assert_eq!(before, State::Stopped);
    assert_eq!(state(&fixture, id).await, State::Scheduled);
}
