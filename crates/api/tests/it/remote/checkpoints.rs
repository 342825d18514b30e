//! Checkpoints: a job's cursor is moved, with the jobs that it makes.

use baton_domain::LeaseId;
use serde_json::{Value, json};

use super::{Far, job};
use crate::fixture::Fixture;

#[tokio::test]
async fn a_checkpoint_moves_the_cursor_once_with_the_jobs_it_makes() {
    let fixture = Fixture::new();
    let far = Far::registered(&fixture).await;
    let claimed = far.claimed().await;
    let more = json!({
        "progress": {"done": 5, "total": 10},
        "jobs": [{"kind": "child"}, {"kind": "child", "key": "k"}],
    });

    let first = far.checkpoint(&claimed["token"], 1, more.clone()).await;
    let again = far.checkpoint(&claimed["token"], 1, more).await;
    let ahead = far.checkpoint(&claimed["token"], 3, json!({})).await;

    assert_eq!(
        (&first["saved"], &again["saved"]),
        (&json!("recorded"), &json!("repeated"))
    );
    assert_eq!(first["jobs"], again["jobs"]);
    assert_eq!(
        (&ahead["saved"], &ahead["seq"]),
        (&json!("out_of_order"), &json!(1))
    );
    let children = fixture.get("/v1/jobs?kind=child").await.ok();
    assert_eq!(children["items"].as_array().unwrap().len(), 2);
    let shown = job(&fixture, &claimed["id"]).await;
    assert_eq!(shown["cursor"], json!({"after": 1}));
    assert_eq!(
        (&shown["progress"]["done"], &shown["progress"]["total"]),
        (&json!(5), &json!(10))
    );
}

#[tokio::test]
async fn the_next_attempt_begins_behind_the_last_checkpoint_with_its_tries_anew() {
    let fixture = Fixture::new();
    let far = Far::registered(&fixture).await;
    let claimed = far.claimed().await;
    far.checkpoint(&claimed["token"], 1, json!({})).await;
    far.result(
        &claimed["token"],
        json!({"verdict": "failed", "class": "retry", "retry_after": "1s"}),
    )
    .await;
    fixture
        .post_nothing(&format!(
            "/v1/jobs/{}/run-now",
            claimed["id"].as_str().unwrap()
        ))
        .await
        .ok();

    let second = far.claim(LeaseId::random(), "0s").await.remove(0);
    far.checkpoint(&second["token"], 2, json!({})).await;
    far.result(
        &second["token"],
        json!({"verdict": "failed", "class": "retry"}),
    )
    .await;

    assert_eq!(second["checkpoint"]["cursor"], json!({"after": 1}));
    assert_eq!(
        (&second["attempt"], &second["checkpoint"]["seq"]),
        (&json!(2), &json!(1))
    );
    assert_eq!(job(&fixture, &claimed["id"]).await["tries"], 1);
}

#[tokio::test]
async fn cancel_and_retry_are_stop_and_resume_and_afresh_begins_anew() {
    let fixture = Fixture::new();
    let far = Far::registered(&fixture).await;
    let claimed = far.claimed().await;
    let path = format!("/v1/jobs/{}", claimed["id"].as_str().unwrap());
    far.checkpoint(&claimed["token"], 1, json!({})).await;
    fixture.post_nothing(&format!("{path}/cancel")).await.ok();
    let stopping = far.checkpoint(&claimed["token"], 2, json!({})).await;
    far.result(&claimed["token"], json!({"verdict": "canceled"}))
        .await;

    fixture.post_nothing(&format!("{path}/retry")).await.ok();
    let resumed = far.claim(LeaseId::random(), "0s").await.remove(0);
    far.result(
        &resumed["token"],
        json!({"verdict": "failed", "class": "permanent"}),
    )
    .await;
    fixture
        .post(&format!("{path}/retry"), json!({"afresh": true}))
        .await
        .ok();
    let anew = far.claim(LeaseId::random(), "0s").await.remove(0);

    assert_eq!(stopping["stop"], "canceled");
    assert_eq!(resumed["checkpoint"]["cursor"], json!({"after": 2}));
    assert_eq!(anew["checkpoint"]["cursor"], Value::Null);
    assert_eq!(anew["checkpoint"]["era"], 2);
}

#[tokio::test]
async fn a_checkpoint_whose_jobs_cannot_be_had_is_refused_as_a_whole() {
    let fixture = Fixture::new();
    let far = Far::registered(&fixture).await;
    let claimed = far.claimed().await;
    fixture
        .post(
            "/v1/jobs",
            json!({"kind": "child", "key": "k", "payload": 1}),
        )
        .await;

    let taken = far
        .checkpoint(
            &claimed["token"],
            1,
            json!({"jobs": [{"kind": "child"}, {"kind": "child", "key": "k"}]}),
        )
        .await;
    let wrong = far
        .checkpoint(&claimed["token"], 1, json!({"jobs": [{"kind": "baton.x"}]}))
        .await;
    let long = far
        .checkpoint(&claimed["token"], 1, json!({"cursor": "x".repeat(20_000)}))
        .await;

    assert_eq!(
        (&taken["saved"], &taken["errors"][0]["field"]),
        (&json!("refused"), &json!("checkpoints[0].jobs[1].key"))
    );
    assert_eq!(wrong["errors"][0]["field"], "checkpoints[0].jobs[0].kind");
    assert_eq!(long["errors"][0]["field"], "checkpoints[0].cursor");
    assert_eq!(
        fixture.get("/v1/jobs?kind=child").await.ok()["items"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
    assert_eq!(job(&fixture, &claimed["id"]).await["cursor"], Value::Null);
}
