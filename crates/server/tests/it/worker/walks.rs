//! Jobs that go on where their last attempt left off.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{Working, enqueue, served, until, until_state};
use crate::support::Served;

/// How many items a walk has.
const ITEMS: u64 = 60;

#[tokio::test]
async fn a_script_walks_through_five_kills_and_makes_each_item_once() {
    let served = served("2s");
    let baton = env!("CARGO_BIN_EXE_baton");
    let walk = format!(
        "n=${{BATON_CURSOR:-0}}; while [ $n -lt {ITEMS} ]; do n=$((n+1)); \
         echo '{{\"kind\": \"item\", \"payload\": '$n'}}' > jobs.$$; \
         {baton} tell checkpoint $n --jobs jobs.$$ --progress $n/{ITEMS} || exit 75; done"
    );
    let words = ["--kind", "walk", "--exec", &walk];
    let id = enqueue(&served, "walk", &[]);

    for _ in 0..5 {
        let before = cursor(&served, &id);
        let worker = Working::start(&served, &words);
        until(&served, &id, "it got on", |job| {
            job["cursor"].as_u64() >= Some(before + 3)
        })
        .await;
        worker.kill();
    }
    let _last = Working::start(&served, &words);

    let seen = until_state(&served, &id, "succeeded").await;
    assert!(seen["attempt"].as_u64() >= Some(6), "{seen}");
    let items = items(&served);
    let once: BTreeSet<u64> = items.iter().copied().collect();
    assert_eq!(items.len(), once.len(), "none is made twice: {items:?}");
    assert_eq!(once, (1..=ITEMS).collect());
}

fn cursor(served: &Served, id: &str) -> u64 {
    let job = super::job(served, id);
    job["cursor"].as_u64().unwrap_or(0)
}

fn items(served: &Served) -> Vec<u64> {
    let listed = served.run(&["jobs", "list", "--kind", "item", "--limit", "200", "--json"]);
    let lines = listed.out();
    let items = lines.lines().map(|line| {
        let job: Value = serde_json::from_str(line).unwrap();
        job["payload"].as_u64().unwrap()
    });
    items.collect()
}

#[tokio::test]
async fn a_checkpoint_that_is_refused_says_why_and_moves_nothing() {
    let served = served("30s");
    let baton = env!("CARGO_BIN_EXE_baton");
    let wrong = format!(
        "echo '{{\"kind\": \"no name\"}}' > wrong; \
         {baton} tell checkpoint 1 --jobs wrong 2> why; echo $? > code; exit 99"
    );
    let _worker = Working::start(&served, &["--kind", "wrong", "--exec", &wrong]);

    let id = enqueue(&served, "wrong", &[]);

    let seen = until_state(&served, &id, "skipped").await;
    assert_eq!(seen["cursor"], Value::Null);
    let read = |name| std::fs::read_to_string(served.folder.path().join(name)).unwrap();
    assert_eq!(read("code").trim(), "6");
    assert!(read("why").contains("jobs[0].kind"), "{}", read("why"));
}

#[tokio::test]
async fn the_progress_that_a_process_tells_is_seen_on_its_job_while_it_runs() {
    let served = served("3s");
    let baton = env!("CARGO_BIN_EXE_baton");
    let tells = format!(
        "{baton} tell progress 5/10 --note resizing; while [ ! -e go ]; do sleep 0.05; done"
    );
    let _worker = Working::start(&served, &["--kind", "tells", "--exec", &tells]);

    let id = enqueue(&served, "tells", &[]);
    let seen = until(&served, &id, "it is seen", |job| {
        job["progress"].is_object()
    })
    .await;
    std::fs::write(served.folder.path().join("go"), "").unwrap();

    let progress = json!({"done": 5, "total": 10, "note": "resizing"});
    assert_eq!(
        (&seen["state"], &seen["progress"]),
        (&json!("running"), &progress)
    );
    until_state(&served, &id, "succeeded").await;
}

#[tokio::test]
async fn the_time_of_a_job_counts_from_its_last_checkpoint() {
    let served = served("30s");
    let baton = env!("CARGO_BIN_EXE_baton");
    let steps = format!("for n in 1 2 3 4; do sleep 3; {baton} tell checkpoint $n; done");
    let _worker = Working::start(&served, &["--kind", "steps", "--exec", &steps]);

    let id = enqueue(&served, "steps", &["--timeout", "10s"]);

    let seen = until_state(&served, &id, "succeeded").await;
    assert_eq!((&seen["attempt"], &seen["cursor"]), (&1.into(), &4.into()));
}
