//! What became of a job, and why.

use baton_domain::job::{Class, Verdict};
use serde_json::json;

use crate::fixture::Fixture;

#[tokio::test]
async fn attempts_are_listed_first_to_last() {
    let fixture = Fixture::new();
    let id = fixture.job(json!({})).await;
    fixture
        .run(Verdict::failed(Class::Retry, "http_503", "busy"))
        .await;
    fixture
        .post_nothing(&format!("/v1/jobs/{id}/run-now"))
        .await
        .ok();
    fixture.claim().await;

    let list = fixture.get(&format!("/v1/jobs/{id}/attempts")).await.ok();

    let first = &list["items"][0];
    assert_eq!(
        (&first["attempt"], &first["outcome"]),
        (&json!(1), &json!("failed"))
    );
    assert_eq!(first["error"]["code"], "http_503");
    let second = &list["items"][1];
    assert_eq!(
        (&second["attempt"], &second["outcome"]),
        (&json!(2), &json!(null))
    );
    assert_eq!(list["next"], json!(null));
    let paths = [
        format!("/v1/jobs/{id}/attempts?after={id}.1"),
        format!("/v1/attempts?jobs={id}&after={id}.1"),
    ];
    for path in paths {
        let rest = fixture.get(&path).await.ok();
        assert_eq!(rest["items"].as_array().unwrap().len(), 1);
        assert_eq!(rest["items"][0]["attempt"], 2);
    }
}

#[tokio::test]
async fn the_facts_about_a_job_are_listed_in_order() {
    let fixture = Fixture::new();
    let id = fixture.job(json!({})).await;
    fixture.run(Verdict::Accepted { result: None }).await;
    fixture.sequence().await;

    let list = fixture.get(&format!("/v1/jobs/{id}/events")).await.ok();

    let events = list["items"].as_array().unwrap();
    assert!(
        events
            .iter()
            .all(|event| event["subject"] == id.to_string())
    );
    assert_eq!(events.last().unwrap()["type"], "job.succeeded");
    let seqs: Vec<_> = events
        .iter()
        .map(|event| event["seq"].as_i64().unwrap())
        .collect();
    assert!(seqs.is_sorted());
    let first = events[0]["id"].as_str().unwrap();
    let rest = fixture
        .get(&format!("/v1/jobs/{id}/events?after={first}"))
        .await
        .ok();
    assert_eq!(rest["items"].as_array().unwrap()[..], events[1..]);
}

#[tokio::test]
async fn a_job_is_explained_in_sentences() {
    let fixture = Fixture::new();
    let id = fixture.job(json!({})).await;
    fixture
        .call(
            axum::http::Method::PATCH,
            "/v1/queues/default",
            Some(json!({"paused": true})),
        )
        .await
        .ok();

    let explanation = fixture.get(&format!("/v1/jobs/{id}/explain")).await.ok();

    assert_eq!(explanation["state"], "queued");
    assert!(explanation["summary"].as_str().unwrap().contains("default"));
    let blockers = explanation["blockers"].to_string();
    assert!(blockers.contains("paused"), "{blockers}");
}

#[tokio::test]
async fn the_history_of_no_job_is_not_found() {
    let fixture = Fixture::new();

    for part in ["attempts", "events", "explain"] {
        let path = format!("/v1/jobs/job_0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b/{part}");

        fixture.get(&path).await.problem("job-not-found");
    }
}

#[tokio::test]
async fn the_attempts_of_several_jobs_are_listed_job_by_job() {
    let fixture = Fixture::new();
    let failed = fixture.job(json!({})).await;
    fixture
        .run(Verdict::failed(Class::Permanent, "http_400", "no"))
        .await;
    let running = fixture.job(json!({})).await;
    fixture.claim().await;
    let waiting = fixture.job(json!({})).await;

    let path = format!("/v1/attempts?jobs={waiting},{running},{failed}");
    let list = fixture.get(&path).await.ok();

    let items = list["items"].as_array().unwrap();
    let outcome_of = |id: baton_domain::JobId| {
        let mut its = items.iter().filter(|one| one["job_id"] == id.to_string());
        its.next().map(|attempt| attempt["outcome"].clone())
    };
    assert_eq!(items.len(), 2, "{list}");
    assert_eq!(outcome_of(failed), Some(json!("failed")));
    assert_eq!(outcome_of(running), Some(json!(null)));
}

#[tokio::test]
async fn a_list_of_attempts_names_what_is_wrong_with_its_jobs() {
    let fixture = Fixture::new();
    let many = vec![fixture.job(json!({})).await.to_string(); 101].join(",");

    for (jobs, said) in [("nonsense", "must be ids of jobs"), (&*many, "100 jobs")] {
        let problem = fixture
            .get(&format!("/v1/attempts?jobs={jobs}"))
            .await
            .problem("invalid");

        assert_eq!(problem["errors"][0]["field"], "jobs");
        let message = problem["errors"][0]["message"].as_str().unwrap();
        assert!(message.contains(said), "{message}");
    }
}
