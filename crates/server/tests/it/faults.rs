//! The fault lab as a command: a short run, its history judged again, and a history that was tampered with.

use serde_json::{Value, json};

use crate::support::run;

/// Some of everything, in seconds.
const SHORT: [&str; 22] = [
    "faults",
    "--for",
    "4s",
    "--lease",
    "2s",
    "--rate",
    "60",
    "--nodes",
    "api=1,engine=1,worker=2",
    "--kills",
    "5",
    "--cuts",
    "20",
    "--redis-kills",
    "2",
    "--at-most",
    "60s",
    "--recipients",
    "300",
    "--history",
    "history.json",
    "--json",
];

#[test]
fn a_run_names_what_it_hurt_and_its_history_can_be_judged_again() {
    let folder = tempfile::tempdir().unwrap();

    let ran = run(folder.path(), &SHORT);
    let again = run(
        folder.path(),
        &["faults", "--judge", "history.json", "--json"],
    );

    assert_eq!(ran.code(), 0, "{}{}", ran.out(), ran.err());
    let report = ran.json();
    assert_all_was_hurt_and_all_held(&report);
    assert_eq!(again.code(), 0, "{}", again.err());
    assert_eq!(again.json(), report);

    let mut history: Value = read(&folder.path().join("history.json"));
    let lost = lose_one(&mut history["history"]);
    let forged = folder.path().join("forged.json");
    std::fs::write(&forged, history.to_string()).unwrap();
    let forged = run(folder.path(), &["faults", "--judge", "forged.json"]);

    assert_eq!(forged.code(), 1, "{}", forged.err());
    let said = forged.out();
    assert!(said.contains("I1: ") && said.contains(&lost), "{said}");
}

fn assert_all_was_hurt_and_all_held(report: &Value) {
    assert_eq!(report["violations"], json!([]));
    assert_eq!(report["lost"], json!([]));
    assert_eq!(report["stale_results_accepted"], 0);
    assert_eq!(report["missed"], json!({}));
    assert!(report["counts"]["kills"].as_u64().unwrap() >= 5, "{report}");
    assert!(report["counts"]["cuts"].as_u64().unwrap() >= 20, "{report}");
    assert!(
        report["counts"]["redis_kills"].as_u64().unwrap() >= 2,
        "{report}"
    );
    assert!(report["jobs"].as_u64().unwrap() > 100, "{report}");
    let campaigns = &report["campaigns"];
    assert!(campaigns["campaigns"].as_u64().unwrap() >= 2, "{report}");
    assert!(campaigns["states"]["succeeded"].as_u64().unwrap() >= 285);
    assert!(campaigns["looks"].as_u64().unwrap() > 10, "{report}");
}

/// Takes the job of some accepted request away; a delivery of a campaign was asked for by nobody.
fn lose_one(history: &mut Value) -> String {
    let requests = history["requests"].as_array().unwrap();
    let accepted = |one: &Value| one["answer"]["ok"]["id"].as_str().map(str::to_owned);
    let lost = requests.iter().find_map(accepted).unwrap();
    let jobs = history["jobs"].as_array_mut().unwrap();
    jobs.retain(|job| job["id"] != *lost);
    lost
}

#[test]
fn a_server_on_a_file_is_killed_all_over_the_way_of_a_campaign() {
    let folder = tempfile::tempdir().unwrap();
    let words = [
        "faults",
        "--store",
        "sqlite",
        "--only",
        "kill-campaign",
        "--kills",
        "3",
        "--for",
        "1s",
        "--lease",
        "2s",
        "--campaigns",
        "1",
        "--recipients",
        "1000",
        "--rate",
        "10",
        "--history",
        "history.json",
        "--json",
    ];

    let ran = run(folder.path(), &words);

    assert_eq!(ran.code(), 0, "{}{}", ran.out(), ran.err());
    let report = ran.json();
    assert_eq!(report["violations"], json!([]));
    assert!(report["counts"]["kills"].as_u64().unwrap() >= 3, "{report}");
    assert!(report["campaigns"]["states"]["succeeded"].as_u64().unwrap() >= 900);
    assert_eq!(report["scenarios"].as_object().unwrap().len(), 1);

    let mut history: Value = read(&folder.path().join("history.json"));
    let jobs = history["history"]["jobs"].as_array_mut().unwrap();
    let is_delivery = |job: &Value| job["campaign_id"].is_string();
    let delivery = jobs.iter().position(is_delivery).unwrap();
    let lost = jobs.remove(delivery);
    let forged = folder.path().join("forged.json");
    std::fs::write(&forged, history.to_string()).unwrap();
    let forged = run(folder.path(), &["faults", "--judge", "forged.json"]);

    let recipient = lost["recipient_id"].as_str().unwrap();
    assert_eq!(forged.code(), 1, "{}", forged.err());
    let said = forged.out();
    assert!(said.contains("I15: ") && said.contains(recipient), "{said}");
}

/// Nothing but steps of clocks, on this store.
fn step_clocks(store: &str) -> Value {
    let folder = tempfile::tempdir().unwrap();
    let words = [
        "faults",
        "--store",
        store,
        "--only",
        "step-clock",
        "--clock-steps",
        "4",
        "--for",
        "1s",
        "--rate",
        "30",
        "--recipients",
        "100",
        "--at-most",
        "120s",
        "--json",
    ];

    let ran = run(folder.path(), &words);

    assert_eq!(ran.code(), 0, "{store}: {}{}", ran.out(), ran.err());
    ran.json()
}

#[test]
fn no_lease_is_lost_and_all_comes_to_rest_when_only_clocks_are_stepped() {
    for store in ["postgres", "mysql", "sqlite"] {
        let report = step_clocks(store);

        let steps = report["counts"]["clock_steps"].as_u64().unwrap();
        assert!(steps >= 4, "{store}: {report}");
        assert_eq!(report["violations"], json!([]), "{store}");
        assert_eq!(report["leases_of_living_workers_lost"], 0, "{store}");
        assert_eq!(report["rescued"], 0, "{store}");
        assert_eq!(report["not_played"], json!([]), "{store}");
    }
}

#[test]
fn a_primary_that_is_killed_is_followed_by_another_and_nothing_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let words = [
        "faults",
        "--store",
        "patroni",
        "--only",
        "fail-over",
        "--failovers",
        "1",
        "--for",
        "1s",
        "--lease",
        "2s",
        "--rate",
        "40",
        "--nodes",
        "api=1,engine=1,worker=1",
        "--campaigns",
        "0",
        "--history",
        "history.json",
        "--json",
    ];

    let ran = run(folder.path(), &words);

    assert_eq!(ran.code(), 0, "{}{}", ran.out(), ran.err());
    let report = ran.json();
    assert_eq!(report["violations"], json!([]));
    assert_eq!(report["lost"], json!([]));
    let cost = &report["costs"]["fail over"];
    assert!(cost["first_job_accepted"]["worst_ms"].as_u64().unwrap() <= 5_000);
    assert!(cost["first_job_after"]["worst_ms"].as_u64().unwrap() <= 5_000);

    let mut history: Value = read(&folder.path().join("history.json"));
    history["history"]["rules"]["service_us"] = json!(1);
    let forged = folder.path().join("forged.json");
    std::fs::write(&forged, history.to_string()).unwrap();
    let forged = run(folder.path(), &["faults", "--judge", "forged.json"]);

    assert_eq!(forged.code(), 1, "{}", forged.err());
    assert!(forged.out().contains("I27: "), "{}", forged.out());
}

#[test]
fn remote_workers_of_all_ways_are_killed_and_each_item_of_a_walk_is_done_once() {
    let folder = tempfile::tempdir().unwrap();
    let words = [
        "faults",
        "--store",
        "sqlite",
        "--only",
        "kill-remote",
        "--remote-kills",
        "6",
        "--for",
        "1s",
        "--lease",
        "2s",
        "--rate",
        "20",
        "--nodes",
        "all=1,remote=1,remote-exec=1,remote-http=1",
        "--campaigns",
        "0",
        "--walk-items",
        "1000",
        "--at-most",
        "120s",
        "--history",
        "history.json",
        "--json",
    ];

    let ran = run(folder.path(), &words);

    assert_eq!(ran.code(), 0, "{}{}", ran.out(), ran.err());
    assert_eq!(ran.json()["violations"], json!([]));
    let history = read(&folder.path().join("history.json"));
    let walks = &history["history"]["walks"];
    assert!(!walks["asked"].as_array().unwrap().is_empty());
    let sights = walks["sights"].as_array().unwrap();
    for node in ["remote-1.", "remote-exec-1.", "remote-http-1."] {
        let is_of = |sight: &&Value| sight["worker"].as_str().unwrap().starts_with(node);
        assert!(sights.iter().any(|sight| is_of(&sight)), "{node}");
    }
}

#[test]
fn what_cannot_be_played_is_refused_before_anything_is_started() {
    let folder = tempfile::tempdir().unwrap();
    for (words, said) in [
        (
            &["--only", "wipe-redis", "--without", "redis"][..],
            "none of the scenarios",
        ),
        (&["--nodes", "api=2"], "no server has the role engine"),
        (&["--database", "postgres://localhost/jobs"], "--yes-wipe"),
        (
            &["--database", "sqlite://x.db", "--yes-wipe"],
            "not the address of a PostgreSQL or MySQL",
        ),
        (&["--judge", "nothing.json"], "nothing.json cannot be read"),
        (&["--only", "kill-worker", "--cuts", "5"], "connections cut"),
        (
            &["--only", "kill-worker", "--clock-steps", "1"],
            "clock steps",
        ),
        (
            &["--only", "kill-campaign", "--campaigns", "0"],
            "none of the scenarios",
        ),
        (
            &["--store", "sqlite", "--nodes", "all=2"],
            "on SQLite there is one server",
        ),
        (
            &["--store", "sqlite", "--nodes", "all=1,remote-sdk=1"],
            "has no program",
        ),
        (
            &["--store", "sqlite", "--only", "kill-database"],
            "none of the scenarios",
        ),
        (&["--only", "fail-over"], "none of the scenarios"),
        (&["--failovers", "1"], "failovers of PostgreSQL"),
        (
            &["--store", "patroni", "--only", "kill-database"],
            "none of the scenarios",
        ),
    ] {
        let ran = run(folder.path(), &[&["faults"], words].concat());

        assert_eq!(ran.code(), 2, "{words:?}: {}", ran.err());
        assert!(ran.err().contains(said), "{words:?}: {}", ran.err());
    }
}

fn read(path: &std::path::Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}
