//! Keys that are bounded by kinds and queues: each call by which jobs are made or worked off, within the bounds and beyond them.

use baton_api::REQUIREMENTS;
use baton_domain::{
    LeaseId,
    access::{Permission, Requirement},
};
use serde_json::{Value, json};

use super::{Fixture, Reply, call, guarded, key, key_within};

const WORKER: &str = "/v1/workers/wrk_00000000-0000-7000-8000-000000000001";

/// A server with a key that is bounded to the kind `note` and the queue `low`, and what lies beyond.
struct Bounded {
    fixture: Fixture,
    key: String,
    /// The right to an attempt at a job of another queue, which the worker has.
    token: Value,
}

impl Bounded {
    async fn new() -> Self {
        let fixture = guarded();
        let permissions = [Permission::JobsCreate, Permission::Worker];
        let all = key(&fixture, &permissions).await;
        let bounded = key_within(&fixture, &permissions, &["note"], &["low"]).await;
        let beyond =
            json!({"protocol": 1, "name": "h:1", "sdk": "t/1", "kinds": ["resize"], "slots": 1});
        let claim = claim("resize");
        let mut answers = Vec::new();
        for (method, path, body) in [
            ("PUT", WORKER.to_owned(), beyond),
            ("POST", "/v1/jobs".to_owned(), json!({"kind": "resize"})),
            ("POST", format!("{WORKER}/claim"), claim),
        ] {
            let answer = call(&fixture, &all, method, &path, Some(body)).await;
            assert!(answer.status.is_success(), "{path}: {answer:?}");
            answers.push(answer);
        }
        let claimed = answers.remove(2).json();
        Self {
            token: claimed["batches"][0]["jobs"][0]["token"].clone(),
            key: bounded,
            fixture,
        }
    }

    /// What reaches beyond the bounds by each call.
    fn beyond(&self, method: &str, path: &str) -> Value {
        let job = json!({"kind": "resize"});
        match (method, path) {
            ("POST", "/v1/jobs") => job,
            ("POST", "/v1/jobs/batch") => json!({"jobs": [job]}),
            ("POST", "/v1/notifications") => {
                json!({"recipients": ["ann"], "message": {"title": "Hi", "body": "news"}})
            }
            ("PUT", "/v1/workers/{id}") => {
                json!({"protocol": 1, "name": "h:1", "sdk": "t/1", "kinds": ["resize"], "slots": 1})
            }
            ("POST", "/v1/workers/{id}/claim") => claim("resize"),
            ("POST", "/v1/workers/{id}/results") => {
                json!({"results": [{"token": self.token, "verdict": "accepted"}]})
            }
            ("POST", "/v1/workers/{id}/checkpoints") => {
                json!({"checkpoints": [{"token": self.token, "seq": 1, "cursor": 1}]})
            }
            ("POST", "/v1/workers/{id}/release") => json!({"leases": []}),
            ("POST" | "DELETE", "/v1/workers/{id}/beat" | "/v1/workers/{id}") => json!({}),
            _ => panic!("nobody has said what lies beyond for {method} {path}"),
        }
    }
}

fn claim(queue: &str) -> Value {
    let want = json!({"queue": queue, "limit": 1, "lease": LeaseId::random()});
    json!({"wants": [want], "limit": 1, "wait": "0s"})
}

/// Whether a call was refused, as a whole or in the only part that it had.
fn is_refused(answer: &Reply) -> bool {
    if answer.status == 403 {
        return true;
    }
    let told = answer.json();
    let fields = told["errors"].as_array();
    let is_queue = |error: &Value| error["field"].as_str().unwrap().contains("queue");
    let item = told["items"][0].to_string();
    fields.is_some_and(|errors| errors.iter().any(is_queue)) || item.contains("may not work off")
}

#[tokio::test]
async fn a_bounded_key_reaches_beyond_its_bounds_by_no_call_that_makes_jobs_or_works_them_off() {
    let bounded = Bounded::new().await;

    let (mut wrong, mut asked) = (Vec::new(), 0);
    for (method, path, requirement) in REQUIREMENTS {
        let needed = [Permission::JobsCreate, Permission::Worker];
        let Requirement::OneOf(permissions) = requirement else {
            continue;
        };
        if !permissions.iter().any(|one| needed.contains(one)) {
            continue;
        }
        asked += 1;
        let body = Some(bounded.beyond(method, path)).filter(|_| *method != "DELETE");
        let there = path.replace("/v1/workers/{id}", WORKER);
        let answer = call(&bounded.fixture, &bounded.key, method, &there, body).await;
        if !is_refused(&answer) {
            wrong.push(format!("{method} {path}: {answer:?}"));
        }
    }

    assert_eq!(asked, 10);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
