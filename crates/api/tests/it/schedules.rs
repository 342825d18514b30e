//! Schedules: create, change, stop, fire, look; and the story that the docs tell.

use axum::http::{Method, StatusCode};
use serde_json::{Value, json};

use crate::fixture::{Fixture, Reply};

fn daily() -> Value {
    json!({
        "name": "daily quiz", "cron": "0 9 * * *", "time_zone": "asia/seoul", "lead": "10m",
        "missed": "all", "missed_max": 3, "job": {"kind": "note", "payload": {"n": 1.50}, "tags": ["quiz"], "expires_after": "1h"},
    })
}

async fn create(fixture: &Fixture, body: Value) -> Value {
    let reply = fixture.post("/v1/schedules", body).await;
    assert_eq!(reply.status, StatusCode::CREATED, "{reply:?}");
    reply.json()
}

async fn patch(fixture: &Fixture, id: &str, body: Value) -> Reply {
    let path = format!("/v1/schedules/{id}");
    fixture.call(Method::PATCH, &path, Some(body)).await
}

fn path(schedule: &Value, rest: &str) -> String {
    format!("/v1/schedules/{}{rest}", schedule["id"].as_str().unwrap())
}

#[tokio::test]
async fn a_schedule_is_created_shown_and_listed_as_it_was_asked_for() {
    let fixture = Fixture::new();

    let reply = fixture.post("/v1/schedules", daily()).await;
    let created = reply.json();
    let shown = fixture.get(&path(&created, "")).await.ok();
    let listed = fixture.get("/v1/schedules").await.ok();

    assert_eq!(reply.status, StatusCode::CREATED);
    assert_eq!(reply.headers["location"], path(&created, ""));
    assert_eq!((&shown, &listed["items"]), (&created, &json!([created])));
    assert_eq!(
        (&created["time_zone"], &created["lead"]),
        (&json!("Asia/Seoul"), &json!("10m"))
    );
    assert_eq!(created["job"]["payload"], json!({"n": 1.50}));
    assert_eq!(
        (&created["missed"], &created["missed_max"]),
        (&json!("all"), &json!(3))
    );
    assert_eq!(
        (
            &created["paused"],
            &created["revision"],
            &created["last_at"]
        ),
        (&json!(false), &json!(1), &Value::Null)
    );
    // The fixture stands at 2027-01-15T08:00:00Z, which is 17:00 in Seoul.
    assert_eq!(created["next_at"], "2027-01-16T00:00:00.000000Z");
}

#[tokio::test]
async fn the_same_again_is_the_same_and_another_under_the_name_a_conflict() {
    let fixture = Fixture::new();
    let first = create(&fixture, daily()).await;
    let mut other = daily();
    other["cron"] = json!("0 10 * * *");

    let again = fixture.post("/v1/schedules", daily()).await;
    let conflict = fixture.post("/v1/schedules", other.clone()).await;
    other["name"] = json!("other");
    let other = create(&fixture, other).await;
    let renamed = patch(
        &fixture,
        other["id"].as_str().unwrap(),
        json!({"name": "daily quiz"}),
    )
    .await;

    assert_eq!(
        (again.status, again.json()),
        (StatusCode::OK, first.clone())
    );
    for reply in [conflict, renamed] {
        let problem = reply.problem("name-taken");
        assert_eq!(problem["existing_id"], first["id"]);
    }
}

#[tokio::test]
async fn what_cannot_be_had_is_refused_field_by_field() {
    let fixture = Fixture::new();
    let refused = [
        (json!({"cron": "0 0 30 2 *"}), "cron", "never fires"),
        (json!({"cron": "61 * * * *"}), "cron", "must be 5 fields"),
        (json!({"cron": ""}), "cron", "must be 5 fields"),
        (json!({"cron": "* ".repeat(200)}), "cron", "200 bytes"),
        (json!({"time_zone": "Mars/Base"}), "time_zone", "IANA"),
        (json!({"time_zone": "+09:00"}), "time_zone", "IANA"),
        (json!({"name": ""}), "name", "1 to 200"),
        (json!({"lead": "8d"}), "lead", "7 days"),
        (json!({"missed": "never"}), "missed", "skip, latest or all"),
        (json!({"missed_max": 0}), "missed_max", "between 1 and 1000"),
        (json!({"missed": "skip"}), "missed_max", "missed = all only"),
        (
            json!({"job": {"kind": "baton.walk"}}),
            "job.kind",
            "the server's own",
        ),
        (
            json!({"job": {"kind": "note", "payload": "bad"}}),
            "job.payload.bad",
            "not wanted",
        ),
        (
            json!({"job": {"kind": "note", "priority": 101}}),
            "job.priority",
            "between",
        ),
        (
            json!({"job": {"kind": "note", "expires_after": "0s"}}),
            "job.expires_after",
            "1s at least",
        ),
        (json!({"campaign": {"name": "a"}}), "campaign", "not both"),
        (json!({"job": null}), "job", "is missing"),
        (
            json!({"job": null, "campaign": {"name": "a"}}),
            "campaign.category",
            "must be 1 to 64",
        ),
    ];

    for (change, field, message) in refused {
        let mut body = daily();
        body.as_object_mut()
            .unwrap()
            .extend(change.as_object().unwrap().clone());
        let problem = fixture.post("/v1/schedules", body).await.problem("invalid");
        let errors = problem["errors"].as_array().unwrap();
        let told = errors.iter().find(|error| error["field"] == field);
        let told = told.unwrap_or_else(|| panic!("{change}: {problem}"));
        assert!(
            told["message"].as_str().unwrap().contains(message),
            "{change}: {problem}"
        );
    }
    let unknown = json!({"name": "a", "cron": "0 9 * * *", "time_zone": "UTC", "job": {"kind": "note", "run_at": "2027-01-01T00:00:00Z"}});
    fixture
        .post("/v1/schedules", unknown)
        .await
        .problem("invalid");
    assert_eq!(fixture.get("/v1/schedules").await.ok()["items"], json!([]));
}

#[tokio::test]
async fn fields_that_nobody_knows_are_refused_at_the_door_however_deep_they_lie() {
    let fixture = Fixture::new();
    let backoff = json!({"base": "1s", "tone": 1});
    let message = json!({"title": "t", "body": "b", "tone": 1});
    let campaign = json!({
        "name": "quiz", "category": "question", "action": "inbox", "audience": {"all": true}, "message": message,
    });
    let mut schedule = json!({"name": "a", "cron": "0 9 * * *", "time_zone": "UTC"});
    schedule["campaign"] = campaign.clone();

    let job = fixture
        .post("/v1/jobs", json!({"kind": "note", "backoff": backoff}))
        .await;
    let at_once = fixture.post("/v1/campaigns", campaign).await;
    let again_and_again = fixture.post("/v1/schedules", schedule).await;

    assert_eq!(job.wrong_fields(), ["backoff.tone"]);
    assert_eq!(at_once.wrong_fields(), ["message.tone"]);
    assert_eq!(again_and_again.wrong_fields(), ["campaign.template"]);
}

#[tokio::test]
async fn a_change_holds_at_once_and_leaves_the_rest() {
    let fixture = Fixture::new();
    let schedule = create(&fixture, daily()).await;
    let id = schedule["id"].as_str().unwrap();

    let changed = patch(
        &fixture,
        id,
        json!({"cron": "30 18 * * *", "missed": "skip"}),
    )
    .await
    .ok();
    let same = patch(&fixture, id, json!({})).await.ok();
    let wrong = patch(&fixture, id, json!({"cron": "x"})).await;

    assert_eq!(changed["next_at"], "2027-01-15T09:30:00.000000Z");
    assert_eq!(
        (&changed["missed"], &changed["missed_max"]),
        (&json!("skip"), &Value::Null)
    );
    assert_eq!(
        (&changed["lead"], &changed["job"]),
        (&schedule["lead"], &schedule["job"])
    );
    assert_eq!((&changed["revision"], same), (&json!(2), changed.clone()));
    wrong.problem("invalid");
}

#[tokio::test]
async fn a_paused_schedule_has_no_next_time_but_shows_them_and_fires_by_hand() {
    let fixture = Fixture::new();
    let schedule = create(&fixture, daily()).await;

    let paused = fixture.post_nothing(&path(&schedule, "/pause")).await.ok();
    let again = fixture
        .post(&path(&schedule, "/pause"), json!({}))
        .await
        .ok();
    let next = fixture.get(&path(&schedule, "/next?count=2")).await.ok();
    let fire = fixture.post_nothing(&path(&schedule, "/fire")).await.ok();
    let resumed = fixture.post_nothing(&path(&schedule, "/resume")).await.ok();

    assert_eq!(
        (&paused["paused"], &paused["next_at"]),
        (&json!(true), &Value::Null)
    );
    assert_eq!(again, paused);
    assert_eq!(
        next["items"],
        json!([
            {"at": "2027-01-16T00:00:00.000000Z", "local": "2027-01-16T09:00:00+09:00", "fires_at": "2027-01-15T23:50:00.000000Z"},
            {"at": "2027-01-17T00:00:00.000000Z", "local": "2027-01-17T09:00:00+09:00", "fires_at": "2027-01-16T23:50:00.000000Z"},
        ])
    );
    let job = fixture
        .get(&format!("/v1/jobs/{}", fire["made"].as_str().unwrap()))
        .await
        .ok();
    assert_eq!(
        (&job["state"], &job["tags"]),
        (&json!("queued"), &json!(["quiz"]))
    );
    assert_eq!(fire["by_hand"], true);
    assert_eq!(
        fixture.get(&path(&schedule, "/fires")).await.ok()["items"],
        json!([fire])
    );
    assert_eq!(
        (&resumed["paused"], &resumed["next_at"]),
        (&json!(false), &schedule["next_at"])
    );
}

#[tokio::test]
async fn next_times_are_counted_and_a_count_is_checked() {
    let fixture = Fixture::new();
    let schedule = create(&fixture, daily()).await;

    let usual = fixture.get(&path(&schedule, "/next")).await.ok();
    let most = fixture.get(&path(&schedule, "/next?count=100")).await.ok();

    assert_eq!(usual["items"].as_array().unwrap().len(), 5);
    assert_eq!(most["items"].as_array().unwrap().len(), 100);
    for count in ["0", "101", "-1", "x"] {
        let reply = fixture
            .get(&path(&schedule, &format!("/next?count={count}")))
            .await;
        assert!((400..500).contains(&reply.any_problem()["status"].as_i64().unwrap()));
    }
}

#[tokio::test]
async fn a_deleted_schedule_is_not_found_by_any_call() {
    let fixture = Fixture::new();
    let schedule = create(&fixture, daily()).await;

    let deleted = fixture
        .call(Method::DELETE, &path(&schedule, ""), None)
        .await;

    assert_eq!(deleted.status, StatusCode::NO_CONTENT);
    for (method, rest) in [
        (Method::GET, ""),
        (Method::DELETE, ""),
        (Method::GET, "/next"),
        (Method::GET, "/fires"),
        (Method::POST, "/pause"),
        (Method::POST, "/resume"),
        (Method::POST, "/fire"),
    ] {
        let reply = fixture.call(method, &path(&schedule, rest), None).await;
        reply.problem("schedule-not-found");
    }
    let job_as_schedule = "/v1/schedules/job_0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b";
    fixture
        .get(job_as_schedule)
        .await
        .problem("schedule-not-found");
}
