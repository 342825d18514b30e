//! Campaigns through the binary: each recipient once, whatever is stopped, resumed or killed.

use std::{collections::BTreeMap, fmt::Write as _, fs, time::Duration};

use baton_domain::{Clock, time::SystemClock};
use baton_lab::target::{Options, Target};
use baton_testkit::eventually;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::{serving::exchange, support::Served};

const TIMEOUT: Duration = Duration::from_mins(1);
/// How late after the answer to a stop a call may start.
const BOUND: i64 = 2_000_000;

/// A folder whose settings name one provider, and a file of recipients.
pub fn folder(gateway: &Target, recipients: usize) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let file = format!(
        "[providers.push]\nkind = \"http\"\nurl = \"{}\"\n",
        gateway.url("/ok")
    );
    fs::write(folder.path().join("baton.toml"), file).unwrap();
    let mut rows = String::from("id,platform,enabled,address.push\n");
    for number in 0..recipients {
        let is_enabled = number % 10 != 0;
        writeln!(rows, "user-{number},ios,{is_enabled},token-{number}").unwrap();
    }
    fs::write(folder.path().join("recipients.csv"), rows).unwrap();
    folder
}

pub fn create(served: &Served, more: &[&str]) -> String {
    let imported = served.run(&["recipients", "import", "recipients.csv"]);
    assert_eq!(imported.code(), 0, "{}", imported.err());
    let mut words = vec![
        "campaigns",
        "create",
        "--name",
        "Quiz",
        "--title",
        "Quiz",
        "--body",
        "Hello {{id}}",
        "--json",
    ];
    words.extend(more);
    let created = served.run(&words).json();
    created["id"].as_str().unwrap().to_owned()
}

pub fn show(served: &Served, id: &str) -> Value {
    served.run(&["campaigns", "show", id, "--json"]).json()
}

pub async fn done(served: &Served, id: &str) -> Value {
    eventually("the campaign is done", TIMEOUT, async || {
        show(served, id)["state"] == "done"
    })
    .await;
    show(served, id)
}

/// How often each job was called.
pub fn calls(gateway: &Target) -> BTreeMap<String, usize> {
    let mut calls = BTreeMap::new();
    for arrival in gateway.arrivals() {
        *calls.entry(arrival.job_id).or_default() += 1;
    }
    calls
}

fn now_us() -> i64 {
    SystemClock.now().as_micros()
}

#[tokio::test(flavor = "multi_thread")]
async fn each_member_of_the_audience_is_called_once_and_the_books_add_up() {
    let gateway = Target::start(Options::default()).await.unwrap();
    let served = Served::start_in(folder(&gateway, 1_000), &[]);

    let id = create(&served, &[]);
    let campaign = done(&served, &id).await;

    let counts = &campaign["progress"]["counts"];
    assert_eq!(
        (&counts["succeeded"], &counts["skipped"]),
        (&900.into(), &100.into())
    );
    assert_eq!(campaign["progress"]["audience"], 1_000);
    let calls = calls(&gateway);
    assert_eq!(calls.len(), 900);
    assert!(calls.values().all(|count| *count == 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn after_a_stop_no_call_starts_later_than_two_seconds_and_a_resume_sends_the_rest() {
    let gateway = Target::start(Options::default()).await.unwrap();
    let served = Served::start_in(folder(&gateway, 2_000), &[]);
    let id = create(&served, &["--rate", "200"]);
    eventually("calls arrive", TIMEOUT, async || gateway.total() > 50).await;

    let stopped = served.run(&["campaigns", "stop", &id, "--json"]).json();
    let acknowledged = now_us();
    eventually("what was in flight has ended", TIMEOUT, async || {
        now_us() > acknowledged + 2 * BOUND
    })
    .await;
    let late = gateway.arrivals();
    let late = late
        .iter()
        .filter(|arrival| arrival.at_us > acknowledged + BOUND);

    assert_eq!(
        (stopped["state"].as_str(), late.count()),
        (Some("stopped"), 0)
    );
    assert!(gateway.total() < 1_800, "it was stopped on its way");
    assert_eq!(served.run(&["campaigns", "rate", &id, "none"]).code(), 0);
    assert_eq!(served.run(&["campaigns", "resume", &id]).code(), 0);
    done(&served, &id).await;
    let calls = calls(&gateway);
    assert_eq!(calls.len(), 1_800);
    assert!(calls.values().all(|count| *count == 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_killed_in_the_middle_of_a_campaign_reaches_each_recipient_and_no_other() {
    let gateway = Target::start(Options::default()).await.unwrap();
    let lease = ["--lease", "2s"];
    let mut served = Served::start_in(folder(&gateway, 3_000), &lease);
    let id = create(&served, &[]);

    // A third loss would make a dead letter of a delivery that was leased each time.
    for goal in [300, 1_200] {
        eventually("calls arrive", TIMEOUT, async || gateway.total() > goal).await;
        served.signal("KILL");
        let (_, _, folder) = served.ended();
        served = Served::start_in(folder, &lease);
    }
    let campaign = done(&served, &id).await;

    let counts = &campaign["progress"]["counts"];
    assert_eq!(
        (&counts["succeeded"], &counts["skipped"]),
        (&2_700.into(), &300.into())
    );
    assert_eq!(campaign["progress"]["audience"], 3_000);
    assert_eq!(calls(&gateway).len(), 2_700, "each recipient was called");
    let keys: std::collections::BTreeSet<_> = gateway
        .arrivals()
        .into_iter()
        .map(|arrival| arrival.key)
        .collect();
    assert_eq!(keys.len(), 2_700, "and a repeated call had the same key");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_preview_finds_what_is_missing_before_anything_is_sent() {
    let gateway = Target::start(Options::default()).await.unwrap();
    let served = Served::start_in(folder(&gateway, 10), &[]);
    served.run(&["recipients", "import", "recipients.csv"]);

    let preview = served.run(&[
        "campaigns",
        "preview",
        "--name",
        "Quiz",
        "--title",
        "Quiz",
        "--body",
        "Morning in {{time_zone}}",
    ]);

    assert_eq!(preview.code(), 6);
    assert!(
        preview.out().starts_with("10 recipients\n"),
        "{}",
        preview.out()
    );
    assert!(preview.out().contains("time_zone"), "{}", preview.out());
    assert_eq!(gateway.total(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_canceled_campaign_has_not_sent_is_sent_to_the_rest_and_nobody_is_called_twice() {
    let gateway = Target::start(Options::default()).await.unwrap();
    let served = Served::start_in(folder(&gateway, 1_000), &[]);
    let id = create(
        &served,
        &["--rate", "200", "--audience", "{\"platform\": \"ios\"}"],
    );
    eventually("calls arrive", TIMEOUT, async || gateway.total() > 50).await;

    let too_early = served.run(&["campaigns", "send-to-rest", &id]);
    assert_eq!(served.run(&["campaigns", "cancel", &id]).code(), 0);
    eventually("its deliveries have ended", TIMEOUT, async || {
        served
            .run(&["campaigns", "send-to-rest", &id, "--preview"])
            .code()
            == 0
    })
    .await;
    let called = calls(&gateway).len();
    let preview = ["campaigns", "send-to-rest", &id, "--preview", "--json"];
    let preview = served.run(&preview).json();
    let send = ["campaigns", "send-to-rest", &id, "--rate", "1000", "--json"];
    let (rest, again) = (served.run(&send).json(), served.run(&send).json());
    let sent = done(&served, rest["id"].as_str().unwrap()).await;

    assert!(
        too_early.err().contains("can still reach everybody"),
        "{}",
        too_early.err()
    );
    assert_eq!(preview["recipients"], 1_000 - called);
    assert_eq!(
        (&rest["rest_of"], &rest["id"]),
        (&id.clone().into(), &again["id"])
    );
    assert_eq!(sent["progress"]["audience"], preview["recipients"]);
    assert_eq!(sent["progress"]["counts"]["succeeded"], 900 - called);
    let calls = calls(&gateway);
    assert_eq!(calls.len(), 900, "each of them is another delivery");
    assert!(calls.values().all(|count| *count == 1));
}

/// How much memory a walk may take for itself, in KiB. Beside nothing it takes 75 to 95 MiB; all that it tells, held at once with what is
/// made of it, would be several times 100.
#[cfg(target_os = "linux")]
const GROWTH: u64 = 128 * 1024;

/// A campaign for inboxes whose message has so many bytes when it is filled.
fn multiplying(bytes: usize) -> String {
    let data = "x".repeat(20_000);
    let body = "{{data.x}}".repeat(bytes / data.len());
    let message = json!({ "title": "Quiz", "body": body, "data": { "x": data } });
    let campaign = json!({ "name": "Quiz", "category": "notice", "action": "inbox", "audience": { "all": true }, "message": message });
    campaign.to_string()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_that_multiplies_its_data_is_refused_and_the_largest_that_is_not_is_told_in_little_memory()
 {
    let gateway = Target::start(Options::default()).await.unwrap();
    let served = Served::start_in(folder(&gateway, 1_000), &["--allow-unsafe-durability"]);
    served.run(&["recipients", "import", "recipients.csv"]);
    let folder = served.folder.path();
    fs::write(folder.join("deadly.json"), multiplying(16_000_000)).unwrap();
    fs::write(folder.join("largest.json"), multiplying(120_000)).unwrap();
    #[cfg(target_os = "linux")]
    let before = served.peak_memory();

    let refused = served.run(&["campaigns", "create", "deadly.json"]);
    let accepted = served.run(&["campaigns", "create", "largest.json", "--json"]);
    let id = accepted.json()["id"].as_str().unwrap().to_owned();
    let done = done(&served, &id).await;

    assert_eq!(refused.code(), 6, "{}", refused.err());
    assert!(refused.err().contains("message.body"), "{}", refused.err());
    assert_eq!(done["progress"]["items"], 900);
    #[cfg(target_os = "linux")]
    assert!(
        served.peak_memory() < before + GROWTH,
        "{} KiB",
        served.peak_memory() - before
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn deliveries_that_failed_for_good_stand_in_the_metrics_and_what_their_provider_said() {
    let gateway = Target::start(Options::default()).await.unwrap();
    let folder = folder(&gateway, 20);
    let refuses = format!(
        "[providers.push]\nkind = \"http\"\nurl = \"{}\"\n",
        gateway.url("/status/400")
    );
    fs::write(folder.path().join("baton.toml"), refuses).unwrap();
    let served = Served::start_in(folder, &[]);

    let id = create(&served, &["--audience", r#"{"all": true}"#]);
    let done = done(&served, &id).await;

    assert_eq!(done["progress"]["counts"]["failed"], 18, "{done}");
    eventually("the metrics tell of them", TIMEOUT, async || {
        let metrics = exchange(&served, "GET /metrics", "");
        metrics.contains("baton_campaign_deliveries{state=\"failed\"} 18")
    })
    .await;
    let metrics = exchange(&served, "GET /metrics", "");
    for (class, count) in [("2xx", 0), ("4xx", 18), ("none", 0)] {
        let labels = format!(r#"{{channel="push",provider="push",status_class="{class}"}}"#);
        let line = format!("baton_provider_request_seconds_count{labels} {count}\n");
        assert!(metrics.contains(&line), "{line}{metrics}");
    }
}
