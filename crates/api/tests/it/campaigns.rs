//! Campaigns: created, shown, commanded; and what they refuse.

use axum::http::Method;
use baton_ports::store::Campaigns;
use serde_json::{Value, json};

use crate::fixture::{Fixture, Reply};

fn quiz() -> Value {
    json!({
        "name": "Daily quiz", "category": "question", "action": "push", "audience": {"topic": "daily-quiz"},
        "message": {"title": "Quiz", "body": "Good morning, {{id}}!"},
    })
}

fn quiz_with(field: &str, value: Value) -> Value {
    let mut quiz = quiz();
    quiz[field] = value;
    quiz
}

async fn create(fixture: &Fixture, body: Value) -> Reply {
    fixture
        .call(Method::POST, "/v1/campaigns", Some(body))
        .await
}

async fn command(fixture: &Fixture, id: &Value, word: &str) -> Reply {
    let path = format!("/v1/campaigns/{}/{word}", id.as_str().unwrap());
    fixture.call(Method::POST, &path, None).await
}

async fn member(fixture: &Fixture, id: &str, topics: Value) {
    let body = json!({"platform": "ios", "topics": topics, "addresses": {"push": "token"}});
    put(fixture, id, body).await;
}

async fn put(fixture: &Fixture, id: &str, body: Value) {
    let path = format!("/v1/recipients/{id}");
    fixture.call(Method::PUT, &path, Some(body)).await;
}

#[tokio::test]
async fn a_campaign_is_created_and_shown_as_it_was_asked_for() {
    let fixture = Fixture::new();

    let created = create(&fixture, quiz_with("rate", json!(50.0))).await;
    let shown = fixture.get(created.header("location")).await.ok();

    assert_eq!(created.status.as_u16(), 201);
    assert_eq!(shown, created.json());
    assert_eq!(
        (&shown["state"], &shown["rate"], &shown["topic"]),
        (&json!("scheduled"), &json!(50.0), &json!("daily-quiz"))
    );
    assert_eq!(shown["progress"]["audience"], json!(0));
}

#[tokio::test]
async fn the_same_key_is_the_same_campaign_and_other_content_a_conflict() {
    let fixture = Fixture::new();
    let keyed = quiz_with("key", json!("quiz-1"));
    let first = create(&fixture, keyed.clone()).await;

    let again = create(&fixture, keyed.clone()).await;
    let mut other = keyed;
    other["name"] = json!("Another");
    let conflict = create(&fixture, other).await;

    assert_eq!((first.status.as_u16(), again.status.as_u16()), (201, 200));
    assert_eq!(again.json()["id"], first.json()["id"]);
    assert_eq!(conflict.status.as_u16(), 409);
    assert_eq!(conflict.json()["existing_id"], first.json()["id"]);
}

#[tokio::test]
async fn what_is_wrong_with_a_campaign_is_named_field_by_field() {
    let fixture = Fixture::new();

    for (field, value, named) in [
        ("name", json!(""), "name"),
        ("action", json!("fax"), "action"),
        ("audience", json!({}), "audience"),
        (
            "audience",
            json!({"within": {"lat": 0, "lon": 0, "radius_m": 0}}),
            "audience.within.radius_m",
        ),
        (
            "message",
            json!({"title": "t", "body": "{{nobody.knows}}"}),
            "message.body",
        ),
        ("rate", json!(-1.0), "rate"),
        ("chunk", json!(0), "chunk"),
        ("time_zone", json!("Mars/Olympus"), "time_zone"),
        ("send_at_local", json!("tomorrow"), "send_at_local"),
        ("lead", json!("10m"), "lead"),
    ] {
        let refused = create(&fixture, quiz_with(field, value)).await;

        assert_eq!(refused.status.as_u16(), 422, "{field}");
        assert_eq!(refused.json()["errors"][0]["field"], named);
    }
}

#[tokio::test]
async fn a_preview_counts_draws_samples_and_finds_what_is_missing() {
    let fixture = Fixture::new();
    member(&fixture, "ann", json!(["daily-quiz"])).await;
    member(&fixture, "ben", json!([])).await;
    let asked = quiz_with(
        "message",
        json!({"title": "Quiz", "body": "It is morning in {{time_zone}}"}),
    );

    let good = fixture
        .call(Method::POST, "/v1/campaigns/preview", Some(quiz()))
        .await;
    let bad = fixture
        .call(Method::POST, "/v1/campaigns/preview", Some(asked))
        .await;

    let (good, bad) = (good.ok(), bad.ok());
    assert_eq!(good["members"], 1);
    assert_eq!(good["samples"][0]["body"], "Good morning, ann!");
    assert_eq!(bad["skipped"], json!({"missing_value": 1}));
    assert!(bad["missing"][0].as_str().unwrap().contains("time_zone"));
    let list = fixture.get("/v1/campaigns").await.ok();
    assert_eq!(list["items"], json!([]), "a preview writes nothing");
}

#[tokio::test]
async fn a_preview_has_a_sample_of_each_language_that_somebody_reads_and_says_how_many_do() {
    let fixture = Fixture::new();
    for number in 0..12 {
        member(&fixture, &format!("en-{number:02}"), json!(["daily-quiz"])).await;
    }
    for (id, locale) in [("kim", "ko-KR"), ("lee", "ko"), ("ana", "pt-BR")] {
        let body = json!({"platform": "ios", "topics": ["daily-quiz"], "addresses": {"push": id}, "locale": locale});
        put(&fixture, id, body).await;
    }
    let translations = json!({
        "ko": {"title": "퀴즈", "body": "{{id}} 님"}, "pt": {"title": "Quiz", "body": "Oi, {{id}}"}, "de": {"title": "Quiz", "body": "Hallo"},
    });
    let message =
        json!({"title": "Quiz", "body": "Good morning, {{id}}!", "translations": translations});

    let asked = Some(quiz_with("message", message));
    let preview = fixture
        .call(Method::POST, "/v1/campaigns/preview", asked)
        .await
        .ok();

    assert_eq!(preview["members"], 15);
    assert_eq!(preview["translations"], json!({"de": 0, "ko": 2, "pt": 1}));
    let samples = preview["samples"].as_array().unwrap();
    let translated = samples
        .iter()
        .filter(|sample| !sample["translation"].is_null());
    let read: Vec<_> = translated
        .map(|sample| (sample["translation"].clone(), sample["body"].clone()))
        .collect();
    assert_eq!(
        read,
        [
            (json!("ko"), json!("kim 님")),
            (json!("pt"), json!("Oi, ana"))
        ]
    );
    assert_eq!(samples.len(), 12, "ten, and the first of each language");
}

#[tokio::test]
async fn a_preview_shows_each_text_by_somebody_who_can_read_it_and_counts_nobody_who_is_told_nothing()
 {
    let fixture = Fixture::new();
    for number in 0..11 {
        let person = json!({"platform": "ios", "topics": ["daily-quiz"], "addresses": {"push": "t"}, "locale": "ko"});
        put(&fixture, &format!("ko-{number:02}"), person).await;
    }
    let french = json!({"platform": "ios", "topics": ["daily-quiz"], "addresses": {"push": "t"}, "locale": "fr"});
    let mut off = french.clone();
    off["enabled"] = json!(false);
    let mut in_paris = french.clone();
    in_paris["time_zone"] = json!("Europe/Paris");
    for (id, person) in [("lacks", french), ("off", off), ("paris", in_paris)] {
        put(&fixture, id, person).await;
    }
    member(&fixture, "ann", json!(["daily-quiz"])).await;
    let translations = json!({"ko": {"title": "퀴즈", "body": "b"}, "fr": {"title": "Quiz", "body": "A {{time_zone}}"}});
    let message = json!({"title": "Quiz", "body": "Good morning", "translations": translations});

    let asked = Some(quiz_with("message", message));
    let preview = fixture
        .call(Method::POST, "/v1/campaigns/preview", asked)
        .await
        .ok();

    assert_eq!(preview["translations"], json!({"ko": 11, "fr": 1}));
    assert_eq!(
        preview["skipped"],
        json!({"disabled": 1, "missing_value": 1})
    );
    let samples = preview["samples"].as_array().unwrap();
    let last: Vec<_> = samples[10..]
        .iter()
        .map(|sample| (sample["recipient"]["id"].clone(), sample["body"].clone()))
        .collect();
    assert_eq!(
        last,
        [
            (json!("paris"), json!("A Europe/Paris")),
            (json!("ann"), json!("Good morning"))
        ]
    );
}

#[tokio::test]
async fn a_campaign_is_stopped_resumed_and_canceled() {
    let fixture = Fixture::new();
    let id = &create(&fixture, quiz()).await.json()["id"];

    let states = [
        command(&fixture, id, "stop").await,
        command(&fixture, id, "stop").await,
        command(&fixture, id, "resume").await,
        command(&fixture, id, "cancel").await,
    ]
    .map(|reply| reply.ok()["state"].clone());

    assert_eq!(states, ["stopped", "stopped", "scheduled", "canceled"]);
    let refused = command(&fixture, id, "resume").await;
    assert_eq!(
        (refused.status.as_u16(), &refused.json()["code"]),
        (409, &json!("illegal-transition"))
    );
}

#[tokio::test]
async fn a_stop_keeps_its_reason() {
    let fixture = Fixture::new();
    let id = create(&fixture, quiz()).await.json()["id"].clone();
    let path = format!("/v1/campaigns/{}/stop", id.as_str().unwrap());

    let body = json!({"reason": "the link is wrong"});
    let stopped = fixture.call(Method::POST, &path, Some(body)).await.ok();

    assert_eq!(stopped["why"], "the link is wrong");
}

#[tokio::test]
async fn the_rate_changes_while_it_runs() {
    let fixture = Fixture::new();
    let id = create(&fixture, quiz()).await.json()["id"].clone();
    let path = format!("/v1/campaigns/{}", id.as_str().unwrap());

    for rate in [json!(10.0), json!(null)] {
        let body = json!({ "rate": rate });
        let changed = fixture.call(Method::PATCH, &path, Some(body)).await.ok();
        assert_eq!(changed["rate"], rate);
    }
    let body = json!({"rate": 0});
    let refused = fixture.call(Method::PATCH, &path, Some(body)).await;
    assert_eq!(refused.status.as_u16(), 422);
}

#[tokio::test]
async fn the_line_of_a_campaign_is_ruled_by_the_campaign_alone() {
    let fixture = Fixture::new();
    let id = create(&fixture, quiz()).await.json()["id"].clone();
    let line = id.as_str().unwrap();

    let path = format!("/v1/queues/{line}");
    let paused = fixture
        .call(Method::PATCH, &path, Some(json!({"paused": true})))
        .await;
    let job = json!({"kind": "note", "queue": line});
    let joined = fixture.call(Method::POST, "/v1/jobs", Some(job)).await;

    assert_eq!((paused.status.as_u16(), joined.status.as_u16()), (422, 422));
}

#[tokio::test]
async fn campaigns_are_listed_newest_first() {
    let fixture = Fixture::new();
    let first = create(&fixture, quiz()).await.json()["id"].clone();
    let second = create(&fixture, quiz()).await.json()["id"].clone();

    let list = fixture.get("/v1/campaigns").await.ok();

    let ids: Vec<_> = list["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|c| &c["id"])
        .collect();
    let mut expected = vec![&first, &second];
    expected.sort_by_key(|id| std::cmp::Reverse(id.as_str().unwrap().to_owned()));
    assert_eq!(ids, expected);
}

#[tokio::test]
async fn a_campaign_that_is_not_there_is_not_found() {
    let fixture = Fixture::new();

    for id in [
        "cmp_0199a1b2-c3d4-7e5f-8a9b-0c0000000000",
        "job_1",
        "nonsense",
    ] {
        for path in ["", "/progress", "/deliveries", "/failures"] {
            let reply = fixture.get(&format!("/v1/campaigns/{id}{path}")).await;

            assert_eq!(reply.status.as_u16(), 404, "{id}{path}");
            assert_eq!(reply.json()["code"], "campaign-not-found");
        }
    }
}

#[tokio::test]
async fn the_rest_of_a_campaign_is_had_once_it_has_ended() {
    let fixture = Fixture::new();
    let id = &create(&fixture, quiz()).await.json()["id"];
    let path = format!("/v1/campaigns/{}", id.as_str().unwrap());

    let shown = fixture.get(&format!("{path}/rest")).await;
    let sent = command(&fixture, id, "send-to-rest").await;
    let wrong = fixture
        .post(
            &format!("{path}/send-to-rest"),
            json!({"rate": 0, "name": ""}),
        )
        .await;
    let unknown = fixture
        .post(&format!("{path}/send-to-rest"), json!({"message": {}}))
        .await;

    let problem = shown.problem("campaign-not-ended");
    assert!(
        problem["detail"].as_str().unwrap().contains("is scheduled"),
        "{problem}"
    );
    sent.problem("campaign-not-ended");
    assert_eq!(wrong.wrong_fields(), ["name", "rate"]);
    unknown.any_problem();
}

#[tokio::test]
async fn a_campaign_for_the_rest_says_of_which_and_is_created_once() {
    let fixture = Fixture::new();
    member(&fixture, "ann", json!(["daily-quiz"])).await;
    let id = create(&fixture, quiz()).await.json()["id"].clone();
    command(&fixture, &id, "cancel").await;
    let now = fixture.engine.now();
    fixture.store.cancel_deliveries(100, now).await.unwrap();
    let path = format!("/v1/campaigns/{}", id.as_str().unwrap());

    let rest = fixture.get(&format!("{path}/rest")).await.ok();
    let created = command(&fixture, &id, "send-to-rest").await;
    let again = command(&fixture, &id, "send-to-rest").await;

    assert_eq!(
        (&rest["recipients"], &rest["never_written"]),
        (&json!(1), &json!(1))
    );
    assert_eq!((created.status.as_u16(), again.status.as_u16()), (201, 200));
    let campaign = created.json();
    assert_eq!(campaign["rest_of"], id);
    assert_eq!(campaign["name"], "Daily quiz, the rest");
    assert_eq!(fixture.get(created.header("location")).await.ok(), campaign);
}
