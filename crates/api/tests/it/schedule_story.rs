//! The story that the page of schedules tells, played with a clock that is moved by hand.

use std::time::Duration;

use axum::http::{Method, StatusCode};
use baton_domain::{Clock, LeaseId, Timestamp};
use baton_engine::{Next, Routine};
use baton_ports::store::{Claim, QueueClaim, Retention, Work};
use serde_json::{Value, json};

use crate::fixture::Fixture;

/// A fixture with a schedule, and the routines of the node that leads in it.
struct Story {
    fixture: Fixture,
    schedule: String,
    routines: Vec<Box<dyn Routine>>,
}

impl Story {
    /// Two who want the quiz and one who does not, and the JSON of the page.
    async fn begin() -> Self {
        let fixture = Fixture::new();
        let page = include_str!("../../../../docs/concepts/schedules.md");
        let (_, rest) = page.split_once("```json\n").unwrap();
        let (text, _) = rest.split_once("```").unwrap();
        let created = fixture.post("/v1/schedules", serde_json::from_str(text).unwrap());
        let created = created.await;
        assert_eq!(created.status, StatusCode::CREATED, "{created:?}");
        let story = Self {
            schedule: created.json()["id"].as_str().unwrap().to_owned(),
            routines: fixture
                .engine
                .routines(fixture.worker, Retention::default()),
            fixture,
        };
        story.put("ann", &["daily-quiz"]).await;
        story.put("ben", &["news", "daily-quiz"]).await;
        story.put("cho", &["news"]).await;
        story
    }

    async fn put(&self, id: &str, topics: &[&str]) {
        let path = format!("/v1/recipients/{id}");
        let body = json!({"platform": "ios", "topics": topics, "addresses": {"push": "token"}});
        let put = self.fixture.call(Method::PUT, &path, Some(body)).await;
        assert!(put.status.is_success(), "{put:?}");
    }

    /// Sets the clock, and lets the node do what there is to do.
    async fn at(&mut self, moment: &str) {
        self.fixture.clock.set(moment.parse().unwrap());
        for name in ["leader", "scheduler", "expander", "releaser", "sequencer"] {
            let mut routines = self.routines.iter_mut();
            let routine = routines.find(|one| one.name() == name).unwrap();
            while routine.turn().await.unwrap() == Next::Now {}
        }
    }

    /// The campaigns there are, the newest first.
    async fn campaigns(&self) -> Vec<Value> {
        let list = self.fixture.get("/v1/campaigns").await.ok();
        list["items"].as_array().unwrap().clone()
    }

    /// Whom the deliveries of a campaign are for, where they are, and when they are due.
    async fn deliveries(&self, campaign: &Value) -> Vec<[Value; 3]> {
        let id = campaign["id"].as_str().unwrap();
        let path = format!("/v1/campaigns/{id}/deliveries");
        let list = self.fixture.get(&path).await.ok();
        let jobs = list["items"].as_array().unwrap().iter();
        let told = |job: &Value| {
            let recipient = job["recipient_id"].clone();
            [recipient, job["state"].clone(), job["run_at"].clone()]
        };
        let mut told: Vec<_> = jobs.map(told).collect();
        told.reverse();
        told
    }

    /// How many deliveries a worker gets that wants all of them: each a call.
    async fn calls(&self, campaign: &Value) -> usize {
        let now = self.fixture.clock.now();
        let want = QueueClaim {
            queue: campaign["id"].as_str().unwrap().to_owned(),
            lease: LeaseId::random(),
            limit: 100,
            limited: false,
            jobs: None,
        };
        let claim = Claim {
            worker: self.fixture.worker,
            until: now + Duration::from_secs(30),
            queues: vec![want],
        };
        self.fixture.store.claim(&claim, now).await.unwrap().len()
    }

    async fn shown(&self, rest: &str) -> Value {
        let path = format!("/v1/schedules/{}{rest}", self.schedule);
        self.fixture.get(&path).await.ok()
    }
}

#[tokio::test]
async fn every_day_at_nine_in_seoul_the_quiz_goes_out_prepared_at_ten_to() {
    let mut story = Story::begin().await;
    let due = json!("2027-01-16T00:00:00.000000Z");

    story.at("2027-01-15T23:49:59Z").await;
    let before = story.campaigns().await;
    story.at("2027-01-15T23:50:00Z").await;
    let campaigns = story.campaigns().await;
    let prepared = story.deliveries(&campaigns[0]).await;
    story.put("dan", &["daily-quiz"]).await;
    story.at("2027-01-15T23:59:59.999999Z").await;
    let early = story.calls(&campaigns[0]).await;
    story.at("2027-01-16T00:00:00Z").await;
    let at_nine = story.calls(&campaigns[0]).await;

    assert_eq!((before.len(), campaigns.len()), (0, 1));
    assert_eq!(campaigns[0]["send_at"], due);
    let pending = |id| [json!(id), json!("pending"), due.clone()];
    assert_eq!(prepared, [pending("ann"), pending("ben")]);
    assert_eq!((early, at_nine), (0, 2));
    let fires = story.shown("/fires").await;
    assert_eq!(fires["items"].as_array().unwrap().len(), 1);
    assert_eq!(fires["items"][0]["made"], campaigns[0]["id"]);
}

#[tokio::test]
async fn whoever_joined_after_ten_to_is_in_the_quiz_of_tomorrow() {
    let mut story = Story::begin().await;

    story.at("2027-01-15T23:50:00Z").await;
    story.put("dan", &["daily-quiz"]).await;
    story.at("2027-01-16T00:00:00Z").await;
    story.at("2027-01-16T23:50:00Z").await;
    let campaigns = story.campaigns().await;

    assert_eq!(campaigns.len(), 2);
    let audiences = campaigns.iter().map(|one| &one["progress"]["audience"]);
    assert_eq!(audiences.collect::<Vec<_>>(), [&json!(3), &json!(2)]);
}

#[tokio::test]
async fn a_quiz_that_no_server_sent_in_time_is_late_for_up_to_an_hour_and_then_missed() {
    let (mut late, mut too_late) = (Story::begin().await, Story::begin().await);

    late.at("2027-01-16T00:20:00Z").await;
    too_late.at("2027-01-16T01:05:00Z").await;

    let made = late.campaigns().await;
    assert_eq!(late.calls(&made[0]).await, 2);
    assert_eq!(too_late.campaigns().await, [] as [Value; 0]);
    let fires = too_late.shown("/fires").await;
    let missed = &fires["items"][0];
    assert_eq!(
        (&missed["made"], &missed["missed"]),
        (&Value::Null, &json!(1))
    );
    let next: Timestamp = too_late.shown("").await["next_at"]
        .as_str()
        .unwrap()
        .parse()
        .unwrap();
    let wait = next.since(too_late.fixture.clock.now());
    assert_eq!(wait, Duration::from_mins(1375));
}
