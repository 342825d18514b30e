//! Recipients: who may see whom, what is masked, and how one is forgotten.

use axum::http::StatusCode;
use baton_domain::{
    access::{Actor, Permission, Permissions, Principal, Role},
    audit::{AuditAction, AuditFilter},
    page::PageRequest,
};
use baton_engine::Error;
use serde_json::json;

use crate::{
    access::{as_actor, seen_by},
    campaigns::{in_inboxes, in_line, person},
    fixture::Fixture,
};

#[tokio::test]
async fn the_list_masks_addresses_and_an_id_leads_to_its_page() {
    let fixture = Fixture::new();
    person(&fixture, "ann", true).await;
    person(&fixture, "ben", false).await;

    let list = fixture.get("/admin/recipients").await;
    let found = fixture.get("/admin/recipients?id=ann").await;
    let page = fixture.get("/admin/recipients/ann").await;

    list.has("data-recipient=\"ann\"")
        .has("push to… (9)")
        .has("opted out")
        .lacks("token-ann");
    assert_eq!(found.header("location"), "./recipients/ann");
    page.has("data-channel=\"push\"")
        .has("to… (9)")
        .lacks("token-ann");
}

#[tokio::test]
async fn addresses_are_shown_in_full_to_whoever_asks_for_them_and_that_stands_in_the_audit_log() {
    let fixture = Fixture::new();
    person(&fixture, "ann", true).await;
    let fixture = seen_by(fixture, Role::Operator);

    let page = fixture.get("/admin/recipients/ann").await;
    fixture.clock.advance(std::time::Duration::from_secs(1));
    let whole = fixture.get("/admin/recipients/ann?show=addresses").await;

    page.has("href=\"../recipients/ann?show=addresses\"");
    whole.has("token-ann").has("Mask the addresses");
    let filter = AuditFilter {
        action: Some(AuditAction::RecipientRead),
        ..AuditFilter::default()
    };
    let page = PageRequest::default();
    let log = fixture.engine.audit_entries(&filter, &page);
    let after = log.await.unwrap().items.into_iter().map(|one| one.after);
    let shown = json!({ "shown": "addresses" });
    assert_eq!(after.collect::<Vec<_>>(), [Some(shown), None]);
}

#[tokio::test]
async fn an_empty_list_speaks_to_people_before_it_speaks_to_programs() {
    let fixture = Fixture::new();

    let list = fixture.get("/admin/recipients").await;

    let people = list.body.find("Whoever can be sent something");
    let programs = list.body.find("baton recipients import");
    assert!(people.is_some() && people < programs, "{}", list.body);
}

#[tokio::test]
async fn a_page_shows_the_inbox_as_the_app_does() {
    let fixture = Fixture::new();
    person(&fixture, "ann", true).await;
    let campaign = in_inboxes(&fixture, "Daily <quiz>").await;
    fixture.get("/admin/campaigns").await;

    let page = fixture.get("/admin/recipients/ann").await;

    page.has("1 unread")
        .has("For ann")
        .has("data-read=\"false\"")
        .has(&format!("/campaigns/{campaign}\""))
        .lacks("<quiz>");
}

#[tokio::test]
async fn a_page_shows_what_the_latest_campaigns_have_for_a_person() {
    let fixture = Fixture::new();
    let campaign = in_line(&fixture, "Daily <quiz>").await;
    person(&fixture, "zoe", true).await;

    let reached = fixture.get("/admin/recipients/ann").await;
    let late = fixture.get("/admin/recipients/zoe").await;

    reached
        .has("data-state=\"queued\"")
        .has(&format!("/campaigns/{campaign}\""))
        .lacks("<quiz>");
    late.has("None of them has one for it.");
}

#[tokio::test]
async fn a_viewer_sees_no_people() {
    let fixture = Fixture::new();
    person(&fixture, "ann", true).await;

    let fixture = seen_by(fixture, Role::Viewer);
    let list = fixture.get("/admin/recipients").await;
    let page = fixture.get("/admin/recipients/ann").await;

    assert_eq!(list.status, StatusCode::FORBIDDEN);
    assert_eq!(page.status, StatusCode::FORBIDDEN);
    list.lacks("ann\"").lacks("href=\"./recipients\"");
    page.lacks("token-");
}

#[tokio::test]
async fn a_person_is_erased_once_its_id_was_typed() {
    let fixture = Fixture::new();
    person(&fixture, "ann+1", true).await;
    let erase = "/admin/recipients/ann%2B1/erase";

    let asked = fixture.get(erase).await;
    let wrong = fixture.press(erase, "confirm=ann").await;
    let done = fixture.press(erase, "confirm=ann%2B1").await;

    asked.has("Erase ann+1").has("pattern=\"ann\\+1\"");
    wrong.has("is not the id of the recipient");
    assert_eq!(done.status, StatusCode::SEE_OTHER, "{done:?}");
    assert!(done.header("location").contains("/operations/op_"));
}

#[tokio::test]
async fn whoever_sees_people_and_what_they_are_sent_sees_their_inboxes_and_marks_nothing() {
    for role in [Role::Operator, Role::Sender] {
        let fixture = Fixture::new();
        person(&fixture, "ann", true).await;
        in_inboxes(&fixture, "Daily quiz").await;
        let fixture = seen_by(fixture, role);

        let page = fixture.get("/admin/recipients/ann").await;

        page.has("1 unread").has("For ann");
        let actor = Actor::unbounded(Principal::Anonymous, "kim", role.permissions());
        let marked = fixture.engine.caller(actor).read_all("ann").await;
        assert!(matches!(marked, Err(Error::Forbidden(_))), "{marked:?}");
        fixture.get("/admin/recipients/ann").await.has("1 unread");
    }
}

#[tokio::test]
async fn whoever_sees_people_alone_sees_no_inbox() {
    let fixture = Fixture::new();
    person(&fixture, "ann", true).await;
    in_inboxes(&fixture, "Daily quiz").await;
    let may = Permissions::of(&[Permission::JobsRead, Permission::RecipientsRead]);
    let fixture = as_actor(fixture, Actor::unbounded(Principal::Anonymous, "kim", may));

    let page = fixture.get("/admin/recipients/ann").await;

    page.has("to… (9)").lacks("For ann").lacks("unread");
}

#[tokio::test]
async fn why_a_person_is_erased_stands_in_the_audit_log() {
    let fixture = Fixture::new();
    person(&fixture, "ann", true).await;
    let erase = "/admin/recipients/ann/erase";

    let asked = fixture.get(erase).await;
    let form = "confirm=ann&reason=they+asked+for+it";
    fixture.press(erase, form).await;

    asked.has("name=\"reason\"");
    let filter = AuditFilter {
        action: Some(AuditAction::RecipientErase),
        ..AuditFilter::default()
    };
    let page = PageRequest::default();
    let log = fixture.engine.audit_entries(&filter, &page);
    let entry = log.await.unwrap().items.remove(0);
    assert_eq!(entry.reason.as_deref(), Some("they asked for it"));
}
