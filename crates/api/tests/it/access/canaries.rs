//! What whoever may only look is not shown: payloads, messages, addresses, people, and words that quote them.

use baton_domain::{
    access::{Permission, Role},
    job::Verdict,
};
use serde_json::{Value, json};

use super::{Fixture, REQUIREMENTS, Reply, call, get, guarded, key, stream_of};

const CANARY: &str = "canary-8d1f";
/// What is about nobody: the kinds of problems, and how many a campaign has left out at its end.
const COUNTS_AND_KINDS: [&str; 2] = ["/docs/problems/{kind}", "/v1/campaigns/{id}/rest"];

/// A server with a canary wherever one can sing, and what stands in its paths.
struct Sown {
    fixture: Fixture,
    admin: String,
    ids: Vec<(&'static str, Vec<String>)>,
}

impl Sown {
    async fn new() -> Self {
        let mut sown = Self::nothing().await;
        sown.sow_people().await;
        sown.sow_jobs().await;
        sown.sow_campaigns().await;
        sown.sow_schedules().await;
        sown.fixture.sequence().await;
        sown
    }

    async fn nothing() -> Self {
        let fixture = guarded();
        let admin = key(&fixture, &Permission::ALL).await;
        let queues = vec!["default".to_owned()];
        Self {
            fixture,
            admin,
            ids: vec![("queues", queues)],
        }
    }

    async fn sow_people(&mut self) {
        let person = json!({"platform": "ios", "addresses": {"push": CANARY}, "topics": ["all"], "time_zone": "Asia/Seoul"});
        let path = format!("/v1/recipients/{CANARY}");
        self.make("PUT", &path, person.clone()).await;
        self.make("PUT", &format!("/v1/recipients/{CANARY}-gone"), person)
            .await;
        let told = json!({
            "recipients": [CANARY], "action": "both", "category": "notice", "key": CANARY,
            "message": {"title": CANARY, "body": CANARY, "data": {"to": CANARY}},
        });
        self.make("POST", "/v1/notifications", told).await;
        let erased = format!("/v1/recipients/{CANARY}-gone?erase=true");
        let erased = call(&self.fixture, &self.admin, "DELETE", &erased, None).await;
        let erased = erased.json()["id"].as_str().unwrap().to_owned();
        self.ids.push(("recipients", vec![CANARY.to_owned()]));
        self.ids.push(("operations", vec![erased]));
    }

    async fn sow_jobs(&mut self) {
        let job = json!({"kind": "note", "payload": {"to": CANARY}, "max_attempts": 1});
        let failed = self.make("POST", "/v1/jobs", job.clone()).await;
        self.fixture.fail(CANARY).await;
        let done = self.make("POST", "/v1/jobs", job).await;
        let result = Some(json!({"sent to": CANARY}).to_string());
        self.fixture.run(Verdict::Accepted { result }).await;
        let keyed = json!({"kind": "note", "payload": [CANARY], "key": CANARY});
        let waits = self.make("POST", "/v1/jobs", keyed).await;
        self.ids.push(("jobs", vec![failed, done, waits]));
    }

    async fn sow_campaigns(&mut self) {
        let quiz = |audience: Value| {
            json!({
                "name": "Quiz", "category": "question", "action": "push", "key": format!("{CANARY} {audience}"), "audience": audience,
                "message": {"title": CANARY, "body": CANARY, "data": {"to": CANARY}},
            })
        };
        let mut made = Vec::new();
        for audience in [
            json!({"ids": [CANARY]}),
            json!({"all_of": [{"all": true}, {"not": {"ids": [CANARY]}}]}),
        ] {
            made.push(self.make("POST", "/v1/campaigns", quiz(audience)).await);
        }
        self.ids.push(("campaigns", made));
    }

    async fn sow_schedules(&mut self) {
        let nightly = |name: &str, field: &str, what: Value| {
            let mut schedule = json!({"name": name, "cron": "0 3 * * *", "time_zone": "UTC"});
            schedule[field] = what;
            schedule
        };
        let job = json!({"kind": "note", "payload": {"to": CANARY}});
        let campaign = json!({
            "name": "Quiz", "category": "question", "action": "push", "audience": {"ids": [CANARY]},
            "message": {"title": CANARY, "body": CANARY, "data": {"to": CANARY}},
        });
        let mut made = Vec::new();
        for schedule in [
            nightly("Job", "job", job),
            nightly("Campaign", "campaign", campaign),
        ] {
            let id = self.make("POST", "/v1/schedules", schedule).await;
            let fire = format!("/v1/schedules/{id}/fire");
            call(&self.fixture, &self.admin, "POST", &fire, None)
                .await
                .ok();
            made.push(id);
        }
        self.ids.push(("schedules", made));
    }

    async fn make(&self, method: &str, path: &str, what: Value) -> String {
        let made = call(&self.fixture, &self.admin, method, path, Some(what)).await;
        assert!(made.status.is_success(), "{method} {path}: {made:?}");
        made.json()["id"].as_str().unwrap_or_default().to_owned()
    }

    /// Each address that a path stands for.
    fn addresses(&self, path: &str) -> Vec<String> {
        let known = self
            .ids
            .iter()
            .find(|(room, _)| path.starts_with(&format!("/v1/{room}/{{")));
        let Some((_, ids)) = known else {
            return vec![self.asked(path)];
        };
        let filled = ids
            .iter()
            .map(|id| path.replace("{id}", id).replace("{name}", id));
        filled.collect()
    }

    fn asked(&self, path: &str) -> String {
        let jobs = self.addresses("/v1/jobs/{id}").into_iter();
        let jobs: Vec<_> = jobs.map(|job| job.replace("/v1/jobs/", "")).collect();
        match path {
            "/v1/attempts" => format!("{path}?jobs={}", jobs.join(",")),
            _ => path.to_owned(),
        }
    }

    async fn read(&self, key: &str, path: &str) -> Reply {
        match path.ends_with("/stream") {
            false => get(&self.fixture, key, path).await,
            true => stream_of(&self.fixture, key, path).await,
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_viewer_is_shown_no_payload_no_message_and_no_person_anywhere() {
    let sown = Sown::new().await;
    let rights: Vec<_> = Role::Viewer.permissions().iter().collect();
    let viewer = key(&sown.fixture, &rights).await;

    let (mut empty, mut told) = (Vec::new(), Vec::new());
    for (method, path, _) in REQUIREMENTS {
        if *method != "GET" || COUNTS_AND_KINDS.contains(path) {
            continue;
        }
        for address in sown.addresses(path) {
            let whole = sown.read(&sown.admin, &address).await;
            let shown = sown.read(&viewer, &address).await;
            if !whole.status.is_success() {
                empty.push(format!("{address}: {whole:?}"));
            }
            // A refusal names the address that was asked for.
            let text = String::from_utf8_lossy(&shown.body).replace(&address, "");
            if text.contains(CANARY) {
                told.push(format!("{address}: {text}"));
            }
        }
    }

    assert!(
        empty.is_empty(),
        "nothing can be seen at {}",
        empty.join("\n")
    );
    assert!(told.is_empty(), "{}", told.join("\n"));
}

#[tokio::test(start_paused = true)]
async fn whoever_may_see_all_is_shown_it() {
    let sown = Sown::new().await;

    for path in [
        "/v1/jobs/{id}",
        "/v1/campaigns/{id}",
        "/v1/schedules/{id}",
        "/v1/recipients/{id}/inbox",
    ] {
        for address in sown.addresses(path) {
            let shown = sown.read(&sown.admin, &address).await;
            let text = String::from_utf8_lossy(&shown.body);
            assert!(text.contains(CANARY), "{address}: {text}");
        }
    }
}
