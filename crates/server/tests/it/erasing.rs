//! A person is erased by a server that is killed while it does.

mod killed;

use std::{fs, time::Duration};

use baton_lab::target::{Options, Target};
use baton_testkit::{Redis, eventually};

use crate::support::Served;

const TIMEOUT: Duration = Duration::from_secs(30);
/// What stands in everything that is theirs.
const TRACE: &str = "canary";

/// What the commands show, of which nothing may name somebody who was erased.
const SHOWN: [&[&str]; 5] = [
    &["jobs", "list", "--all", "--json"],
    &["recipients", "list", "--json"],
    &["campaigns", "list", "--json"],
    &["dead-letters", "list", "--json"],
    &[
        "events",
        "tail",
        "--after",
        "start",
        "--no-follow",
        "--json",
    ],
];

fn put(served: &Served, id: &str) {
    let address = format!("push=token-of-{id}");
    let words = [
        "recipients",
        "put",
        id,
        "--platform",
        "ios",
        "--address",
        &address,
    ];
    assert_eq!(served.run(&words).code(), 0);
}

/// Tells them something, and waits until the provider has it.
async fn tell(served: &Served, id: &str) {
    tell_by(served, id, "log", "succeeded").await;
}

/// Tells them something by a provider, and waits until that has come to this end.
async fn tell_by(served: &Served, id: &str, provider: &str, state: &str) {
    let words = [
        "notify",
        id,
        "--provider",
        provider,
        "--title",
        "To {{addresses.push}}",
        "--body",
        "Dear {{id}}",
        "--json",
    ];
    let told = served.run(&words).json();
    let job = told["items"][0]["job_id"].as_str().unwrap();
    eventually("the job has ended", TIMEOUT, async || {
        served.run(&["jobs", "show", job, "--json"]).json()["job"]["state"] == state
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_erasure_that_was_answered_comes_to_its_end_whoever_is_killed() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(
        folder.path().join("baton.toml"),
        "[providers.log]\nkind = \"log\"\n",
    )
    .unwrap();
    let people = ["canary-1", "canary-2", "canary-3"];
    let mut served = Served::start_in(folder, &[]);
    for id in people {
        put(&served, id);
        tell(&served, id).await;
    }

    for id in people {
        let begun = served.run(&["recipients", "delete", id, "--erase", "--no-wait"]);
        assert_eq!(begun.code(), 0, "{}", begun.err());
        served.signal("KILL");
        let (_, _, folder) = served.ended();
        served = Served::start_in(folder, &[]);
    }
    let last = served.run(&["recipients", "delete", "canary-4", "--erase"]);

    assert!(last.out().contains("erase  0 changed"), "{}", last.out());
    for words in SHOWN {
        let shown = served.run(words);
        assert!(!shown.out().contains(TRACE), "{words:?}: {}", shown.out());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn logs_name_no_recipient_and_no_address() {
    let gateway = Target::start(Options::default()).await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = format!(
        "[log]\nlevel = \"debug\"\n[providers.log]\nkind = \"log\"\n[providers.push]\nkind = \"http\"\nurl = \"{}\"\n",
        gateway.url("/status/500")
    );
    fs::write(folder.path().join("baton.toml"), file).unwrap();
    let served = Served::start_in(folder, &[]);
    put(&served, "canary-1");

    for provider in ["log", "push"] {
        let words = [
            "notify",
            "canary-1",
            "--provider",
            provider,
            "--title",
            "To {{addresses.push}}",
            "--body",
            "b",
        ];
        assert_eq!(served.run(&words).code(), 0);
    }
    served.run(&["recipients", "show", "canary-1"]);
    served.run(&["recipients", "inbox", "canary-1"]);
    eventually("the gateway was called", TIMEOUT, async || {
        gateway.total() > 0
    })
    .await;
    served.run(&["recipients", "delete", "canary-1", "--erase"]);

    let log = served.log();
    assert!(log.contains("a message is told to the log"), "{log}");
    assert!(log.contains("/v1/recipients/{id}"), "{log}");
    assert!(!log.contains(TRACE), "{log}");
}

#[tokio::test(flavor = "multi_thread")]
async fn redis_is_told_of_jobs_and_of_nobody() {
    let mut redis = Redis::start_with(&["rdbcompression=no"]);
    let folder = tempfile::tempdir().unwrap();
    fs::write(
        folder.path().join("baton.toml"),
        "[providers.log]\nkind = \"log\"\n",
    )
    .unwrap();
    let url = redis.url();
    let served = Served::start_in(folder, &["--redis", &url]);
    put(&served, "canary-1");
    tell(&served, "canary-1").await;
    served.run(&["queues", "pause", "notifications"]);
    let words = [
        "notify",
        "canary-1",
        "--title",
        "To {{addresses.push}}",
        "--body",
        "b",
    ];
    assert_eq!(served.run(&words).code(), 0);

    let dump = fs::read(redis.dump()).unwrap();

    let holds = |word: &str| {
        dump.windows(word.len())
            .any(|window| window == word.as_bytes())
    };
    assert!(holds("baton"), "it keeps something of ours");
    assert!(!holds(TRACE));
}
