//! The schedule room: what is made again and again, when next, and the buttons that rule it.

use std::time::Duration;

use axum::http::StatusCode;
use baton_domain::{
    ScheduleId,
    schedule::{JobTemplate, ScheduleSpec},
};
use baton_engine::{Routine, Settings, routines::Scheduler};
use serde_json::json;

use crate::fixture::{Fixture, NOW};

fn plan() -> ScheduleSpec {
    ScheduleSpec {
        name: "Daily <quiz>".to_owned(),
        cron: "0 9 * * *".to_owned(),
        time_zone: "Asia/Seoul".to_owned(),
        job: Some(JobTemplate {
            kind: "simulate".to_owned(),
            payload: "{\"n\":1}".to_owned(),
            queue: Some("quiz".to_owned()),
            ..JobTemplate::default()
        }),
        ..ScheduleSpec::default()
    }
}

async fn schedule(fixture: &Fixture, plan: ScheduleSpec) -> ScheduleId {
    fixture.engine.create_schedule(plan).await.unwrap().0.id
}

pub async fn room(fixture: &Fixture) -> String {
    let id = schedule(fixture, plan()).await;
    format!("/admin/schedules/{id}")
}

#[tokio::test]
async fn an_empty_room_says_how_to_begin() {
    let fixture = Fixture::new();

    let page = fixture.get("/admin/schedules").await;

    page.has("No schedule yet").has("baton schedules create");
}

#[tokio::test]
async fn the_list_tells_when_in_words_and_on_both_clocks() {
    let fixture = Fixture::new();
    let id = schedule(&fixture, plan()).await;

    let page = fixture.get("/admin/schedules").await;

    page.has(&format!("data-schedule=\"{id}\""))
        .has("Daily &#60;quiz&#62;")
        .has("a job of kind simulate")
        .has("At 09:00")
        .has("<code>0 9 * * *</code> Asia/Seoul")
        .has("2026-02-01 09:00:00 +09:00")
        .has("2026-02-03 09:00:00 +09:00")
        .has("2026-02-01 00:00:00 UTC")
        .lacks("2026-02-04")
        .has("not yet")
        .lacks("<quiz>");
}

#[tokio::test]
async fn a_schedule_shows_its_next_ten_times_and_how_long_before_it_fires() {
    let fixture = Fixture::new();
    let ahead = ScheduleSpec {
        lead: Some(Duration::from_mins(10)),
        ..plan()
    };
    let id = schedule(&fixture, ahead).await;

    let page = fixture.get(&format!("/admin/schedules/{id}")).await;

    page.has("2026-02-10 09:00:00 +09:00")
        .lacks("2026-02-11")
        .has("2026-02-10 00:00:00 UTC")
        .has("It fires 10m before each of them")
        .has("it fires 10m ahead")
        .has("\"n\": 1".replace('"', "&#34;").as_str());
}

#[tokio::test]
async fn what_was_made_is_linked_in_the_list_and_in_the_history() {
    let fixture = Fixture::new();
    let room = room(&fixture).await;

    let done = fixture.press_by_script(&format!("{room}/fire"), "").await;
    let list = fixture.get("/admin/schedules").await;
    let page = fixture.get(&room).await;

    let page_of_jobs = fixture.get("/admin/jobs").await;
    let job = page_of_jobs.body.split("data-job=\"").nth(1).unwrap();
    let job = job.split('"').next().unwrap();
    done.has("Fired Daily").has(&format!("it made {job}"));
    list.has(&format!("./jobs/{job}")).has("by hand");
    page.has(&format!("../jobs/{job}")).has("by hand");
}

#[tokio::test]
async fn a_campaign_that_was_made_is_linked_as_one() {
    let fixture = Fixture::new();
    let campaign = json!({
        "name": "Quiz", "category": "question", "action": "inbox", "audience": {"all": true},
        "message": {"title": "Quiz", "body": "For {{id}}"},
    });
    let weekly = ScheduleSpec {
        job: None,
        campaign: Some(campaign),
        ..plan()
    };
    let id = schedule(&fixture, weekly).await;

    let room = format!("/admin/schedules/{id}");
    let asked = fixture.get(&format!("{room}/fire")).await;
    fixture.press(&format!("{room}/fire"), "").await;
    let page = fixture.get(&room).await;

    asked.has("One campaign is made");
    page.has("the campaign Quiz").has("../campaigns/cmp_");
}

#[tokio::test]
async fn times_that_were_missed_say_why() {
    let fixture = Fixture::new();
    let skipping = ScheduleSpec {
        missed: Some("skip".to_owned()),
        ..plan()
    };
    let id = schedule(&fixture, skipping).await;
    fixture.clock.advance(Duration::from_hours(72));
    let mut scheduler = Scheduler::new(fixture.engine.tools(), Settings::default());

    scheduler.turn().await.unwrap();
    let page = fixture.get(&format!("/admin/schedules/{id}")).await;

    page.has("3 times missed: ");
}

#[tokio::test]
async fn a_schedule_is_paused_and_resumed_and_says_so() {
    let fixture = Fixture::new();
    let room = room(&fixture).await;

    let asked = fixture.get(&format!("{room}/pause")).await;
    let done = fixture.press_by_script(&format!("{room}/pause"), "").await;
    let paused = fixture.get(&room).await;
    let list = fixture.get("/admin/schedules").await;
    let resumed = fixture.press_by_script(&format!("{room}/resume"), "").await;

    asked.has("It does not fire at 2026-02-01 09:00:00 +09:00 (Asia/Seoul), nor later.");
    done.has("it fires no more until it is resumed")
        .has("/resume");
    assert_eq!(paused.buttons(), ["fire", "resume"]);
    paused.has("It is paused");
    list.has("none while it is paused");
    resumed.has("its next time is 2026-02-01 09:00:00 +09:00");
    assert_eq!(fixture.get(&room).await.buttons(), ["fire", "pause"]);
}

#[tokio::test]
async fn what_is_no_schedule_and_no_button_is_said() {
    let fixture = Fixture::new();
    let room = room(&fixture).await;

    let nonsense = fixture.get("/admin/schedules/nonsense").await;
    let missing = fixture
        .get(&format!("/admin/schedules/{}", ScheduleId::new(NOW)))
        .await;
    let button = fixture.press(&format!("{room}/explode"), "").await;

    nonsense.has("is not the id of a schedule");
    assert_eq!(missing.status, StatusCode::NOT_FOUND);
    button.has("It can be paused, resumed or fired");
}
