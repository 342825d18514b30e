//! What commands start, and what they write: nothing is left behind, and nothing grows.

use std::time::Duration;

use baton_domain::{Timestamp, access::KeyToken};
use baton_testkit::eventually;
use serde_json::json;

use super::{TIMEOUT, Working, enqueue, processes, served, until_gone, until_state};

#[tokio::test]
async fn whatever_a_command_has_started_ends_with_it() {
    let served = served("30s");
    let many = "for i in $(seq 40); do sleep 4712.01 & done; echo '\"done\"'";
    let _worker = Working::start(&served, &["--kind", "many", "--exec", many]);

    let id = enqueue(&served, "many", &[]);

    // Those that it has left hold its pipes, and hold nothing up.
    let seen = until_state(&served, &id, "succeeded").await;
    assert_eq!(seen["result"], json!("done"));
    until_gone("4712.01").await;
}

#[tokio::test]
async fn what_forks_without_end_is_gone_with_its_command_whether_that_ends_or_runs_out_of_time() {
    let served = served("30s");
    // Twenty at a time, each of which starts the next and ends; all have the last word of the command. They live long enough to be seen.
    let forking = |then: &str, word: &str| {
        format!("sh -c 'f() {{ sleep 0.3; f & }}; for i in $(seq 20); do f & done; {then}' {word}")
    };
    let ends = forking("sleep 5; echo 1", "4712.03");
    let stays = forking("sleep 3600", "4712.04");
    let _ending = Working::start(&served, &["--kind", "ends", "--exec", &ends]);
    let _staying = Working::start(&served, &["--kind", "stays", "--exec", &stays]);

    let ended = enqueue(&served, "ends", &[]);
    eventually("they fork", TIMEOUT, async || processes("4712.03") > 10).await;
    let limits = ["--timeout", "1s", "--max-attempts", "1"];
    let stayed = enqueue(&served, "stays", &limits);
    eventually("they fork", TIMEOUT, async || processes("4712.04") > 10).await;

    until_state(&served, &ended, "succeeded").await;
    until_gone("4712.03").await;
    until_state(&served, &stayed, "failed").await;
    until_gone("4712.04").await;
}

#[tokio::test]
async fn when_a_worker_is_killed_so_is_all_that_its_commands_have_started_and_its_jobs_run_again() {
    let served = served("2s");
    let family = "if mkdir once; then sleep 4712.02 & sleep 4712.02; fi";
    let worker = Working::start(&served, &["--kind", "family", "--exec", family]);
    let id = enqueue(&served, "family", &[]);
    eventually("both run", TIMEOUT, async || processes("4712.02") == 2).await;

    worker.kill();
    let gone = eventually("none is left", Duration::from_secs(5), async || {
        processes("4712.02") == 0
    });
    gone.await;
    let _next = Working::start(&served, &["--kind", "family", "--exec", family]);

    let seen = until_state(&served, &id, "succeeded").await;
    assert_eq!(seen["attempt"], 2);
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_gigabyte_of_output_takes_no_memory() {
    let served = served("30s");
    let floods = "head -c 1000000000 /dev/zero; head -c 1000000000 /dev/zero >&2; echo the end";
    let words = ["--kind", "floods", "--exec", floods];
    let worker = Working::start(&served, &words);
    let before = peak_memory(worker.child.id());

    let id = enqueue(&served, "floods", &["--timeout", "5m"]);

    let seen = until_state(&served, &id, "succeeded").await;
    let end = seen["result"]["stdout"].as_str().unwrap();
    assert!(end.ends_with("the end\n") && end.len() < 5_000);
    let grown = peak_memory(worker.child.id()) - before;
    assert!(grown < 64 * 1024, "{grown} KiB more");
}

/// The most memory that a process ever had, in KiB.
#[cfg(target_os = "linux")]
fn peak_memory(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let peak = status.lines().find(|line| line.starts_with("VmHWM"));
    let peak = peak.unwrap().split_whitespace().nth(1).unwrap();
    peak.parse().unwrap()
}

#[tokio::test]
async fn no_command_is_given_the_key_of_its_worker() {
    let served = served("30s");
    let shows = "env | grep -c '^BATON_KEY' ; exit 0";
    let key = KeyToken::draw(Timestamp::from_micros(0)).reveal();
    let words = ["--kind", "shows", "--exec", shows];
    let _worker = Working::start_with(&served, &words, &[("BATON_KEY", &key)]);

    let id = enqueue(&served, "shows", &[]);

    let seen = until_state(&served, &id, "succeeded").await;
    assert_eq!(seen["result"], 0);
}
