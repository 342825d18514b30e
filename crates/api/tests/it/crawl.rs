//! A crawler: it calls every operation of the description with nothing, with garbage and with too much.
//!
//! Whatever comes back is what the description says, and every error is a problem.

use axum::{
    body::Body,
    http::{Method, Request, header::CONTENT_TYPE},
};
use serde_json::{Value, json};

use crate::{
    described::Described,
    fixture::{Fixture, Reply},
};

struct Operation {
    method: Method,
    path: String,
    statuses: Vec<u16>,
    parameters: Vec<String>,
    takes_body: bool,
    /// A body of JSON, as it is described.
    body: Option<Described>,
}

fn operations() -> Vec<Operation> {
    let description = description();
    let paths = description["paths"].as_object().unwrap();
    paths
        .iter()
        .flat_map(|(path, item)| {
            item.as_object()
                .unwrap()
                .iter()
                .map(|(method, operation)| read(&description, method, path, operation))
        })
        .collect()
}

fn description() -> Value {
    serde_json::from_str(include_str!("../../openapi.json")).unwrap()
}

fn read(description: &Value, method: &str, path: &str, operation: &Value) -> Operation {
    let responses = operation["responses"].as_object().unwrap();
    let parameters = operation["parameters"].as_array().into_iter().flatten();
    Operation {
        method: method.to_uppercase().parse().unwrap(),
        path: path.to_owned(),
        statuses: responses
            .keys()
            .map(|status| status.parse().unwrap())
            .collect(),
        parameters: parameters
            .filter(|parameter| parameter["in"] == "query")
            .map(|parameter| parameter["name"].as_str().unwrap().to_owned())
            .collect(),
        takes_body: operation.get("requestBody").is_some(),
        body: operation
            .pointer("/requestBody/content/application~1json/schema")
            .map(|schema| Described::read(description, schema)),
    }
}

impl Operation {
    fn at(&self, word: &str, query: &str) -> String {
        let path = self.path.replace("{id}", word).replace("{name}", word);
        let path = path.replace("{item}", ITEM);
        format!("{path}{query}")
    }

    /// What its address must have beside the path before anything is looked up.
    fn query(&self, job: &str) -> String {
        match self.path.as_str() {
            "/v1/attempts" => format!("?jobs={job}"),
            _ => String::new(),
        }
    }

    fn is_stream(&self) -> bool {
        self.path.ends_with("/stream")
    }

    async fn call(&self, fixture: &Fixture, path: &str, media: Option<&str>, body: Vec<u8>) {
        let mut request = Request::builder().method(&self.method).uri(path);
        if let Some(media) = media {
            request = request.header(CONTENT_TYPE, media);
        }
        let sent = String::from_utf8_lossy(&body[..body.len().min(80)]).into_owned();
        let reply = fixture.send(request.body(Body::from(body)).unwrap()).await;
        self.judge(&reply, path, &sent);
    }

    fn judge(&self, reply: &Reply, path: &str, sent: &str) {
        let what = format!("{} {path} <- {sent}: {}", self.method, reply.status);
        assert!(!reply.status.is_server_error(), "{what}");
        assert!(
            self.statuses.contains(&reply.status.as_u16()),
            "undocumented: {what}"
        );
        assert!(
            !reply.body.is_empty()
                || ["/metrics", "/v1/audit/export"].contains(&self.path.as_str())
                || reply.status == 204,
            "empty: {what}"
        );
        if !reply.status.is_success() {
            reply.any_problem();
        }
    }
}

const ITEM: &str = "inb_0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b";
const CAMPAIGN: &str = "cmp_0199a1b2-c3d4-7e5f-8a9b-0c0000000000";
const SCHEDULE: &str = "sch_0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b";

const WORKER: &str = "wrk_0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b";
const LEASE: &str = "lse_5b0cd10a-6f9e-4a63-9f0d-9b0a3c7b7d10";
const KEY: &str = "key_0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b";

const OPERATION: &str = "op_0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b";

const WORDS: [&str; 10] = [
    KEY,
    "job_0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b",
    OPERATION,
    SCHEDULE,
    CAMPAIGN,
    "x",
    "%00",
    "%FF%FE",
    "..%2F..%2Fetc",
    "'%20OR%201=1--",
];

const VALUES: [&str; 9] = [
    "",
    "x",
    "-1",
    "0",
    "99999999999999999999",
    "%00",
    "%FF",
    "1-",
    "%F0%9F%92%A5",
];

#[tokio::test]
async fn every_operation_called_with_nothing_answers_as_described() {
    let fixture = Fixture::new();

    for operation in operations().iter().filter(|o| !o.is_stream()) {
        for word in WORDS {
            operation
                .call(&fixture, &operation.at(word, ""), None, Vec::new())
                .await;
        }
    }
}

#[tokio::test]
async fn every_operation_called_with_a_garbage_query_answers_as_described() {
    let fixture = Fixture::new();

    for operation in operations().iter().filter(|o| !o.parameters.is_empty()) {
        let mut queries = vec!["?nonsense=1".to_owned()];
        if !operation.is_stream() {
            for name in &operation.parameters {
                queries.extend(VALUES.map(|value| format!("?{name}={value}")));
                queries.push(format!("?{name}={}", "x".repeat(10_000)));
                queries.push(format!("?{name}=1&{name}=2"));
            }
        }
        for query in queries {
            operation
                .call(&fixture, &operation.at("x", &query), None, Vec::new())
                .await;
        }
    }
}

#[tokio::test]
async fn every_operation_called_with_a_garbage_body_answers_as_described() {
    let fixture = Fixture::new();
    let id = fixture.job(json!({})).await.to_string();
    let values = [
        json!(null),
        json!(true),
        json!(-1),
        json!(1.5),
        json!(1e300),
        json!(u64::MAX),
        json!(""),
        json!("\u{0}"),
        json!("💥"),
        json!([]),
        json!([[]]),
        json!({}),
        json!({"x": {"y": []}}),
        json!("9999-12-31T23:59:59Z"),
        json!("-9999-01-01T00:00:00Z"),
        json!("99999999999d"),
    ];
    let broken = [
        &b""[..],
        b"{",
        b"null",
        b"[]",
        b"5",
        b"\"x\"",
        b"\0",
        b"\xff\xfe",
        b"{\"a\":\"\\ud800\"}",
    ]
    .map(<[u8]>::to_vec);

    let mut fields = 0;
    for operation in operations().iter().filter(|o| o.takes_body) {
        let mut bodies = broken.to_vec();
        if let Some(body) = &operation.body {
            let variants = body.variants(&values);
            fields += body.paths().len();
            bodies.extend(variants.iter().map(|body| body.to_string().into_bytes()));
        }
        for body in &bodies {
            let path = operation.at(&id, "");
            operation
                .call(&fixture, &path, Some("application/json"), body.clone())
                .await;
        }
        operation
            .call(
                &fixture,
                &operation.at(&id, ""),
                Some("text/plain"),
                b"{}".to_vec(),
            )
            .await;
    }
    // Those of campaigns, schedules and all others that the description has.
    assert!(fields > 100, "{fields} fields were tried");
}

#[tokio::test]
async fn no_operation_takes_a_list_where_an_object_belongs() {
    let fixture = Fixture::new();
    let id = fixture.job(json!({})).await.to_string();

    let mut lists = 0;
    for operation in operations() {
        for body in operation.body.iter().flat_map(Described::with_lists) {
            let request = Request::builder()
                .method(&operation.method)
                .uri(operation.at(&id, ""))
                .header(CONTENT_TYPE, "application/json")
                .body(Body::from(body.to_string()));
            let reply = fixture.send(request.unwrap()).await;

            let what = format!("{} {} <- {body}", operation.method, operation.path);
            assert!(reply.status.is_client_error(), "{what}: {}", reply.status);
            lists += 1;
        }
    }
    assert!(lists > 20, "{lists} lists were tried");
}

#[tokio::test]
async fn every_operation_called_with_too_much_answers_as_described() {
    let fixture = Fixture::new();
    let deep = format!("{{\"payload\":{}", "[".repeat(500_000)).into_bytes();
    let wide = format!("{{{}\"kind\":\"note\"}}", "\"x\":1,".repeat(50_000)).into_bytes();
    let long_name = format!("{{\"{}\":1}}", "x".repeat(500_000)).into_bytes();
    let long = vec![b' '; 33 * 1024 * 1024];

    for operation in operations().iter().filter(|o| o.takes_body) {
        for body in [&deep, &wide, &long_name, &long] {
            let path = operation.at("x", "");
            operation
                .call(&fixture, &path, Some("application/json"), body.clone())
                .await;
        }
    }
}

#[tokio::test]
async fn every_operation_reports_a_database_that_is_away_as_described() {
    tokio::time::pause();
    let fixture = Fixture::new();
    let id = fixture.job(json!({})).await.to_string();
    fixture.cut();
    let bodies = [
        json!({}),
        json!({"kind": "note"}),
        json!({"jobs": [{"kind": "note"}]}),
        json!({"as": "failed"}),
        json!({"filter": {}}),
        json!({"filter": {"state": "queued"}}),
        json!({"filter": {"state": "canceled"}}),
        json!({"paused": true}),
        json!({"platform": "ios"}),
        json!({"recipients": ["a"], "message": {"title": "t", "body": "b"}}),
        json!({"audience": {"all": true}}),
        json!({
            "name": "Quiz", "category": "question", "action": "push", "audience": {"all": true},
            "message": {"title": "t", "body": "b"},
        }),
        json!({"name": "a", "cron": "0 9 * * *", "time_zone": "UTC", "job": {"kind": "note"}}),
        json!({"name": "a", "permissions": ["jobs:read"]}),
        json!({"name": "a", "role": "viewer", "password": "correct horse battery"}),
        json!({"role": "viewer"}),
        json!({"drain": true}),
        json!({"protocol": 1, "name": "host:1", "sdk": "test/1", "kinds": ["resize"], "slots": 4}),
        json!({"wants": [{"queue": "resize", "limit": 1, "lease": LEASE}], "limit": 1}),
        json!({"results": [{"token": "x", "verdict": "canceled"}]}),
        json!({"checkpoints": [{"token": "x", "seq": 1, "cursor": 1}]}),
        json!({"leases": [LEASE]}),
    ];

    for operation in operations() {
        let mut has_failed = false;
        let is_of_schedules = operation.path.starts_with("/v1/schedules");
        let is_of_campaigns = operation.path.starts_with("/v1/campaigns/");
        let id = match () {
            () if is_of_schedules => SCHEDULE,
            () if is_of_campaigns => CAMPAIGN,
            () if operation.path.starts_with("/v1/keys/") => KEY,
            () if operation.path.starts_with("/v1/operations/") => OPERATION,
            () if operation.path.starts_with("/v1/workers/") => WORKER,
            () => &id,
        };
        for body in bodies.iter().map(Value::to_string) {
            let request = Request::builder()
                .method(&operation.method)
                .uri(operation.at(id, &operation.query(id)));
            let request = request
                .header(CONTENT_TYPE, "application/json")
                .body(Body::from(body));
            let reply = fixture.send(request.unwrap()).await;
            assert_ne!(reply.status, 500, "{} {}", operation.method, operation.path);
            if reply.status == 503 {
                assert!(operation.statuses.contains(&503));
                reply.any_problem();
                has_failed = true;
            }
        }
        // An import takes no JSON; its own tests have the database go away.
        let asks_nobody =
            ["/healthz", "/metrics", "/v1/recipients/import"].contains(&operation.path.as_str());
        assert!(
            has_failed || asks_nobody,
            "{} {}",
            operation.method,
            operation.path
        );
    }
}
