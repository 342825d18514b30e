//! The schedule room under an operator's hand.

use baton_client::CreateSchedule;
use baton_domain::{JobId, job::State};
use baton_protocol::PageQuery;
use serde_json::json;

use crate::{page::Page, server::Server};

#[tokio::test]
async fn a_schedule_that_is_fired_on_its_page_makes_a_job_and_shows_it() {
    let server = Server::start().await;
    let schedule: CreateSchedule = serde_json::from_value(json!({
        "name": "quiz",
        "cron": "0 9 1 1 *",
        "time_zone": "Asia/Seoul",
        "job": {"kind": "http", "payload": {"url": server.target.url("/ok")}},
    }))
    .unwrap();
    let id = server.api.create_schedule(&schedule).await.unwrap().id;
    let page = Page::open(&server, "/schedules").await;
    let row = format!("[data-schedule='{id}']");
    let listed = page.texts(&format!("{row} .next li")).await;
    page.go(&server, &format!("/schedules/{id}")).await;

    let sure = "dialog[open] button[data-action=fire]";
    page.press("[data-action=fire]", sure).await;
    let effects = page.texts("dialog[open] .effects li").await;
    page.press(sure, "[data-fire] a").await;
    let said = page.texts(".toast[data-kind=receipt] p").await;
    let (id, page_of) = (id.to_string(), PageQuery::default());
    let mut fires = server.api.fires(&id, &page_of).await.unwrap().items;
    let made = fires.remove(0).made.unwrap();

    assert_eq!(listed.len(), 3, "{listed:?}");
    assert!(
        effects[0].contains("One job of kind http is made"),
        "{effects:?}"
    );
    assert_eq!(said, [format!("Fired quiz: it made {made}.")]);
    let job: JobId = made.parse().unwrap();
    server.until(job, State::Succeeded).await;
    assert_eq!(server.target.total(), 1);
    page.press("[data-fire] a", &format!("[data-job='{job}']"))
        .await;
    assert_eq!(page.complaints().await, [""; 0]);
}
