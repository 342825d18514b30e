//! Canaries in all that is personal or secret, and every page of the console read for them as a viewer.

use std::{
    fs,
    time::{Duration, Instant},
};

use baton_domain::{LeaseId, Timestamp, WorkerId, access::Permissions};
use serde_json::{Value, json};

use super::told::{Known, got, queries};
use crate::{
    access::{add_user, ask, bearer, key, sign_in, status},
    routes,
    support::Served,
};

/// Of a person, or what was sent to one.
const PERSON: &str = "canary-8d1f";
/// What opens something.
const SECRET: &str = "canary-secret";
/// The same as a signing secret.
const SIGNING: &str = "Y2FuYXJ5LXNlY3JldC1jYW5hcnktc2VjcmV0";
const TIMEOUT: Duration = Duration::from_secs(30);
/// Where something is looked for.
const SEARCHES: [&str; 3] = [
    "/admin/search?q=",
    "/admin/jobs?q=",
    "/admin/events?subject=",
];

/// A server with canaries wherever one can sing, and whoever has put them there.
struct Sown {
    served: Served,
    admin: String,
    job: String,
}

impl Sown {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let receiver = format!(
            "url = \"http://127.0.0.1:9/{SECRET}\"\nheaders = {{ A = \"{SECRET}\" }}\nsecret = \"whsec_{SIGNING}\"\n"
        );
        let file = format!(
            "[providers.push]\nkind = \"http\"\n{receiver}[destinations.shop]\nallow_private = true\n{receiver}"
        );
        fs::write(folder.path().join("baton.toml"), file).unwrap();
        for role in ["admin", "viewer"] {
            assert_eq!(add_user(folder.path(), role, role).code(), 0);
        }
        let all = Permissions::ALL.to_string();
        let (_, file) = key(folder.path(), "all", &all, &[]);
        let served = Served::start_guarded(folder, &[]);
        let admin = bearer(served.folder.path(), &file);
        let job = String::new();
        let mut sown = Self { served, admin, job };
        sown.sow_people();
        sown.sow_jobs();
        sown.sow_work();
        sown.sow_plans();
        sown
    }

    fn sow_people(&self) {
        let person =
            json!({"platform": "ios", "addresses": {"push": PERSON}, "time_zone": "Asia/Seoul"});
        let path = format!("/v1/recipients/{PERSON}");
        self.call(&format!("PUT {path}"), &person);
        self.call(&format!("PUT {path}-gone"), &person);
        let told = json!({
            "recipients": [PERSON], "action": "both", "category": "notice", "key": PERSON,
            "message": {"title": PERSON, "body": PERSON, "data": {"to": PERSON}},
        });
        self.call("POST /v1/notifications", &told);
        self.call(&format!("DELETE {path}-gone?erase=true"), &Value::Null);
    }

    /// Jobs that call what has secrets, and quote them as they fail.
    fn sow_jobs(&self) {
        let orders =
            json!({"destination": "shop", "path": format!("/{PERSON}"), "body": {"to": PERSON}});
        let hook = json!({
            "url": format!("http://127.0.0.1:9/{PERSON}"), "headers": {"Authorization": format!("Bearer {SECRET}")}, "body": {"to": PERSON},
        });
        for (n, payload) in [orders, hook].into_iter().enumerate() {
            let job = json!({"kind": "http", "payload": payload, "key": format!("{PERSON} {n}"), "max_attempts": 1});
            self.call("POST /v1/jobs", &job);
        }
    }

    /// A job that has failed, one that was answered, and one that tells how far it is.
    fn sow_work(&mut self) {
        let job = json!({"kind": "note", "payload": {"to": PERSON}, "max_attempts": 1});
        for _ in 0..3 {
            let made = self.call("POST /v1/jobs", &job);
            self.job = made["id"].as_str().unwrap().to_owned();
        }
        let worker = WorkerId::new(Timestamp::from_micros(1_800_000_000_000_000));
        let worker = format!("/v1/workers/{worker}");
        let said =
            json!({"protocol": 1, "name": "h:1", "sdk": "t/1", "kinds": ["note"], "slots": 4});
        self.call(&format!("PUT {worker}"), &said);
        let want = json!({"queue": "note", "limit": 3, "lease": LeaseId::random()});
        let claim = json!({"wants": [want], "limit": 3, "wait": "0s"});
        let claimed = self.call(&format!("POST {worker}/claim"), &claim);
        let token = |n: usize| &claimed["batches"][0]["jobs"][n]["token"];
        let failed = json!({"token": token(0), "verdict": "failed", "class": "permanent", "message": PERSON});
        let done = json!({"token": token(1), "verdict": "accepted", "result": {"to": PERSON}});
        let results = json!({"results": [failed, done]});
        self.call(&format!("POST {worker}/results"), &results);
        let progress = json!({"done": 1, "total": 2, "note": PERSON});
        let moved =
            json!({"token": token(2), "seq": 1, "cursor": {"after": PERSON}, "progress": progress});
        let moved = self.call(
            &format!("POST {worker}/checkpoints"),
            &json!({"checkpoints": [moved]}),
        );
        assert_eq!(moved["items"][0]["saved"], "recorded", "{moved}");
    }

    fn sow_plans(&self) {
        let message = json!({"title": PERSON, "body": PERSON, "data": {"to": PERSON}});
        let campaign = json!({
            "name": "Quiz", "category": "question", "action": "push", "key": PERSON, "audience": {"ids": [PERSON]}, "message": message,
        });
        self.call("POST /v1/campaigns", &campaign);
        let mut template = campaign;
        template.as_object_mut().unwrap().remove("key");
        let job = json!({"kind": "note", "payload": {"to": PERSON}});
        for (name, field, what) in [("Job", "job", job), ("Campaign", "campaign", template)] {
            let mut schedule = json!({"name": name, "cron": "0 3 * * *", "time_zone": "UTC"});
            schedule[field] = what;
            let made = self.call("POST /v1/schedules", &schedule);
            let id = made["id"].as_str().unwrap();
            self.call(&format!("POST /v1/schedules/{id}/fire"), &Value::Null);
        }
    }

    fn call(&self, line: &str, body: &Value) -> Value {
        let json = [&*self.admin, "Content-Type: application/json"];
        let (headers, body) = match body {
            Value::Null => (&json[..1], String::new()),
            body => (&json[..], body.to_string()),
        };
        let answer = ask(&self.served, line, headers, &body);
        assert!(status(&answer).starts_with('2'), "{line}: {answer}");
        let (_, body) = answer.split_once("\r\n\r\n").unwrap();
        serde_json::from_str(body).unwrap_or_default()
    }

    /// What the lists hold, once what has failed stands in them.
    fn known(&self) -> Known {
        let end = Instant::now() + TIMEOUT;
        while self.call("GET /v1/dead-letters", &Value::Null)["items"] == json!([]) {
            assert!(Instant::now() < end, "nothing has failed");
            std::thread::yield_now();
        }
        Known::by(|path| got(&self.served, path, &self.admin))
    }

    /// What each page answers to whoever has this session, by its address.
    fn pages(&self, session: &str) -> Vec<(String, String)> {
        let known = self.known();
        let paths = routes::of_the_pages(&known);
        let pages = paths.iter().flat_map(|path| {
            let queries = queries(path, &self.job, &known).into_iter();
            queries.map(move |query| format!("{path}{query}"))
        });
        let searches = SEARCHES.map(|search| format!("{search}{PERSON}"));
        let unmasked = format!("/admin/recipients/{PERSON}?show=addresses");
        pages
            .chain(searches)
            .chain([unmasked])
            .map(|path| {
                let page = got(&self.served, &path, session);
                // What was asked for is told back.
                let told_back = [
                    path.clone(),
                    format!("value=\"{PERSON}\""),
                    format!("subject={PERSON}"),
                ];
                let page = told_back
                    .iter()
                    .fold(page, |page, told| page.replace(told, ""));
                (path, page)
            })
            .collect()
    }
}

#[test]
fn a_viewer_is_shown_no_person_no_payload_and_no_secret_on_any_page() {
    let sown = Sown::new();
    let [admin, viewer] = ["admin", "viewer"].map(|name| sign_in(&sown.served, name));

    let whole = sown.pages(&admin);
    let shown = sown.pages(&viewer);

    let singing = |pages: &[(String, String)], canary: &str| -> Vec<String> {
        let lines = pages.iter().filter_map(|(path, page)| {
            let line = page.lines().find(|line| line.contains(canary))?;
            Some(format!("{path}: {line}"))
        });
        lines.collect()
    };
    assert!(shown.len() > 60, "{}", shown.len());
    assert!(singing(&whole, PERSON).len() > 10, "{whole:?}");
    assert_eq!(singing(&shown, PERSON), [""; 0]);
    for secret in [SECRET, SIGNING] {
        assert_eq!(singing(&whole, secret), [""; 0]);
        assert_eq!(singing(&shown, secret), [""; 0]);
    }
}
