//! The campaign room: what is sent to many, how far it is, and the buttons that rule it.

use std::{collections::BTreeMap, time::Duration};

use axum::http::StatusCode;
use baton_domain::{
    CampaignId, WorkerId,
    access::Role,
    campaign::{CampaignSpec, State},
    message::MessageSpec,
    recipient::{Profile, RecipientSpec},
};
use baton_engine::{Routine, routines::Expander};
use baton_ports::store::{Campaigns, Events, Recipients};
use serde_json::json;

use crate::{
    access::seen_by,
    fixture::{Fixture, NOW},
};

async fn campaign(fixture: &Fixture, name: &str) -> CampaignId {
    campaign_by(fixture, name, "inbox").await
}

async fn campaign_by(fixture: &Fixture, name: &str, action: &str) -> CampaignId {
    let spec = CampaignSpec {
        name: name.to_owned(),
        category: "question".to_owned(),
        action: action.to_owned(),
        audience: json!({ "all": true }),
        message: MessageSpec {
            title: "Quiz".to_owned(),
            body: "For {{id}}".to_owned(),
            ..MessageSpec::default()
        },
        ..CampaignSpec::default()
    };
    fixture.engine.create_campaign(spec).await.unwrap().id()
}

pub async fn person(fixture: &Fixture, id: &str, enabled: bool) {
    let profile = profile(id, enabled);
    fixture.store.put_recipients(&[profile], NOW).await.unwrap();
}

fn profile(id: &str, enabled: bool) -> Profile {
    let spec = RecipientSpec {
        enabled,
        addresses: BTreeMap::from([("push".to_owned(), format!("token-{id}"))]),
        ..RecipientSpec::on("ios")
    };
    Profile::from_spec(id.to_owned(), spec).unwrap()
}

/// A campaign whose deliveries stand in its line.
pub async fn in_line(fixture: &Fixture, name: &str) -> CampaignId {
    person(fixture, "ann", true).await;
    person(fixture, "ben", true).await;
    let id = campaign_by(fixture, name, "push").await;
    walk(fixture).await;
    id
}

/// A campaign whose items lie in inboxes.
pub async fn in_inboxes(fixture: &Fixture, name: &str) -> CampaignId {
    let id = campaign(fixture, name).await;
    walk(fixture).await;
    id
}

async fn walk(fixture: &Fixture) {
    let mut expander = Expander::new(fixture.engine.tools(), WorkerId::new(NOW));
    expander.turn().await.unwrap();
    fixture.store.sequence(1_000, NOW).await.unwrap();
}

#[tokio::test]
async fn deliveries_are_counted_where_they_are_listed() {
    let fixture = Fixture::new();
    let id = in_line(&fixture, "Daily quiz").await;

    let list = fixture.get("/admin/jobs?state=queued").await;
    let line = fixture
        .get(&format!("/admin/jobs?state=queued&queue={id}"))
        .await;

    for page in [list, line] {
        page.has("queued <span class=\"count\" data-number>2</span>")
            .has(&format!(
                "href=\"./campaigns/{id}\" title=\"{id}\">Daily quiz</a>"
            ));
    }
}

#[tokio::test]
async fn an_empty_room_says_how_to_begin() {
    let fixture = Fixture::new();

    let page = fixture.get("/admin/campaigns").await;

    let button = page.body.find("Press “New campaign”");
    let command = page.body.find("baton campaigns create");
    assert!(button.is_some() && button < command, "{}", page.body);
    page.has("No campaign yet");
}

#[tokio::test]
async fn the_list_shows_each_campaign_with_its_bar() {
    let fixture = Fixture::new();
    let id = campaign(&fixture, "Daily <quiz>").await;

    let page = fixture.get("/admin/campaigns").await;

    page.has(&format!("data-campaign=\"{id}\""))
        .has("Daily &#60;quiz&#62;")
        .has("<progress")
        .has("scheduled")
        .lacks("<quiz>");
}

#[tokio::test]
async fn the_books_of_a_campaign_add_up() {
    let fixture = Fixture::new();
    person(&fixture, "ann", true).await;
    person(&fixture, "ben", false).await;
    let id = campaign(&fixture, "Daily quiz").await;
    walk(&fixture).await;

    let page = fixture.get(&format!("/admin/campaigns/{id}")).await;

    page.has("data-count=\"skipped\"")
        .has(
            "data-count=\"total\"><th scope=\"row\">audience so far</th><td class=\"num\"><b>2</b>",
        )
        .has("data-count=\"items\"><th scope=\"row\">in inboxes</th><td class=\"num\">1")
        .has("2 of 2 ended (100 %)");
}

#[tokio::test]
async fn a_campaign_has_the_buttons_that_its_state_allows() {
    let fixture = Fixture::new();
    let id = campaign(&fixture, "Daily quiz").await;
    let room = format!("/admin/campaigns/{id}");

    let scheduled = fixture.get(&room).await;
    fixture.press(&format!("{room}/stop"), "").await;
    let stopped = fixture.get(&room).await;
    fixture.press(&format!("{room}/cancel"), "").await;
    let canceled = fixture.get(&room).await;

    assert_eq!(scheduled.buttons(), ["stop", "cancel"]);
    assert_eq!(stopped.buttons(), ["resume", "cancel"]);
    assert_eq!(canceled.buttons(), ["send-to-rest"]);
}

#[tokio::test]
async fn a_stop_asks_with_the_number_and_says_what_was_done() {
    let fixture = Fixture::new();
    let id = campaign(&fixture, "Daily quiz").await;
    let stop = format!("/admin/campaigns/{id}/stop");

    let asked = fixture.get(&stop).await;
    let done = fixture.press_by_script(&stop, "reason=wrong+link").await;

    asked
        .has("Stop Daily quiz")
        .has("0 calls are under way")
        .has("data-action=\"stop\"");
    done.has("Stopped Daily quiz: no call starts any more");
    let stopped = fixture.engine.campaign(id).await.unwrap();
    assert_eq!(
        (stopped.state, stopped.why.as_deref()),
        (State::Stopped, Some("wrong link"))
    );
}

#[tokio::test]
async fn a_wish_that_the_table_lacks_is_refused_with_its_reason() {
    let fixture = Fixture::new();
    let id = campaign(&fixture, "Daily quiz").await;
    fixture
        .press(&format!("/admin/campaigns/{id}/cancel"), "")
        .await;

    let refused = fixture
        .press(&format!("/admin/campaigns/{id}/resume"), "")
        .await;

    assert_eq!(refused.status, StatusCode::CONFLICT);
    refused.has("A campaign that is canceled cannot be resumed.");
}

#[tokio::test]
async fn what_is_no_campaign_and_no_wish_is_said() {
    let fixture = Fixture::new();
    let id = campaign(&fixture, "Daily quiz").await;

    let nonsense = fixture.get("/admin/campaigns/nonsense").await;
    let wish = fixture.get(&format!("/admin/campaigns/{id}/explode")).await;

    nonsense.has("is not the id of a campaign");
    wish.has("It can be stopped, resumed or canceled");
}

#[tokio::test]
async fn the_line_of_a_campaign_is_not_among_the_queues() {
    let fixture = Fixture::new();
    let id = campaign(&fixture, "Daily quiz").await;

    let overview = fixture.get("/admin").await;

    overview.lacks(&format!("data-queue=\"{id}\""));
}

#[tokio::test]
async fn the_overview_counts_the_deliveries_of_campaigns_as_the_list_of_jobs_does() {
    let fixture = Fixture::new();
    in_line(&fixture, "Daily quiz").await;

    let overview = fixture.get("/admin").await;

    overview
        .has("data-state=\"queued\"><b data-number>2</b>")
        .has("2 at the most, 2 now.")
        .has("No worker is live and 2 jobs are ready to run")
        .lacks("Nothing has been asked for yet");
}

#[tokio::test]
async fn the_overview_shows_the_campaigns_that_have_not_ended_and_no_others() {
    let fixture = Fixture::new();
    let none = fixture.get("/admin").await;
    let live = in_line(&fixture, "Daily quiz").await;
    let over = campaign(&fixture, "Weekly quiz").await;
    let cancel = format!("/admin/campaigns/{over}/cancel");
    fixture.press(&cancel, "").await;

    let overview = fixture.get("/admin").await;

    none.has("data-panel=\"campaigns\"").lacks("Live campaigns");
    overview
        .has("Live campaigns")
        .has(&format!("data-campaign=\"{live}\""))
        .has("0 of 2")
        .lacks(&format!("data-campaign=\"{over}\""));
}

#[tokio::test]
async fn the_rest_of_a_canceled_campaign_is_asked_for_with_its_number_and_sent_once() {
    let fixture = Fixture::new();
    person(&fixture, "ann", true).await;
    person(&fixture, "ben", true).await;
    let id = campaign(&fixture, "Daily quiz").await;
    let room = format!("/admin/campaigns/{id}");
    let early = fixture.get(&format!("{room}/send-to-rest")).await;
    fixture.press(&format!("{room}/cancel"), "").await;
    fixture.store.cancel_deliveries(100, NOW).await.unwrap();
    fixture.clock.advance(Duration::from_secs(1));

    let asked = fixture.get(&format!("{room}/send-to-rest")).await;
    let done = fixture
        .press_by_script(&format!("{room}/send-to-rest"), "")
        .await;
    let again = fixture
        .press_by_script(&format!("{room}/send-to-rest"), "")
        .await;
    let list = fixture.get("/admin/campaigns").await;

    assert_eq!(early.status, StatusCode::CONFLICT);
    asked
        .has("Send Daily quiz to the rest")
        .has("to the 2 recipients who have not got it")
        .has("2 were never written down.")
        .has("Send to 2 recipients");
    done.has("Created cmp_").has(" for the rest.");
    again.has("Nothing was created: cmp_");
    list.has("Daily quiz, the rest");
    let newest = list.body.split("data-campaign=\"").nth(1).unwrap();
    let newest = newest.split('"').next().unwrap();
    let rest = fixture.get(&format!("/admin/campaigns/{newest}")).await;
    rest.has("For the rest of <a href=")
        .has(&format!("../campaigns/{id}"));
}

#[tokio::test]
async fn the_rest_of_a_crowd_is_sent_to_once_its_number_was_typed() {
    let fixture = Fixture::new();
    let crowd: Vec<_> = (0..10_001).map(|n| profile(&n.to_string(), true)).collect();
    fixture.store.put_recipients(&crowd, NOW).await.unwrap();
    let id = campaign(&fixture, "Daily quiz").await;
    let room = format!("/admin/campaigns/{id}");
    fixture.press(&format!("{room}/cancel"), "").await;
    fixture.store.cancel_deliveries(100, NOW).await.unwrap();
    let there = format!("{room}/send-to-rest");

    let asked = fixture.get(&there).await;
    let unmeant = fixture.press_by_script(&there, "").await;
    let meant = fixture.press_by_script(&there, "confirm=10001").await;

    asked.has("Type <code>10001</code> to confirm");
    assert_eq!(unmeant.status, StatusCode::BAD_REQUEST);
    unmeant.has("It would be sent to 10,001 recipients");
    meant.has("Created cmp_").has(" for the rest.");
}

#[tokio::test]
async fn the_rate_of_a_campaign_is_changed_on_its_page_until_it_has_ended() {
    let fixture = Fixture::new();
    let id = in_line(&fixture, "Daily quiz").await;
    let room = format!("/admin/campaigns/{id}");
    let there = format!("{room}/rate");

    let set = fixture.press_by_script(&there, "rate=12.5").await;
    let page = fixture.get(&room).await;
    let unreadable = fixture.press_by_script(&there, "rate=fast").await;
    let freed = fixture.press_by_script(&there, "rate=").await;
    fixture.press(&format!("{room}/cancel"), "").await;
    let over = fixture.get(&room).await;

    set.has("was limited to any number a second, and is now to 12.5 a second");
    page.has("name=\"rate\" inputmode=\"decimal\" value=\"12.5\"");
    assert_eq!(unreadable.status, StatusCode::BAD_REQUEST);
    freed.has("is now to any number a second");
    over.lacks("name=\"rate\"");
}

#[tokio::test]
async fn whoever_only_looks_sees_no_form_for_the_rate() {
    let fixture = Fixture::new();
    let id = in_line(&fixture, "Daily quiz").await;
    let fixture = seen_by(fixture, Role::Viewer);

    let page = fixture.get(&format!("/admin/campaigns/{id}")).await;

    page.lacks("name=\"rate\"");
}
