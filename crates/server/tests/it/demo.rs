//! The demonstration is the acceptance test.

use std::{
    io::{BufRead, BufReader, Read},
    process::Stdio,
};

use crate::support::{baton, run};

#[test]
fn the_demonstration_kills_its_server_and_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();

    let ran = run(
        folder.path(),
        &["demo", "--jobs", "500", "--recipients", "2000", "--json"],
    );

    assert_eq!(ran.code(), 0, "{}{}", ran.out(), ran.err());
    let summary = ran.json();
    assert_eq!(summary["accepted"], 500);
    assert_eq!(summary["disagreements"], serde_json::json!([]));
    assert_eq!(summary["lost"], serde_json::json!([]));
    assert!(summary["rescued"].as_u64().unwrap() > 0, "{summary}");
    assert_eq!(summary["campaign"]["audience"], 2_000);
    assert_eq!(summary["campaign"]["counts"]["succeeded"], 1_900);
    assert!(ran.err().contains("SIGKILL"), "{}", ran.err());
}

#[test]
fn a_server_that_is_kept_answers_until_it_is_told_to_stop() {
    let folder = tempfile::tempdir().unwrap();
    let words = [
        "demo",
        "--jobs",
        "60",
        "--recipients",
        "0",
        "--keep",
        "--quiet",
    ];
    let mut demo = baton(folder.path())
        .args(words)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut out = BufReader::new(demo.stdout.take().unwrap());
    let kept = out.by_ref().lines().map(Result::unwrap).find_map(|line| {
        let url = line.strip_prefix("The server stays up: ")?;
        url.strip_suffix("/admin").map(str::to_owned)
    });
    let url = kept.unwrap();

    let listed = run(folder.path(), &["--url", &url, "jobs", "list", "--all"]);
    baton_testkit::signal(demo.id(), "TERM");
    let status = demo.wait().unwrap();
    let gone = run(folder.path(), &["--url", &url, "jobs", "list"]);

    assert_eq!(listed.out().lines().count(), 60);
    assert!(status.success(), "{status}");
    assert_eq!(gone.code(), 7);
}
