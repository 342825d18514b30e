//! How a command ends, and what that says of its job.

use serde_json::json;

use super::{
    Working, enqueue, job, processes, served, until, until_gone, until_state, until_there,
};

#[tokio::test]
async fn the_exit_code_of_a_command_says_how_its_job_ended() {
    let served = served("30s");
    let exits = "read -r code; echo \"ended with $code\" >&2; exit $code";
    let _worker = Working::start(&served, &["--kind", "exits", "--exec", exits]);

    let [permanent, later, misconfigured, nothing, again] = [65, 75, 78, 99, 7]
        .map(|code| code.to_string())
        .map(|code| enqueue(&served, "exits", &["--payload", &code, "--backoff", "10m"]));

    let permanent = until_state(&served, &permanent, "failed").await;
    assert_eq!(permanent["reason"], "permanent");
    assert_eq!(permanent["last_error"]["code"], "exit_65");
    assert_eq!(permanent["last_error"]["message"], "ended with 65");
    let misconfigured = until_state(&served, &misconfigured, "failed").await;
    assert_eq!(misconfigured["reason"], "misconfigured");
    let nothing = until_state(&served, &nothing, "skipped").await;
    assert_eq!(nothing["reason"], "ended with 99");
    let later = until(&served, &later, "it is put off", |job| {
        job["state"] == "pending"
    })
    .await;
    assert_eq!(later["tries"], 0);
    let again = until_state(&served, &again, "retry_wait").await;
    assert_eq!(again["tries"], 1);
    assert_eq!(again["last_error"]["code"], "exit_7");
}

#[tokio::test]
async fn what_a_command_writes_is_the_result_of_its_job() {
    let served = served("30s");
    let _echo = Working::start(&served, &["--kind", "echo", "--", "cat"]);
    let _words = Working::start(&served, &["--kind", "words", "--", "echo", "no", "JSON"]);

    let echoed = enqueue(&served, "echo", &["--payload", r#"{"image": 7}"#]);
    let told = enqueue(&served, "words", &[]);

    let echoed = until_state(&served, &echoed, "succeeded").await;
    assert_eq!(echoed["result"], json!({"image": 7}));
    let told = until_state(&served, &told, "succeeded").await;
    assert_eq!(told["result"], json!({"stdout": "no JSON\n"}));
}

#[tokio::test]
async fn a_command_that_cannot_be_started_uses_no_try() {
    let served = served("30s");
    let worker = Working::start(&served, &["--kind", "typo", "--", "/no/such/program"]);

    let id = enqueue(&served, "typo", &[]);

    let seen = until(&served, &id, "it was put off twice", |job| {
        job["state"] == "pending" && job["attempt"].as_u64() >= Some(2)
    })
    .await;
    assert_eq!(seen["tries"], 0);
    assert!(worker.log().contains("/no/such/program cannot be started"));
}

#[tokio::test]
async fn a_command_that_somebody_else_has_killed_has_an_unknown_end() {
    let served = served("30s");
    let _worker = Working::start(&served, &["--kind", "killed", "--exec", "kill -9 $$"]);

    let id = enqueue(&served, "killed", &[]);

    let seen = until_state(&served, &id, "retry_wait").await;
    assert_eq!(seen["last_error"]["class"], "unknown");
    assert_eq!(seen["last_error"]["code"], "signal_9");
}

#[tokio::test]
async fn a_command_whose_time_is_over_is_killed_though_it_ignores_a_wish_to_end() {
    let served = served("30s");
    let stubborn = "trap '' TERM; sleep 4711.01; sleep 4711.01";
    let words = [
        "--kind",
        "stubborn",
        "--kill-after",
        "1s",
        "--exec",
        stubborn,
    ];
    let _worker = Working::start(&served, &words);

    let id = enqueue(&served, "stubborn", &["--timeout", "1s"]);

    let seen = until_state(&served, &id, "retry_wait").await;
    assert_eq!(seen["last_error"]["class"], "unknown");
    assert_eq!(seen["last_error"]["code"], "timeout");
    until_gone("4711.01").await;
}

#[tokio::test]
async fn a_job_that_is_canceled_stops_its_command() {
    let served = served("30s");
    let stubborn = "trap '' TERM; touch started; sleep 4711.02; sleep 4711.02";
    let words = ["--kind", "stop", "--kill-after", "1s", "--exec", stubborn];
    let _worker = Working::start(&served, &words);
    let id = enqueue(&served, "stop", &[]);
    until_there(&served.folder.path().join("started")).await;

    served.run(&["jobs", "cancel", &id]);

    until_state(&served, &id, "canceled").await;
    until_gone("4711.02").await;
}

#[tokio::test]
async fn what_a_command_told_its_worker_goes_before_its_exit_code() {
    let served = served("30s");
    let baton = env!("CARGO_BIN_EXE_baton");
    let tells = format!(
        "read -r what; case $what in \
         1) {baton} tell fail bad_image 'no pixels';; \
         2) {baton} tell skip 'nobody is there';; \
         3) {baton} tell retry-after 1h;; \
         esac; exit 7"
    );
    let _worker = Working::start(&served, &["--kind", "tells", "--exec", &tells]);

    let [fails, skips, waits] =
        ["1", "2", "3"].map(|what| enqueue(&served, "tells", &["--payload", what]));

    let fails = until_state(&served, &fails, "failed").await;
    assert_eq!(fails["last_error"]["code"], "bad_image");
    assert_eq!(fails["last_error"]["message"], "no pixels");
    let skips = until_state(&served, &skips, "skipped").await;
    assert_eq!(skips["reason"], "nobody is there");
    let waits = until(&served, &waits, "it is put off", |job| {
        job["state"] == "pending"
    })
    .await;
    assert_eq!(waits["tries"], 0);
}

#[tokio::test]
async fn a_command_of_a_worker_that_froze_past_its_lease_is_killed_and_its_job_runs_again() {
    let served = served("3s");
    let twice = "if mkdir once; then sleep 4711.03; fi";
    let frozen = Working::start(&served, &["--kind", "frozen", "--exec", twice]);
    let id = enqueue(&served, "frozen", &[]);
    until_there(&served.folder.path().join("once")).await;

    frozen.signal("STOP");
    until(&served, &id, "it was taken back", |job| job["losses"] == 1).await;
    assert_eq!(processes("4711.03"), 1, "a frozen worker kills nobody");
    frozen.signal("CONT");

    until_gone("4711.03").await;
    until_state(&served, &id, "succeeded").await;
    assert_eq!(job(&served, &id)["attempt"], 2);
}
