//! The campaign room: what is sent to many, how far it is, and the buttons that rule it.

use std::{collections::BTreeMap, time::Duration};

use axum::http::StatusCode;
use baton_domain::{
    CampaignId, WorkerId,
    campaign::{CampaignSpec, State},
    message::MessageSpec,
    recipient::{Profile, RecipientSpec},
};
use baton_engine::{Routine, routines::Expander};
use baton_ports::store::{Campaigns, Events, Recipients};
use serde_json::json;

use crate::house::{House, NOW};

async fn campaign(house: &House, name: &str) -> CampaignId {
    let spec = CampaignSpec {
        name: name.to_owned(),
        category: "question".to_owned(),
        action: "inbox".to_owned(),
        audience: json!({ "all": true }),
        message: MessageSpec {
            title: "Quiz".to_owned(),
            body: "For {{id}}".to_owned(),
            data: None,
        },
        ..CampaignSpec::default()
    };
    house.engine.create_campaign(spec).await.unwrap().id()
}

async fn person(house: &House, id: &str, enabled: bool) {
    let spec = RecipientSpec {
        platform: "ios".to_owned(),
        lat: None,
        lon: None,
        topics: Vec::new(),
        enabled,
        addresses: BTreeMap::new(),
        time_zone: None,
    };
    let profile = Profile::from_spec(id.to_owned(), spec).unwrap();
    house.store.put_recipients(&[profile], NOW).await.unwrap();
}

async fn walk(house: &House) {
    let mut expander = Expander::new(house.engine.tools(), WorkerId::new(NOW));
    expander.turn().await.unwrap();
    house.store.sequence(1_000, NOW).await.unwrap();
}

#[tokio::test]
async fn an_empty_room_says_how_to_begin() {
    let house = House::new();

    let page = house.get("/admin/campaigns").await;

    page.has("No campaign yet").has("baton campaigns create");
}

#[tokio::test]
async fn the_list_shows_each_campaign_with_its_bar() {
    let house = House::new();
    let id = campaign(&house, "Daily <quiz>").await;

    let page = house.get("/admin/campaigns").await;

    page.has(&format!("data-campaign=\"{id}\""))
        .has("Daily &#60;quiz&#62;")
        .has("<progress")
        .has("scheduled")
        .lacks("<quiz>");
}

#[tokio::test]
async fn the_books_of_a_campaign_add_up() {
    let house = House::new();
    person(&house, "ann", true).await;
    person(&house, "ben", false).await;
    let id = campaign(&house, "Daily quiz").await;
    walk(&house).await;

    let page = house.get(&format!("/admin/campaigns/{id}")).await;

    page.has("data-count=\"skipped\"")
        .has(
            "data-count=\"total\"><th scope=\"row\">audience so far</th><td class=\"num\"><b>2</b>",
        )
        .has("data-count=\"items\"><th scope=\"row\">in inboxes</th><td class=\"num\">1")
        .has("2 of 2 ended (100 %)");
}

#[tokio::test]
async fn a_campaign_has_the_buttons_that_its_state_allows() {
    let house = House::new();
    let id = campaign(&house, "Daily quiz").await;
    let room = format!("/admin/campaigns/{id}");

    let scheduled = house.get(&room).await;
    house.press(&format!("{room}/stop"), "").await;
    let stopped = house.get(&room).await;
    house.press(&format!("{room}/cancel"), "").await;
    let canceled = house.get(&room).await;

    assert_eq!(scheduled.buttons(), ["stop", "cancel"]);
    assert_eq!(stopped.buttons(), ["resume", "cancel"]);
    assert_eq!(canceled.buttons(), ["send-to-rest"]);
}

#[tokio::test]
async fn a_stop_asks_with_the_number_and_says_what_was_done() {
    let house = House::new();
    let id = campaign(&house, "Daily quiz").await;
    let stop = format!("/admin/campaigns/{id}/stop");

    let asked = house.get(&stop).await;
    let done = house.press_by_script(&stop, "reason=wrong+link").await;

    asked
        .has("Stop Daily quiz")
        .has("0 calls are under way")
        .has("data-action=\"stop\"");
    done.has("Stopped Daily quiz: no call starts any more");
    let stopped = house.engine.campaign(id).await.unwrap();
    assert_eq!(
        (stopped.state, stopped.why.as_deref()),
        (State::Stopped, Some("wrong link"))
    );
}

#[tokio::test]
async fn a_wish_that_the_table_lacks_is_refused_with_its_reason() {
    let house = House::new();
    let id = campaign(&house, "Daily quiz").await;
    house
        .press(&format!("/admin/campaigns/{id}/cancel"), "")
        .await;

    let refused = house
        .press(&format!("/admin/campaigns/{id}/resume"), "")
        .await;

    assert_eq!(refused.status, StatusCode::CONFLICT);
    refused.has("A campaign that is canceled cannot be resumed.");
}

#[tokio::test]
async fn what_is_no_campaign_and_no_wish_is_said() {
    let house = House::new();
    let id = campaign(&house, "Daily quiz").await;

    let nonsense = house.get("/admin/campaigns/nonsense").await;
    let wish = house.get(&format!("/admin/campaigns/{id}/explode")).await;

    nonsense.has("is not the id of a campaign");
    wish.has("It can be stopped, resumed or canceled");
}

#[tokio::test]
async fn the_line_of_a_campaign_is_not_among_the_queues() {
    let house = House::new();
    let id = campaign(&house, "Daily quiz").await;

    let overview = house.get("/admin").await;

    overview.lacks(&format!("data-queue=\"{id}\""));
}

#[tokio::test]
async fn the_rest_of_a_canceled_campaign_is_asked_for_with_its_number_and_sent_once() {
    let house = House::new();
    person(&house, "ann", true).await;
    person(&house, "ben", true).await;
    let id = campaign(&house, "Daily quiz").await;
    let room = format!("/admin/campaigns/{id}");
    let early = house.get(&format!("{room}/send-to-rest")).await;
    house.press(&format!("{room}/cancel"), "").await;
    house.store.cancel_deliveries(100, NOW).await.unwrap();
    house.clock.advance(Duration::from_secs(1));

    let asked = house.get(&format!("{room}/send-to-rest")).await;
    let done = house
        .press_by_script(&format!("{room}/send-to-rest"), "")
        .await;
    let again = house
        .press_by_script(&format!("{room}/send-to-rest"), "")
        .await;
    let list = house.get("/admin/campaigns").await;

    assert_eq!(early.status, StatusCode::CONFLICT);
    asked
        .has("Send Daily quiz to the rest")
        .has("to the 2 recipients who have not got it")
        .has("2 were never written down.")
        .has("Send to 2 recipients");
    done.has("Created cmp_").has("which sends to the rest now");
    again.has("Nothing was created: cmp_");
    list.has("Daily quiz, the rest");
    let newest = list.body.split("data-campaign=\"").nth(1).unwrap();
    let newest = newest.split('"').next().unwrap();
    let rest = house.get(&format!("/admin/campaigns/{newest}")).await;
    rest.has("For the rest of <a href=")
        .has(&format!("../campaigns/{id}"));
}
