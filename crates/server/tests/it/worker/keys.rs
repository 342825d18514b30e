//! Keys of workers, where everybody is asked who they are.

use std::process::Stdio;

use baton_testkit::eventually;
use serde_json::json;

use super::{TIMEOUT, Working};
use crate::{
    access::key,
    support::{Served, baton, run},
};

#[tokio::test]
async fn a_key_for_workers_is_enough_for_the_jobs_of_its_queues_and_for_no_others() {
    let folder = tempfile::tempdir().unwrap();
    let (_, asking) = key(
        folder.path(),
        "asking",
        "jobs:create jobs:read payloads:read",
        &[],
    );
    let (_, working) = key(folder.path(), "working", "worker", &["--queues", "mine"]);
    let served = Served::start_guarded(folder, &[]);
    let folder = served.folder.path();
    let ask = |words: &[&str]| {
        let who = ["--url", &served.url, "--key-file", &asking];
        run(folder, &[&who, words, &["--json"]].concat()).json()
    };
    let words = ["--kind", "mine", "--", "cat"];

    let _worker = Working::start_with(&served, &words, &[("BATON_KEY_FILE", &working)]);
    let payload = r#"{"image": 7}"#;
    let asked = ask(&["jobs", "enqueue", "mine", "--payload", payload]);
    let id = asked["id"].as_str().unwrap().to_owned();
    let done = async || ask(&["jobs", "show", &id])["job"]["state"] == "succeeded";
    eventually("the job is done", TIMEOUT, done).await;
    let other = baton(folder)
        .args([
            "--url",
            &served.url,
            "worker",
            "--kind",
            "other",
            "--",
            "cat",
        ])
        .env("BATON_KEY_FILE", &working)
        .stdout(Stdio::null())
        .output()
        .unwrap();

    let result = ask(&["jobs", "show", &id])["job"]["result"].clone();
    assert_eq!(result, json!({"image": 7}));
    let said = String::from_utf8_lossy(&other.stderr).into_owned();
    assert_eq!(other.status.code(), Some(6), "{said}");
    assert!(said.contains("other"), "{said}");
}
