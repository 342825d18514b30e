//! The campaign room under an operator's hand: what a press does, by the word of those who were called.

use std::{collections::BTreeMap, fmt::Write as _};

use baton_client::{ChangeCampaign, CreateCampaign, RowFormat};
use baton_domain::{CampaignId, Clock, campaign::State, time::SystemClock};
use baton_lab::target::Arrival;
use baton_testkit::eventually;
use fantoccini::key::Key;
use futures::stream;
use serde_json::json;

use crate::{
    page::Page,
    palette::{key, strike},
    server::{Server, TIMEOUT},
};

const SECOND: i64 = 1_000_000;

#[tokio::test]
async fn a_campaign_that_is_stopped_on_its_page_calls_nobody_two_seconds_later_and_goes_on_at_once()
{
    let server = Server::start().await;
    let id = sending(&server, 1_000, 50).await;
    let page = Page::open(&server, &format!("/campaigns/{id}")).await;
    let [stop, resume] = ["stop", "resume"].map(|action| format!("[data-action={action}]"));
    let sure = |action: &str| format!("dialog[open] button{action}");
    page.watch_presses("stop").await;
    page.watch_presses("resume").await;

    page.press(&stop, &sure(&stop)).await;
    let asked = page.texts("dialog[open] h1").await;
    page.press(&sure(&stop), ".head[data-state=stopped]").await;
    let said = page.texts(".toast[data-kind=receipt] p").await;
    let stopped = page.pressed_at("stop").await;
    eventually("a call could have come too late", TIMEOUT, async || {
        SystemClock.now().as_micros() > stopped + 4 * SECOND
    })
    .await;
    let before = server.target.arrivals();
    page.press(&resume, &sure(&resume)).await;
    page.press(&sure(&resume), ".head[data-state=sending]")
        .await;
    let resumed = page.pressed_at("resume").await;
    let is_first_after = |arrival: &Arrival| arrival.at_us > stopped + 2 * SECOND;
    eventually("somebody is called again", TIMEOUT, async || {
        server.target.arrivals().iter().any(is_first_after)
    })
    .await;
    let all = server.target.arrivals();
    let first = all.iter().find(|arrival| is_first_after(arrival)).unwrap();

    assert_eq!(asked, ["Stop Quiz"]);
    assert!(said[0].starts_with("Stopped Quiz:"), "{said:?}");
    assert!(before.len() < 1_000, "it was stopped on its way");
    let last = before.last().unwrap().at_us - stopped;
    assert!(last < 2 * SECOND, "the last call came {last} µs after");
    let waited = first.at_us - resumed;
    assert!(
        (0..SECOND).contains(&waited),
        "the first call came {waited} µs after"
    );
    sent_once_each(&server, &page, id, 1_000).await;
    assert!(page.is_the_same().await);
    assert_eq!(page.complaints().await, [""; 0]);
}

#[tokio::test]
async fn of_two_campaigns_one_is_stopped_by_keys_alone_and_the_other_comes_to_its_end() {
    let server = Server::start().await;
    let stopped = sending(&server, 100, 5).await;
    let other = campaign(&server, "Other", 25).await;
    let page = Page::open(&server, &format!("/campaigns/{stopped}")).await;
    let stop = "[data-action=stop]";

    tab_to(&page, stop).await;
    strike(&page, &key(Key::Enter)).await;
    page.until_there("dialog[open]").await;
    tab_to(&page, "dialog[open] button[data-action=stop]").await;
    strike(&page, &key(Key::Enter)).await;
    page.until_there(".head[data-state=stopped]").await;
    page.go(&server, &format!("/campaigns/{other}")).await;
    page.until_there(".head[data-state=done]").await;

    let [stopped, other] = [
        server.api.campaign(stopped).await.unwrap(),
        server.api.campaign(other).await.unwrap(),
    ];
    assert_eq!(stopped.state, State::Stopped);
    assert_eq!(other.state, State::Done);
    assert_eq!(other.progress.counts["succeeded"], 100);
    assert!(stopped.progress.ended < 100);
    assert_eq!(page.complaints().await, [""; 0]);
}

/// Goes from one to the next with the key for it, until this has the focus.
async fn tab_to(page: &Page, css: &str) {
    let has_focus = "return document.activeElement.matches(arguments[0])";
    for _ in 0..60 {
        if page.script(has_focus, json!([css])).await == true {
            return;
        }
        strike(page, &key(Key::Tab)).await;
    }
    panic!("no key leads to {css}");
}

/// A campaign that is under way: so many recipients, so many of them each second.
async fn sending(server: &Server, recipients: u32, rate: u32) -> CampaignId {
    let mut rows = "id,platform,address.push\n".to_owned();
    for number in 0..recipients {
        writeln!(rows, "user-{number},ios,token-{number}").unwrap();
    }
    let rows = stream::iter([Ok(rows.into())]);
    let imported = server.api.import_recipients(RowFormat::Csv, false, rows);
    imported.await.unwrap();
    let id = campaign(server, "Quiz", rate).await;
    eventually("people are called", TIMEOUT, async || {
        server.target.total() > 0
    })
    .await;
    id
}

/// A campaign to all of them.
async fn campaign(server: &Server, name: &str, rate: u32) -> CampaignId {
    let campaign: CreateCampaign = serde_json::from_value(json!({
        "name": name,
        "category": "question",
        "action": "push",
        "audience": {"all": true},
        "message": {"title": "Quiz", "body": "Hello {{id}}"},
        "rate": rate,
    }))
    .unwrap();
    server.api.create_campaign(&campaign).await.unwrap().id
}

/// Lets it go as fast as it can, watches the page until all was said, and counts.
async fn sent_once_each(server: &Server, page: &Page, id: CampaignId, recipients: usize) {
    let free = ChangeCampaign { rate: None };
    server.api.change_campaign(id, &free).await.unwrap();
    page.until_there(".head[data-state=done]").await;
    let mut calls = BTreeMap::<_, u32>::new();
    for arrival in server.target.arrivals() {
        *calls.entry(arrival.job_id).or_default() += 1;
    }
    assert_eq!(calls.len(), recipients);
    assert!(calls.values().all(|count| *count == 1));
}
