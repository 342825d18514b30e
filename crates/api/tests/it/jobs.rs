//! Jobs: accept and look.

use axum::http::StatusCode;
use baton_domain::job::Verdict;
use futures::future::join_all;
use serde_json::{Value, json};

use crate::fixture::Fixture;

#[tokio::test]
async fn a_job_is_accepted_with_every_default_filled_in() {
    let fixture = Fixture::new();

    let reply = fixture.post("/v1/jobs", json!({"kind": "note"})).await;

    assert_eq!(reply.status, StatusCode::CREATED);
    let job = reply.json();
    let id = job["id"].as_str().unwrap();
    assert_eq!(reply.header("location"), format!("/v1/jobs/{id}"));
    assert_eq!(job["state"], "queued");
    assert_eq!(job["queue"], "default");
    assert_eq!(job["payload"], json!({}));
    assert_eq!(
        (&job["priority"], &job["max_attempts"]),
        (&json!(0), &json!(4))
    );
    assert_eq!(
        (&job["timeout"], &job["delivery"]),
        (&json!("30s"), &json!("at_least_once"))
    );
    assert_eq!(job["backoff"]["strategy"], "exponential");
}

#[tokio::test]
async fn a_job_is_shown_as_it_was_answered() {
    let fixture = Fixture::new();
    let body = json!({
        "kind": "note", "key": "k-1", "queue": "mail", "priority": -5, "delay": "1h30m",
        "max_attempts": 7, "backoff": {"strategy": "fixed", "base": "10s"}, "timeout": "5m",
        "delivery": "at_most_once", "tags": ["red", "blue"], "payload": {"to": "x"},
    });

    let answered = fixture.post("/v1/jobs", body).await.json();
    let path = format!("/v1/jobs/{}", answered["id"].as_str().unwrap());
    let shown = fixture.get(&path).await.ok();

    assert_eq!(shown, answered);
    assert_eq!(shown["state"], "pending");
    assert_eq!(shown["backoff"]["base"], "10s");
    assert_eq!(shown["tags"], json!(["red", "blue"]));
}

#[tokio::test]
async fn a_job_shows_every_field_of_the_contract() {
    let fixture = Fixture::new();
    let id = fixture.job(json!({})).await;

    let shown = fixture.get(&format!("/v1/jobs/{id}")).await.ok();

    for field in [
        "id",
        "key",
        "kind",
        "queue",
        "state",
        "reason",
        "priority",
        "payload",
        "run_at",
        "attempt",
        "tries",
        "max_attempts",
        "losses",
        "campaign_id",
        "recipient_id",
        "progress",
        "cursor",
        "last_error",
        "result",
        "created_at",
        "updated_at",
        "finished_at",
        "worker",
    ] {
        assert!(shown.as_object().unwrap().contains_key(field), "{field}");
    }
}

#[tokio::test]
async fn a_payload_is_kept_to_the_letter() {
    let fixture = Fixture::new();
    let payload = r#"{"n":123456789012345678901234567890.5,"z":1,"a":[1.10, "é\u0000"],"a":2}"#;

    let reply = fixture
        .post_text(
            "/v1/jobs",
            format!(r#"{{"kind":"note","payload":{payload}}}"#),
        )
        .await;
    let list = fixture.get("/v1/jobs").await;

    for reply in [reply, list] {
        let text = String::from_utf8(reply.body.to_vec()).unwrap();
        assert!(text.contains(payload), "{text}");
    }
}

#[tokio::test]
async fn any_json_value_can_be_a_payload() {
    let fixture = Fixture::new();

    for payload in [json!(null), json!(5), json!("text"), json!([1]), json!({})] {
        let reply = fixture
            .post("/v1/jobs", json!({"kind": "note", "payload": payload}))
            .await;

        assert_eq!(reply.status, StatusCode::CREATED);
        assert_eq!(reply.json()["payload"], payload);
    }
}

#[tokio::test]
async fn the_same_key_with_the_same_content_is_the_same_job() {
    let fixture = Fixture::new();
    let body = json!({"kind": "note", "key": "order-1", "payload": {"a": 1}});

    let first = fixture.post("/v1/jobs", body.clone()).await;
    let second = fixture.post("/v1/jobs", body).await;

    assert_eq!(
        (first.status, second.status),
        (StatusCode::CREATED, StatusCode::OK)
    );
    assert_eq!(first.json(), second.json());
}

#[tokio::test]
async fn the_same_key_with_other_content_is_a_conflict() {
    let fixture = Fixture::new();
    let first = fixture.job(json!({"key": "order-1"})).await;

    let reply = fixture
        .post(
            "/v1/jobs",
            json!({"kind": "note", "key": "order-1", "priority": 1}),
        )
        .await;

    assert_eq!(reply.status, StatusCode::CONFLICT);
    assert_eq!(
        reply.problem("key-conflict")["existing_id"],
        first.to_string()
    );
}

#[tokio::test]
async fn sixty_four_posts_of_one_key_at_once_give_one_job() {
    let fixture = Fixture::new();
    let body = json!({"kind": "note", "key": "once"});

    let replies = join_all((0..64).map(|_| fixture.post("/v1/jobs", body.clone()))).await;

    let created = replies
        .iter()
        .filter(|r| r.status == StatusCode::CREATED)
        .count();
    let known = replies
        .iter()
        .filter(|r| r.status == StatusCode::OK)
        .count();
    assert_eq!((created, known), (1, 63));
    let id = replies[0].json()["id"].clone();
    assert!(replies.iter().all(|reply| reply.json()["id"] == id));
    assert_eq!(items(&fixture.get("/v1/jobs").await.ok()).len(), 1);
}

#[tokio::test]
async fn everything_that_is_wrong_is_named_at_once() {
    let fixture = Fixture::new();

    let reply = fixture
        .post(
            "/v1/jobs",
            json!({"kind": "two words", "priority": 101, "max_attempts": 0, "queue": "", "key": "a\u{0}b"}),
        )
        .await;

    assert_eq!(
        reply.wrong_fields(),
        ["kind", "queue", "key", "priority", "max_attempts"]
    );
}

#[tokio::test]
async fn a_payload_that_its_handler_does_not_want_is_refused() {
    let fixture = Fixture::new();

    let reply = fixture
        .post("/v1/jobs", json!({"kind": "note", "payload": {"bad": 1}}))
        .await;

    assert_eq!(reply.wrong_fields(), ["payload.bad"]);
}

#[tokio::test]
async fn a_kind_that_the_server_does_not_run_stands_in_the_queue_of_its_own_name() {
    let fixture = Fixture::new();

    let job = fixture
        .post("/v1/jobs", json!({"kind": "resize"}))
        .await
        .json();
    let elsewhere = fixture
        .post("/v1/jobs", json!({"kind": "resize", "queue": "images"}))
        .await
        .json();

    assert_eq!(
        (&job["queue"], &job["state"]),
        (&json!("resize"), &json!("queued"))
    );
    assert_eq!(elsewhere["queue"], "images");
}

#[tokio::test]
async fn a_name_that_is_the_servers_own_or_nearly_so_is_refused() {
    let fixture = Fixture::new();

    for kind in ["baton.walk", "Note", "NOTE"] {
        let reply = fixture.post("/v1/jobs", json!({"kind": kind})).await;

        assert_eq!(reply.wrong_fields(), ["kind"], "{kind}");
    }
}

#[tokio::test]
async fn a_queue_is_worked_off_by_one_side() {
    let fixture = Fixture::new();
    fixture.job(json!({})).await;
    fixture.post("/v1/jobs", json!({"kind": "resize"})).await;

    let far_in_near = fixture
        .post("/v1/jobs", json!({"kind": "resize", "queue": "default"}))
        .await;
    let near_in_far = fixture
        .post("/v1/jobs", json!({"kind": "note", "queue": "resize"}))
        .await;
    let batch = json!({"jobs": [{"kind": "note"}, {"kind": "note", "queue": "resize"}]});
    let batch = fixture.post("/v1/jobs/batch", batch).await;

    assert_eq!(far_in_near.wrong_fields(), ["queue"]);
    assert_eq!(near_in_far.wrong_fields(), ["queue"]);
    assert_eq!(batch.wrong_fields(), ["jobs[1].queue"]);
}

#[tokio::test]
async fn a_batch_says_of_each_job_whether_it_is_new() {
    let fixture = Fixture::new();
    let known = fixture.job(json!({"key": "a"})).await;

    let reply = fixture
        .post(
            "/v1/jobs/batch",
            json!({"jobs": [{"kind": "note", "key": "a"}, {"kind": "note", "key": "b"}, {"kind": "note"}]}),
        )
        .await;

    assert_eq!(reply.status, StatusCode::CREATED);
    let batch = reply.json();
    assert_eq!(
        batch["items"][0],
        json!({"id": known.to_string(), "created": false})
    );
    assert_eq!(batch["items"][1]["created"], true);
    assert_eq!(items(&fixture.get("/v1/jobs").await.ok()).len(), 3);
}

#[tokio::test]
async fn a_batch_that_is_wholly_known_answers_200() {
    let fixture = Fixture::new();
    let body = json!({"jobs": [{"kind": "note", "key": "a"}, {"kind": "note", "key": "b"}]});
    fixture.post("/v1/jobs/batch", body.clone()).await;

    let reply = fixture.post("/v1/jobs/batch", body).await;

    assert_eq!(reply.ok()["items"][1]["created"], false);
}

#[tokio::test]
async fn a_conflict_in_a_batch_means_that_nothing_is_added() {
    let fixture = Fixture::new();
    fixture.job(json!({"key": "a"})).await;

    let reply = fixture
        .post(
            "/v1/jobs/batch",
            json!({"jobs": [{"kind": "note"}, {"kind": "note", "key": "a", "priority": 9}]}),
        )
        .await;

    reply.problem("key-conflict");
    assert_eq!(items(&fixture.get("/v1/jobs").await.ok()).len(), 1);
}

#[tokio::test]
async fn what_is_wrong_in_a_batch_is_named_with_its_place() {
    let fixture = Fixture::new();

    let semantic = fixture
        .post(
            "/v1/jobs/batch",
            json!({"jobs": [{"kind": "note"}, {"kind": "note", "priority": 500}]}),
        )
        .await;
    let shape = fixture
        .post(
            "/v1/jobs/batch",
            json!({"jobs": [{"kind": "note"}, {"kind": "note", "backoff": {"base": 5}}]}),
        )
        .await;

    assert_eq!(semantic.wrong_fields(), ["jobs[1].priority"]);
    assert_eq!(shape.wrong_fields(), ["jobs[1].backoff.base"]);
}

#[tokio::test]
async fn a_batch_has_one_to_ten_thousand_jobs() {
    let fixture = Fixture::new();
    let batch = |count| json!({"jobs": vec![json!({"kind": "note"}); count]});

    let empty = fixture.post("/v1/jobs/batch", batch(0)).await;
    let full = fixture.post("/v1/jobs/batch", batch(10_000)).await;
    let more = fixture.post("/v1/jobs/batch", batch(10_001)).await;

    assert_eq!(empty.wrong_fields(), ["jobs"]);
    assert_eq!(items(&full.json()).len(), 10_000);
    assert_eq!(more.wrong_fields(), ["jobs"]);
}

#[tokio::test]
async fn jobs_are_listed_newest_first_page_by_page() {
    let fixture = Fixture::new();
    for n in 0..5 {
        fixture.job(json!({"key": format!("k{n}")})).await;
        fixture.clock.advance(std::time::Duration::from_millis(5));
    }

    let mut keys = Vec::new();
    let mut path = "/v1/jobs?limit=2".to_owned();
    loop {
        let page = fixture.get(&path).await.ok();
        keys.extend(
            items(&page)
                .iter()
                .map(|job| job["key"].as_str().unwrap().to_owned()),
        );
        match page["next"].as_str() {
            Some(next) => path = format!("/v1/jobs?limit=2&after={next}"),
            None => break,
        }
    }

    assert_eq!(keys, ["k4", "k3", "k2", "k1", "k0"]);
}

#[tokio::test]
async fn a_list_shows_only_what_is_asked_for() {
    let fixture = Fixture::new();
    fixture
        .job(json!({"key": "a", "queue": "mail", "tags": ["red"]}))
        .await;
    fixture.job(json!({"key": "b", "delay": "1h"})).await;

    for (query, key) in [
        ("queue=mail", "a"),
        ("tag=red", "a"),
        ("key=a", "a"),
        ("state=pending", "b"),
        ("state=queued&kind=note", "a"),
    ] {
        let page = fixture.get(&format!("/v1/jobs?{query}")).await.ok();

        let keys: Vec<_> = items(&page).iter().map(|job| &job["key"]).collect();
        assert_eq!(keys, [key], "{query}");
    }
    let none = fixture
        .get("/v1/jobs?campaign=cmp_0199a1b2-c3d4-7e5f-8a9b-0c0000000000")
        .await
        .ok();
    assert_eq!(none, json!({"items": [], "next": null}));
}

#[tokio::test]
async fn a_list_refuses_what_it_does_not_understand() {
    let fixture = Fixture::new();

    for (query, field) in [
        ("limit=0", "limit"),
        ("limit=501", "limit"),
        ("limit=-1", "limit"),
        ("limit=many", "limit"),
        ("state=asleep", "state"),
        ("colour=red", "colour"),
        ("limit=5&limit=6", "limit"),
        ("key=a%00b", "key"),
    ] {
        let reply = fixture.get(&format!("/v1/jobs?{query}")).await;

        assert_eq!(reply.wrong_fields(), [field], "{query}");
    }
    fixture
        .get("/v1/jobs?after=rubbish")
        .await
        .problem("bad-cursor");
}

#[tokio::test]
async fn a_job_that_is_not_there_is_not_found() {
    let fixture = Fixture::new();

    for id in [
        "job_0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b",
        "wrk_0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b",
        "5",
        "%E2%82%AC",
    ] {
        let reply = fixture.get(&format!("/v1/jobs/{id}")).await;

        assert_eq!(reply.status, StatusCode::NOT_FOUND);
        reply.problem("job-not-found");
    }
    fixture.get("/v1/jobs/%FF").await.problem("malformed");
}

fn items(page: &Value) -> &Vec<Value> {
    page["items"].as_array().unwrap()
}

#[tokio::test]
async fn a_key_whose_job_was_forgotten_answers_with_what_became_of_it() {
    let fixture = Fixture::new();
    let body = json!({"kind": "note", "key": "order-7", "payload": {"to": "x"}});
    let first = fixture.post("/v1/jobs", body.clone()).await.json();
    fixture.run(Verdict::Accepted { result: None }).await;
    fixture.sequence().await;
    let path = format!("/v1/jobs/{}", first["id"].as_str().unwrap());
    let ended = fixture.get(&path).await.ok();
    fixture.forget_jobs().await;

    let again = fixture.post("/v1/jobs", body.clone()).await;
    let batch = fixture
        .post("/v1/jobs/batch", json!({"jobs": [body]}))
        .await;

    assert_eq!(again.status, StatusCode::OK);
    let again = again.json();
    for field in [
        "id",
        "key",
        "kind",
        "payload",
        "created_at",
        "state",
        "finished_at",
    ] {
        assert_eq!(again[field], ended[field], "{field}");
    }
    assert_eq!(again["state"], "succeeded");
    assert_eq!(
        batch.ok()["items"][0],
        json!({"id": first["id"], "created": false})
    );
    assert_eq!(fixture.get(&path).await.status, StatusCode::NOT_FOUND);
    assert!(fixture.claim().await.is_empty());
}

#[tokio::test]
async fn a_page_of_large_jobs_is_bounded_by_its_bytes_and_goes_on_where_it_ended() {
    const LONGEST: usize = 4 * 1024 * 1024;
    let fixture = Fixture::new();
    let payload = json!({"text": "x".repeat(200_000)});
    let mut made = Vec::new();
    for _ in 0..60 {
        made.push(fixture.job(json!({"payload": payload})).await.to_string());
    }

    let (mut seen, mut after) = (Vec::new(), String::new());
    loop {
        let reply = fixture.get(&format!("/v1/jobs?limit=500{after}")).await;

        assert!(reply.body.len() < LONGEST + 1_000, "{}", reply.body.len());
        let page = reply.ok();
        let items = page["items"].as_array().unwrap();
        assert!(!items.is_empty());
        seen.extend(
            items
                .iter()
                .map(|job| job["id"].as_str().unwrap().to_owned()),
        );
        match page["next"].as_str() {
            Some(next) => after = format!("&after={next}"),
            None => break,
        }
    }

    // Ids of one millisecond are in no order.
    made.sort();
    seen.sort();
    assert_eq!(seen, made);
}
