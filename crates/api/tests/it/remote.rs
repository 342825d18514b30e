//! Remote workers, by the calls they make.

mod beats;
mod checkpoints;
mod servers;
mod waits;
mod why;

use std::time::Duration;

use axum::{
    body::Body,
    http::{Method, Request, header::CONTENT_TYPE},
};
use baton_domain::{Clock, LeaseId, WorkerId};
use serde_json::{Value, json};
use tower::ServiceExt;

use crate::fixture::Fixture;

/// A worker of the kind `resize`, as it speaks to the API.
struct Far<'a> {
    fixture: &'a Fixture,
    id: WorkerId,
}

impl<'a> Far<'a> {
    async fn registered(fixture: &'a Fixture) -> Self {
        fixture.clock.advance(Duration::from_millis(1));
        let far = Self {
            fixture,
            id: WorkerId::new(fixture.clock.now()),
        };
        let path = format!("/v1/workers/{}", far.id);
        let said = json!({
            "protocol": 1, "name": "host:1", "sdk": "test/1", "kinds": ["resize"], "slots": 4,
        });
        assert_eq!(
            fixture.call(Method::PUT, &path, Some(said)).await.status,
            201
        );
        far
    }

    async fn say(&self, call: &str, body: Value) -> Value {
        let path = format!("/v1/workers/{}/{call}", self.id);
        self.fixture.post(&path, body).await.ok()
    }

    async fn claim(&self, lease: LeaseId, wait: &str) -> Vec<Value> {
        let claimed = self.say("claim", claim(lease, wait)).await;
        jobs_of(&claimed)
    }

    /// A job that it has claimed.
    async fn claimed(&self) -> Value {
        resize(self.fixture).await;
        self.claim(LeaseId::random(), "0s").await.remove(0)
    }

    async fn result(&self, token: &Value, verdict: Value) -> Value {
        let mut result = json!({"token": token});
        result
            .as_object_mut()
            .unwrap()
            .extend(verdict.as_object().unwrap().clone());
        let told = self.say("results", json!({"results": [result]})).await;
        told["items"][0].clone()
    }

    async fn checkpoint(&self, token: &Value, seq: u64, more: Value) -> Value {
        let mut checkpoint = json!({"token": token, "seq": seq, "cursor": {"after": seq}});
        checkpoint
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        let told = self
            .say("checkpoints", json!({"checkpoints": [checkpoint]}))
            .await;
        told["items"][0].clone()
    }
}

fn claim(lease: LeaseId, wait: &str) -> Value {
    json!({"wants": [{"queue": "resize", "limit": 10, "lease": lease}], "limit": 10, "wait": wait})
}

fn jobs_of(claimed: &Value) -> Vec<Value> {
    let batches = claimed["batches"].as_array().unwrap();
    let jobs = batches
        .iter()
        .map(|batch| batch["jobs"].as_array().unwrap());
    jobs.flatten().cloned().collect()
}

async fn resize(fixture: &Fixture) -> Value {
    fixture
        .post(
            "/v1/jobs",
            json!({"kind": "resize", "payload": {"image": 7}}),
        )
        .await
        .json()
}

async fn job(fixture: &Fixture, id: &Value) -> Value {
    fixture
        .get(&format!("/v1/jobs/{}", id.as_str().unwrap()))
        .await
        .ok()
}

#[tokio::test]
async fn a_job_goes_out_with_all_that_its_worker_needs_and_comes_back_with_a_result() {
    let fixture = Fixture::new();
    let far = Far::registered(&fixture).await;
    let asked = resize(&fixture).await;

    let jobs = far.claim(LeaseId::random(), "0s").await;
    let settled = far
        .result(
            &jobs[0]["token"],
            json!({"verdict": "accepted", "result": {"bytes": 91}}),
        )
        .await;

    assert_eq!(jobs.len(), 1);
    assert_eq!(
        (&jobs[0]["id"], &jobs[0]["payload"]),
        (&asked["id"], &json!({"image": 7}))
    );
    assert_eq!(
        (&jobs[0]["attempt"], &jobs[0]["timeout"]),
        (&json!(1), &json!("30s"))
    );
    assert_eq!(
        (&settled["settled"], &settled["state"]),
        (&json!("recorded"), &json!("succeeded"))
    );
    assert_eq!(
        job(&fixture, &asked["id"]).await["result"],
        json!({"bytes": 91})
    );
}

#[tokio::test(start_paused = true)]
async fn a_claim_that_waits_gets_the_job_with_the_commit_that_accepts_it() {
    let fixture = Fixture::new();
    let far = Far::registered(&fixture).await;

    let (jobs, asked) = tokio::join!(far.claim(LeaseId::random(), "20s"), async {
        tokio::time::sleep(Duration::from_secs(3)).await;
        resize(&fixture).await
    });

    assert_eq!(jobs[0]["id"], asked["id"]);
    assert_eq!(job(&fixture, &asked["id"]).await["state"], "running");
}

#[tokio::test]
async fn a_claim_of_several_queues_gets_what_there_is_in_any_of_them_and_no_more_than_it_wants() {
    let fixture = Fixture::new();
    let far = Far::registered(&fixture).await;
    let wants = |queues: &[&str]| {
        let wants = queues
            .iter()
            .map(|queue| json!({"queue": queue, "limit": 3, "lease": LeaseId::random()}));
        json!({"wants": wants.collect::<Vec<_>>(), "limit": 3})
    };
    for queue in ["second", "second", "third", "third"] {
        fixture
            .post("/v1/jobs", json!({"kind": "resize", "queue": queue}))
            .await;
    }

    let first = jobs_of(&far.say("claim", wants(&["first", "second", "third"])).await);
    let rest = jobs_of(&far.say("claim", wants(&["first", "second", "third"])).await);

    assert_eq!((first.len(), rest.len()), (3, 1));
}

#[tokio::test(start_paused = true)]
async fn a_claim_that_finds_nothing_is_answered_with_nothing_when_its_wait_is_over() {
    let fixture = Fixture::new();
    let far = Far::registered(&fixture).await;
    let begun = tokio::time::Instant::now();

    let jobs = far.claim(LeaseId::random(), "20s").await;

    assert!(jobs.is_empty());
    assert_eq!(begun.elapsed().as_secs(), 20);
}

#[tokio::test]
async fn a_claim_whose_answer_was_lost_is_asked_again_and_answered_with_the_same_jobs() {
    let fixture = Fixture::new();
    let far = Far::registered(&fixture).await;
    resize(&fixture).await;
    let lease = LeaseId::random();
    let first = far.claim(lease, "0s").await;
    resize(&fixture).await;

    let mut again = claim(lease, "0s");
    again["repeat"] = json!(1);
    let again = jobs_of(&far.say("claim", again).await);

    assert_eq!(again.len(), 1);
    assert_eq!(
        (&again[0]["id"], &again[0]["token"]),
        (&first[0]["id"], &first[0]["token"])
    );
}

#[tokio::test(start_paused = true)]
async fn what_was_claimed_for_a_connection_that_has_gone_stands_in_line_again() {
    let fixture = Fixture::new();
    let far = Far::registered(&fixture).await;
    let path = format!("/v1/workers/{}/claim", far.id);
    let request = Request::post(path).header(CONTENT_TYPE, "application/json");
    let request = request.body(Body::from(claim(LeaseId::random(), "20s").to_string()));
    let waits = tokio::spawn(fixture.api.clone().oneshot(request.unwrap()));
    tokio::time::sleep(Duration::from_secs(1)).await;

    waits.abort();
    let asked = resize(&fixture).await;
    tokio::time::sleep(Duration::from_secs(1)).await;

    assert_eq!(job(&fixture, &asked["id"]).await["state"], "queued");
    assert_eq!(
        far.claim(LeaseId::random(), "0s").await[0]["id"],
        asked["id"]
    );
}

#[tokio::test]
async fn a_token_of_another_worker_or_of_nobody_settles_nothing() {
    let fixture = Fixture::new();
    let (far, other) = (
        Far::registered(&fixture).await,
        Far::registered(&fixture).await,
    );
    let claimed = far.claimed().await;
    let accepted = || json!({"verdict": "accepted"});

    let stolen = other.result(&claimed["token"], accepted()).await;
    let forged = far
        .result(
            &json!("AQEAW0000000000000000000000000000000000000000000"),
            accepted(),
        )
        .await;

    for refused in [stolen, forged] {
        assert_eq!(refused["settled"], "refused");
        assert_eq!(refused["errors"][0]["field"], "results[0].token");
    }
    assert_eq!(job(&fixture, &claimed["id"]).await["state"], "running");
}

#[tokio::test]
async fn each_verdict_leads_its_job_where_it_says() {
    let fixture = Fixture::new();
    let far = Far::registered(&fixture).await;

    for (verdict, state) in [
        (json!({"verdict": "accepted"}), "succeeded"),
        (json!({"verdict": "skipped", "why": "gone"}), "skipped"),
        (json!({"verdict": "snoozed", "after": "1h"}), "pending"),
        (json!({"verdict": "canceled"}), "canceled"),
        (
            json!({"verdict": "failed", "class": "retry", "code": "S3_503", "retry_after": "30s"}),
            "retry_wait",
        ),
        (
            json!({"verdict": "failed", "class": "throttled"}),
            "pending",
        ),
        (
            json!({"verdict": "failed", "class": "permanent", "message": "bad"}),
            "failed",
        ),
        (json!({"verdict": "given_back"}), "queued"),
    ] {
        let claimed = far.claimed().await;
        let settled = far.result(&claimed["token"], verdict.clone()).await;

        assert_eq!(
            (&settled["settled"], &settled["state"]),
            (&json!("recorded"), &json!(state)),
            "{verdict}"
        );
        assert_eq!(
            job(&fixture, &claimed["id"]).await["state"],
            state,
            "{verdict}"
        );
        far.claim(LeaseId::random(), "0s").await;
    }
}

#[tokio::test]
async fn a_result_that_makes_no_sense_is_refused_and_the_others_stand() {
    let fixture = Fixture::new();
    let far = Far::registered(&fixture).await;
    let (first, second) = (far.claimed().await, far.claimed().await);

    let told = json!({"results": [
        {"token": first["token"], "verdict": "skipped"},
        {"token": second["token"], "verdict": "accepted", "result": "x".repeat(70_000)},
    ]});
    let told = far.say("results", told).await;

    assert_eq!(told["items"][0]["settled"], "refused");
    assert_eq!(told["items"][0]["errors"][0]["field"], "results[0].why");
    assert_eq!(told["items"][1]["settled"], "recorded");
    let kept = &job(&fixture, &second["id"]).await["result"];
    assert_eq!(kept, &json!({"omitted_bytes": 70_002}));
}

#[tokio::test]
async fn a_result_that_is_told_twice_is_answered_as_before() {
    let fixture = Fixture::new();
    let far = Far::registered(&fixture).await;
    let claimed = far.claimed().await;

    let first = far
        .result(&claimed["token"], json!({"verdict": "accepted"}))
        .await;
    let second = far
        .result(&claimed["token"], json!({"verdict": "accepted"}))
        .await;

    assert_eq!(first, second);
}

#[tokio::test(start_paused = true)]
async fn a_claim_that_joins_others_gets_its_job_as_they_do_and_a_drained_worker_joins_nobody() {
    let fixture = Fixture::new();
    let (first, second) = (
        Far::registered(&fixture).await,
        Far::registered(&fixture).await,
    );
    let drained = Far::registered(&fixture).await;
    let path = format!("/v1/workers/{}", drained.id);
    fixture
        .call(Method::PATCH, &path, Some(json!({"drain": true})))
        .await
        .ok();
    let later = async |far: &Far<'_>| {
        tokio::time::sleep(Duration::from_secs(1)).await;
        far.claim(LeaseId::random(), "20s").await
    };

    let (one, none, other, ()) = tokio::join!(
        first.claim(LeaseId::random(), "20s"),
        later(&drained),
        later(&second),
        async {
            tokio::time::sleep(Duration::from_secs(2)).await;
            resize(&fixture).await;
            resize(&fixture).await;
        }
    );

    assert_eq!((one.len(), other.len()), (1, 1));
    assert!(none.is_empty());
}

#[tokio::test]
async fn what_is_released_or_left_behind_stands_in_line_again() {
    let fixture = Fixture::new();
    let far = Far::registered(&fixture).await;
    resize(&fixture).await;
    let lease = LeaseId::random();
    far.claim(lease, "0s").await;

    let released = far
        .say("release", json!({"leases": [lease, LeaseId::random()]}))
        .await;
    let again = far.claim(LeaseId::random(), "0s").await;
    let path = format!("/v1/workers/{}", far.id);
    let left = fixture.call(Method::DELETE, &path, None).await;
    let after = fixture
        .post(&format!("{path}/claim"), claim(LeaseId::random(), "0s"))
        .await;

    assert_eq!(released, json!({"given_back": 1}));
    assert_eq!(left.status, 204);
    assert_eq!(job(&fixture, &again[0]["id"]).await["state"], "queued");
    after.problem("worker-left");
}

#[tokio::test]
async fn an_at_most_once_job_that_is_left_behind_is_left_to_a_person() {
    let fixture = Fixture::new();
    let far = Far::registered(&fixture).await;
    fixture
        .post(
            "/v1/jobs",
            json!({"kind": "resize", "delivery": "at_most_once"}),
        )
        .await;
    let claimed = far.claim(LeaseId::random(), "0s").await.remove(0);

    fixture
        .call(Method::DELETE, &format!("/v1/workers/{}", far.id), None)
        .await;

    assert_eq!(job(&fixture, &claimed["id"]).await["state"], "uncertain");
}

#[tokio::test]
async fn a_worker_that_nobody_knows_is_told_to_register() {
    let fixture = Fixture::new();
    let path = format!("/v1/workers/{}", WorkerId::new(fixture.clock.now()));

    let claimed = fixture
        .post(&format!("{path}/claim"), claim(LeaseId::random(), "0s"))
        .await;
    let beat = fixture.post(&format!("{path}/beat"), json!({})).await;

    claimed.problem("worker-not-found");
    beat.problem("worker-not-found");
}

#[tokio::test]
async fn a_registration_that_makes_no_sense_is_refused_field_by_field() {
    let fixture = Fixture::new();
    fixture.job(json!({})).await;
    let path = format!("/v1/workers/{}", WorkerId::new(fixture.clock.now()));
    let refused = async |said: Value| {
        fixture
            .call(Method::PUT, &path, Some(said))
            .await
            .wrong_fields()
    };

    let protocol =
        refused(json!({"protocol": 9, "name": "a", "sdk": "b", "kinds": ["x"], "slots": 1})).await;
    let fields = refused(json!({"protocol": 1, "name": "", "sdk": "b", "kinds": ["note", "a b"], "queues": ["default"], "slots": 0})).await;

    assert_eq!(protocol, ["protocol"]);
    assert_eq!(
        fields,
        ["name", "slots", "kinds[0]", "kinds[1]", "queues[0]"]
    );
}

#[tokio::test]
async fn who_serves_a_kind_is_told_and_what_to_type_when_nobody_does() {
    let fixture = Fixture::new();
    let asked = fixture.post("/v1/jobs", json!({"kind": "resize"})).await;
    let path = format!("/v1/jobs/{}/explain", asked.json()["id"].as_str().unwrap());
    let why = fixture.get(&path).await.ok();
    Far::registered(&fixture).await;

    let kinds = fixture.get("/v1/kinds").await.ok();
    let then = fixture.get(&path).await.ok();

    assert_eq!(asked.header("baton-unserved"), "resize");
    assert!(
        why["blockers"][0]
            .as_str()
            .unwrap()
            .contains("baton worker --kind resize"),
        "{why}"
    );
    let resize = kinds["items"]
        .as_array()
        .unwrap()
        .iter()
        .find(|kind| kind["kind"] == "resize");
    assert_eq!(
        (&resize.unwrap()["workers"], &resize.unwrap()["free"]),
        (&json!(1), &json!(4))
    );
    assert_eq!(then["blockers"], json!([]));
}

#[tokio::test(start_paused = true)]
async fn whoever_waits_for_a_job_hears_of_its_end() {
    let fixture = Fixture::new();
    let far = Far::registered(&fixture).await;
    let claimed = far.claimed().await;
    let path = format!("/v1/jobs/{}?wait=20s", claimed["id"].as_str().unwrap());

    let (ended, _) = tokio::join!(fixture.get(&path), async {
        tokio::time::sleep(Duration::from_secs(2)).await;
        far.result(&claimed["token"], json!({"verdict": "accepted"}))
            .await
    });
    let other = far.claimed().await;
    let waited = fixture
        .get(&format!(
            "/v1/jobs/{}?wait=1s",
            other["id"].as_str().unwrap()
        ))
        .await
        .ok();

    assert_eq!(ended.ok()["state"], "succeeded");
    assert_eq!(waited["state"], "running");
}
