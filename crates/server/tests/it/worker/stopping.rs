//! How a worker ends: told to, by itself, or because it is not wanted.

use std::{
    net::{TcpListener, TcpStream},
    process::Stdio,
    sync::mpsc,
};

use baton_testkit::eventually;

use super::{TIMEOUT, Working, enqueue, job, served, until_state, until_there, ways::service};
use crate::support::{baton, run};

/// Ways in which jobs are done, by the words behind a worker's others.
const PROCESSES: &[&str] = &["--", "true"];
const LINES: &[&str] = &[
    "--lines",
    "--",
    "sh",
    "-c",
    "while read -r line; do echo '{\"verdict\": \"accepted\"}'; done",
];

#[tokio::test]
async fn a_worker_that_is_told_to_stop_finishes_what_runs_and_claims_nothing_more() {
    let served = served("30s");
    let waits = "touch started; while [ ! -e go ]; do sleep 0.05; done";
    let words = ["--kind", "waits", "--slots", "1", "--exec", waits];
    let mut worker = Working::start(&served, &words);
    let runs = enqueue(&served, "waits", &[]);
    until_there(&served.folder.path().join("started")).await;
    let stands = enqueue(&served, "waits", &[]);

    worker.signal("TERM");
    eventually("it drains", TIMEOUT, async || {
        served.run(&["workers"]).out().contains("draining")
    })
    .await;
    std::fs::write(served.folder.path().join("go"), "").unwrap();

    assert!(worker.ended().await.success(), "{}", worker.log());
    assert_eq!(job(&served, &runs)["state"], "succeeded");
    assert_eq!(job(&served, &stands)["state"], "queued");
    assert!(served.run(&["workers"]).out().contains("left"));
}

#[tokio::test]
async fn what_does_not_end_within_the_grace_period_is_ended_and_its_end_unknown() {
    let served = served("30s");
    let stubborn = "trap '' TERM; touch started; sleep 4713.01; sleep 4713.01";
    let words = [
        "--kind",
        "late",
        "--grace",
        "1s",
        "--kill-after",
        "1s",
        "--exec",
        stubborn,
    ];
    let mut worker = Working::start(&served, &words);
    let id = enqueue(&served, "late", &[]);
    until_there(&served.folder.path().join("started")).await;

    worker.signal("TERM");

    assert!(worker.ended().await.success(), "{}", worker.log());
    let seen = until_state(&served, &id, "retry_wait").await;
    assert_eq!(seen["last_error"]["code"], "shutdown");
    super::until_gone("4713.01").await;
}

#[tokio::test]
async fn a_process_that_goes_on_after_its_time_has_its_slot_until_it_is_killed() {
    let alone =
        "if [ -e process ] && kill -0 $(cat process); then touch beside; fi; echo $$ >process";
    let stubborn = format!(
        "{alone}; [ -e told ] && exit; touch told; trap '' TERM; sleep 4714.01; sleep 4714.01"
    );
    has_its_slot_until_it_is_killed(&["--exec", &stubborn]).await;
}

#[tokio::test]
async fn a_process_of_lines_that_goes_on_after_its_time_has_its_slot_until_it_is_killed() {
    let alone =
        "if [ -e process ] && kill -0 $(cat process); then touch beside; fi; echo $$ >process";
    let accepts = "echo '{\"verdict\": \"accepted\"}'";
    let stubborn = format!(
        "while read -r line; do {alone}; if [ -e told ]; then {accepts}; continue; fi; touch told; trap '' TERM; sleep 4714.02; sleep 4714.02; done"
    );
    has_its_slot_until_it_is_killed(&["--lines", "--", "sh", "-c", &stubborn]).await;
}

/// The first job of such a worker ignores its time-out, and the second is not begun beside it.
async fn has_its_slot_until_it_is_killed(way: &[&str]) {
    let served = served("30s");
    let one = ["--kind", "late", "--slots", "1", "--kill-after", "3s"];
    let _worker = Working::start(&served, &[&one, way].concat());
    let late = enqueue(&served, "late", &["--timeout", "1s", "--max-attempts", "1"]);
    until_there(&served.folder.path().join("told")).await;

    let next = enqueue(&served, "late", &[]);

    let seen = until_state(&served, &late, "failed").await;
    assert_eq!(seen["last_error"]["code"], "timeout");
    until_state(&served, &next, "succeeded").await;
    assert!(!served.folder.path().join("beside").exists());
}

#[tokio::test]
async fn a_service_that_does_not_answer_within_the_grace_period_is_not_waited_for() {
    let served = served("30s");
    let (url, posted) = silent_service();
    let words = [
        "--kind",
        "late",
        "--grace",
        "1s",
        "--kill-after",
        "1h",
        "--http",
        &url,
    ];
    let mut worker = Working::start(&served, &words);
    let id = enqueue(&served, "late", &[]);
    let _open = posted.recv_timeout(TIMEOUT).unwrap();

    worker.signal("TERM");

    assert!(worker.ended().await.success(), "{}", worker.log());
    let seen = until_state(&served, &id, "retry_wait").await;
    assert_eq!(seen["last_error"]["code"], "shutdown");
}

/// A service that takes what it is sent and never answers; it hands over the lines that it holds.
fn silent_service() -> (String, mpsc::Receiver<TcpStream>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/work", listener.local_addr().unwrap());
    let (told, posted) = mpsc::channel();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let _ = told.send(stream.unwrap());
        }
    });
    (url, posted)
}

#[tokio::test]
async fn a_worker_that_is_told_twice_leaves_at_once() {
    let served = served("30s");
    let words = ["--kind", "twice", "--exec", "touch started; sleep 4713.02"];
    let mut worker = Working::start(&served, &words);
    enqueue(&served, "twice", &[]);
    until_there(&served.folder.path().join("started")).await;

    worker.signal("TERM");
    eventually("it drains", TIMEOUT, async || {
        served.run(&["workers"]).out().contains("draining")
    })
    .await;
    worker.signal("TERM");

    assert_eq!(worker.ended().await.code(), Some(130));
    super::until_gone("4713.02").await;
}

#[tokio::test]
async fn a_worker_can_end_after_so_many_jobs() {
    ends_after_two_jobs(PROCESSES).await;
}

#[tokio::test]
async fn a_worker_whose_processes_go_on_can_end_after_so_many_jobs() {
    ends_after_two_jobs(LINES).await;
}

#[tokio::test]
async fn a_worker_that_posts_its_jobs_can_end_after_so_many() {
    let (url, _asked) = service();
    ends_after_two_jobs(&["--http", &url]).await;
}

async fn ends_after_two_jobs(way: &[&str]) {
    let served = served("30s");
    let ids: Vec<_> = (0..3).map(|_| enqueue(&served, "some", &[])).collect();

    let words = [&["--kind", "some", "--once", "2"], way].concat();
    let mut worker = Working::start(&served, &words);

    assert!(worker.ended().await.success(), "{}", worker.log());
    let states = ids.iter().map(|id| job(&served, id)["state"].clone());
    let done = states.filter(|state| state == "succeeded").count();
    assert_eq!(done, 2);
}

#[tokio::test]
async fn a_worker_can_end_when_nothing_is_left_to_do() {
    ends_when_all_is_done(PROCESSES).await;
}

#[tokio::test]
async fn a_worker_whose_processes_go_on_can_end_when_nothing_is_left_to_do() {
    ends_when_all_is_done(LINES).await;
}

#[tokio::test]
async fn a_worker_that_posts_its_jobs_can_end_when_nothing_is_left_to_do() {
    let (url, _asked) = service();
    ends_when_all_is_done(&["--http", &url]).await;
}

async fn ends_when_all_is_done(way: &[&str]) {
    let served = served("30s");
    let ids: Vec<_> = (0..9).map(|_| enqueue(&served, "all", &[])).collect();

    let words = [&["--kind", "all", "--until-empty"], way].concat();
    let mut worker = Working::start(&served, &words);

    assert!(worker.ended().await.success(), "{}", worker.log());
    for id in ids {
        assert_eq!(job(&served, &id)["state"], "succeeded");
    }
}

#[tokio::test]
async fn a_worker_that_may_not_work_here_says_so_and_ends() {
    let served = crate::support::Served::start_guarded(tempfile::tempdir().unwrap(), &[]);

    let refused = baton(served.folder.path())
        .args([
            "--url",
            &served.url,
            "worker",
            "--kind",
            "any",
            "--",
            "true",
        ])
        .stdout(Stdio::piped())
        .output()
        .unwrap();

    assert_eq!(refused.status.code(), Some(6));
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(said.contains("--key-file"), "{said}");
}

#[tokio::test]
async fn a_worker_outlives_its_server() {
    let first = served("30s");
    let url = first.url.clone();
    let address = url.strip_prefix("http://").unwrap().to_owned();
    let _worker = Working::start(&first, &["--kind", "again", "--", "true"]);
    let id = enqueue(&first, "again", &[]);
    until_state(&first, &id, "succeeded").await;

    first.signal("TERM");
    let (_, _, folder) = first.ended();
    let mut second = baton(folder.path())
        .args(["serve", "--dev", "--listen", &address])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let words = ["--url", &url, "jobs", "enqueue", "again", "--json"];
    let mut id = String::new();
    eventually("the server is back", TIMEOUT, async || {
        let enqueued = run(folder.path(), &words);
        let is_back = enqueued.code() == 0;
        if is_back {
            id = enqueued.json()["id"].as_str().unwrap().to_owned();
        }
        is_back
    })
    .await;

    eventually("its job is done", TIMEOUT, async || {
        let shown = run(
            folder.path(),
            &["--url", &url, "jobs", "show", &id, "--json"],
        );
        shown.code() == 0 && shown.json()["job"]["state"] == "succeeded"
    })
    .await;
    second.kill().unwrap();
    second.wait().unwrap();
}
