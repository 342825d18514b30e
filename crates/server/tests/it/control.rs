//! The commands that speak to a server, and what they end with.

use crate::support::Served;

#[test]
fn a_job_that_succeeds_is_awaited_with_code_0_and_one_that_does_not_with_10() {
    let served = Served::start(&[]);

    let good = served.run(&["jobs", "enqueue", "simulate", "--wait", "20s"]);
    let bad = served.run(&[
        "jobs",
        "enqueue",
        "simulate",
        "--wait",
        "20s",
        "--payload",
        r#"{"error": "permanent"}"#,
    ]);

    assert_eq!(
        (good.code(), bad.code()),
        (0, 10),
        "{}{}",
        good.err(),
        bad.err()
    );
    assert!(good.out().contains("succeeded after"), "{}", good.out());
    assert!(bad.out().contains("failed (permanent)"), "{}", bad.out());
}

#[test]
fn a_job_is_shown_with_all_that_was_asked_of_it() {
    let served = Served::start(&[]);
    let job = served.run(&[
        "jobs",
        "enqueue",
        "simulate",
        "--delay",
        "1h",
        "--backoff",
        "7s",
        "--delivery",
        "at_most_once",
        "--tag",
        "red",
        "--tag",
        "blue",
        "--expires-at",
        "2100-01-01T00:00:00Z",
        "--json",
    ]);

    let shown = served.run(&["jobs", "show", job.json()["id"].as_str().unwrap()]);

    for words in [
        "backoff   exponential from 7s up to 15m, full jitter",
        "delivery  at_most_once",
        "tags      red, blue",
        "expires   2100-01-01T00:00:00.000000Z",
    ] {
        assert!(shown.out().contains(words), "{}", shown.out());
    }
}

#[test]
fn a_wait_that_is_too_long_ends_with_124() {
    let served = Served::start(&[]);

    let ran = served.run(&[
        "jobs", "enqueue", "simulate", "--delay", "1h", "--wait", "200ms",
    ]);

    assert_eq!(ran.code(), 124, "{}", ran.err());
}

#[test]
fn what_is_missing_in_the_way_or_wrong_has_its_own_code() {
    let served = Served::start(&[]);
    let id = "job_0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b";
    let done = served
        .run(&["jobs", "enqueue", "simulate", "--wait", "20s", "--json"])
        .json();
    let done = done["id"].as_str().unwrap();

    let missing = served.run(&["jobs", "show", id]);
    let in_the_way = served.run(&["jobs", "cancel", done]);
    let wrong = served.run(&["jobs", "enqueue", "simulate", "--priority", "101"]);
    let no_words = served.run(&["jobs", "enqueue"]);

    let codes = [missing, in_the_way, wrong, no_words].map(|ran| ran.code());
    assert_eq!(codes, [3, 5, 6, 2]);
}

#[test]
fn a_key_means_one_job_and_other_content_is_a_conflict() {
    let served = Served::start(&[]);
    let enqueue = |queue| {
        let words = [
            "jobs", "enqueue", "simulate", "--key", "k", "--json", "--queue", queue,
        ];
        served.run(&words)
    };

    let (first, again, other) = (enqueue("a"), enqueue("a"), enqueue("b"));

    assert_eq!(first.json()["id"], again.json()["id"]);
    assert_eq!((again.code(), other.code()), (0, 5));
}

#[test]
fn a_paused_queue_holds_its_jobs_until_it_is_resumed() {
    let served = Served::start(&[]);
    served.run(&["queues", "pause", "q"]);
    let id = served
        .run(&["jobs", "enqueue", "simulate", "--queue", "q", "--json"])
        .json();
    let id = id["id"].as_str().unwrap();

    let held = served.run(&["jobs", "watch", id, "--timeout", "300ms"]);
    let listed = served.run(&["jobs", "list", "--queue", "q", "--state", "queued"]);
    served.run(&["queues", "resume", "q"]);
    let ran = served.run(&["jobs", "watch", id, "--timeout", "20s"]);

    assert_eq!((held.code(), ran.code()), (124, 0), "{}", ran.err());
    assert!(listed.out().contains(id), "{}", listed.out());
}

#[test]
fn dead_letters_are_listed_by_cause_and_run_again_together() {
    let served = Served::start(&[]);
    for _ in 0..3 {
        let payload = r#"{"error": "permanent", "fail_times": 1}"#;
        let words = [
            "jobs",
            "enqueue",
            "simulate",
            "--wait",
            "20s",
            "--payload",
            payload,
        ];
        assert_eq!(served.run(&words).code(), 10);
    }

    let listed = served.run(&["dead-letters", "list", "--json"]).json();
    let nothing_said = served.run(&["dead-letters", "retry"]);
    let retried = served.run(&["dead-letters", "retry", "--kind", "simulate", "--json"]);

    assert_eq!(listed["count"], 3);
    assert_eq!(nothing_said.code(), 2);
    assert_eq!(retried.json()["done"], 3, "{}", retried.err());
}

#[test]
fn what_is_done_to_many_is_listed_watched_and_stopped_by_its_id() {
    let served = Served::start(&[]);
    let all = ["dead-letters", "retry", "--all", "--no-wait", "--json"];
    let begun = served.run(&all).json();
    let id = begun["id"].as_str().unwrap();

    let watched = served.run(&["operations", "watch", id, "--json"]).json();
    let listed = served.run(&["operations", "list"]);
    let stopped = served.run(&["operations", "stop", id]);
    let unknown = served.run(&[
        "operations",
        "show",
        "op_0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b",
    ]);

    assert_eq!(watched["state"], "done");
    assert!(listed.out().contains(id), "{}", listed.out());
    // One that has ended stays as it is.
    assert_eq!(
        stopped.out(),
        format!("{id}  retry  0 matched, 0 changed, 0 already gone\n")
    );
    assert_eq!(unknown.code(), 3, "{}", unknown.err());
}

#[test]
fn the_feed_is_told_from_its_start_in_order() {
    let served = Served::start(&[]);
    let words = ["jobs", "enqueue", "simulate", "--wait", "20s", "--json"];
    let id = served.run(&words).json()["id"].as_str().unwrap().to_owned();

    let words = [
        "events",
        "tail",
        "--after",
        "start",
        "--no-follow",
        "--json",
        "--subject",
        &id,
    ];
    let told = served.run(&words).out();

    let kinds: Vec<String> = told
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap())
        .map(|event| event["type"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(kinds, ["job.queued", "job.running", "job.succeeded"]);
}

#[test]
fn an_error_is_json_where_json_is_asked_for() {
    let served = Served::start(&[]);

    let ran = served.run(&["jobs", "enqueue", "no-such-kind!", "--json"]);

    let error: serde_json::Value = serde_json::from_str(&ran.err()).unwrap();
    assert_eq!(error["error"]["exit_code"], 6);
    assert_eq!(error["error"]["problem"]["code"], "invalid");
    assert_eq!(ran.out(), "");
}
