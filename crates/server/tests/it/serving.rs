//! A server's life: one line when it is ready, and two ways to stop.

use std::{collections::BTreeSet, path::Path, time::Duration};

use baton_client::{Client, StreamQuery};
use baton_testkit::eventually;

use crate::support::Served;

#[tokio::test]
async fn one_signal_lets_running_work_finish_and_records_it() {
    let served = Served::start(&[]);
    let id = enqueue(&served, r#"{"sleep_ms": 400}"#);
    until(&served, &id, "running").await;

    served.signal("TERM");

    let (status, rest, folder) = served.ended();
    assert!(status.success(), "{status}");
    assert_eq!(rest, "", "the first line is the only one");
    let again = Served::start_in(folder, &[]);
    assert_eq!(state(&again, &id), "succeeded");
}

#[tokio::test]
async fn a_second_signal_leaves_at_once_and_the_lease_covers_what_ran() {
    let served = Served::start(&["--lease", "1s", "--grace", "60s"]);
    let id = enqueue(&served, r#"{"sleep_ms": 30000}"#);
    until(&served, &id, "running").await;

    served.signal("TERM");
    eventually("the server drains", Duration::from_secs(5), async || {
        served.run(&["jobs", "enqueue", "simulate"]).code() == 7
    })
    .await;
    served.signal("TERM");

    let (status, _, folder) = served.ended();
    assert_eq!(status.code(), Some(130));
    let again = Served::start_in(folder, &["--lease", "1s"]);
    eventually("the job is rescued", Duration::from_secs(20), async || {
        let shown = again.run(&["jobs", "show", &id, "--json"]).json();
        shown["attempts"][0]["outcome"] == "lost"
    })
    .await;
}

#[test]
fn after_an_orderly_stop_the_single_file_is_the_whole_truth() {
    let served = Served::start(&[]);
    let ran = served.run(&["jobs", "enqueue", "simulate", "--delay", "1h", "--json"]);
    let id = ran.json()["id"].as_str().unwrap().to_owned();
    served.signal("TERM");
    let (status, _, folder) = served.ended();
    assert!(status.success());

    let data = folder.path().join("baton-data");
    let beside = data.join("baton.db-wal");
    let elsewhere = tempfile::tempdir().unwrap();
    let copy = elsewhere.path().join("copy.db");
    std::fs::copy(data.join("baton.db"), &copy).unwrap();
    let again = Served::start(&["--database", &format!("sqlite://{}", copy.display())]);

    let found = again.run(&["jobs", "show", &id]);
    assert!(!beside.exists());
    assert!(found.out().contains(&id), "{}", found.err());
}

#[test]
fn the_admin_pages_and_the_metrics_are_served() {
    let served = Served::start(&[]);

    for (path, word) in [
        ("/admin", "<html"),
        ("/metrics", "baton_build_info"),
        ("/readyz", "\"ready\":true"),
    ] {
        let body = get(&served, path);
        assert!(body.contains(word), "{path}: {body}");
    }
}

#[test]
fn requests_and_transactions_stand_in_the_metrics_by_what_they_are_about() {
    let served = Served::start(&[]);

    get(&served, "/v1/jobs");
    let metrics = get(&served, "/metrics");

    for count in [
        r#"baton_http_request_seconds_count{route="/v1/jobs",method="GET",status="2xx"}"#,
        r#"baton_store_seconds_count{area="jobs"}"#,
        r#"baton_access_denied_total{whom="nobody"} 0"#,
    ] {
        assert!(metrics.contains(count), "{count} is not there");
    }
}

/// Series of a server to which nothing has happened yet.
const AT_REST: [&str; 23] = [
    r#"baton_component_up{component="store"} 1"#,
    r#"baton_component_up{component="server"} 1"#,
    r#"baton_component_up{component="leader"} 1"#,
    r#"baton_component_up{component="scheduler"} 1"#,
    r#"baton_component_up{component="sequencer"} 1"#,
    r#"baton_degraded{reason="hints"} 0"#,
    r#"baton_degraded{reason="rows"} 0"#,
    r#"baton_degraded{reason="labels"} 0"#,
    "baton_failure_groups 0",
    "baton_failure_groups_opened_total 0",
    "baton_sse_resyncs_total 0",
    r#"baton_store_timeouts_total{area="jobs"} 0"#,
    r#"baton_campaigns{state="stopped"} 0"#,
    r#"baton_campaign_deliveries{state="failed"} 0"#,
    "baton_outbox_oldest_seconds 0",
    r#"baton_database_pool_waiting{pool="readers"} 0"#,
    r#"baton_audit_events_total{action="queue.change",outcome="done"} 0"#,
    r#"baton_audit_events_total{action="access.denied",outcome="refused"} 0"#,
    r#"baton_store_seconds_count{area="campaigns"}"#,
    r#"baton_routine_turn_seconds_count{routine="scheduler"}"#,
    "baton_schedule_delay_seconds_count 0",
    "baton_settle_batch_size_count 0",
    "baton_remote_waiters 0",
];

#[tokio::test]
async fn each_series_that_can_be_known_from_the_start_is_there_from_the_start() {
    let served = Served::start(&[]);

    for series in AT_REST {
        eventually(series, Duration::from_secs(20), async || {
            get(&served, "/metrics").contains(series)
        })
        .await;
    }
}

#[test]
fn what_is_written_into_the_audit_log_stands_in_the_metrics_by_what_was_done() {
    let served = Served::start(&[]);

    let paused = served.run(&["queues", "pause", "default"]);
    let again = served.run(&["queues", "resume", "default"]);
    let metrics = get(&served, "/metrics");

    assert_eq!((paused.code(), again.code()), (0, 0), "{}", again.err());
    let counter = r#"baton_audit_events_total{action="queue.change",outcome="done"} 2"#;
    assert!(metrics.contains(counter), "{metrics}");
}

#[test]
fn connections_to_the_database_stand_in_the_metrics() {
    let served = Served::start(&[]);

    get(&served, "/v1/jobs");
    let metrics = get(&served, "/metrics");

    let idle = r#"baton_database_pool_connections{pool="readers",state="idle"} "#;
    let count = metrics.lines().find_map(|line| line.strip_prefix(idle));
    assert!(count.is_some_and(|count| count != "0"), "{metrics}");
}

#[tokio::test]
async fn workers_and_open_streams_stand_in_the_metrics() {
    let served = Served::start(&[]);
    let within = Duration::from_secs(20);
    let says = async |line: &str| get(&served, "/metrics").contains(line);

    assert!(says("baton_streams 0").await);
    let live = r#"baton_workers{where="server",state="live"} 1"#;
    eventually("its worker is counted", within, async || says(live).await).await;
    let client = Client::new(&served.url).unwrap();
    let stream = client.follow(StreamQuery::default()).await.unwrap();
    eventually("the stream is counted", within, async || {
        says("baton_streams 1").await
    })
    .await;
    drop(stream);
    eventually("the stream is counted no more", within, async || {
        says("baton_streams 0").await
    })
    .await;
}

/// What is counted by queue or by provider is there once there is one.
const BY_QUEUE: [&str; 1] = ["baton_job_attempts_total"];

#[test]
fn each_counter_that_an_alert_or_a_dashboard_looks_at_begins_at_zero() {
    let served = Served::start(&[]);
    let deploy = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../deploy");
    let looked_at = counters_in(&deploy);

    let metrics = get(&served, "/metrics");

    assert!(looked_at.len() > 5, "{looked_at:?}");
    for counter in looked_at
        .iter()
        .filter(|one| !BY_QUEUE.contains(&one.as_str()))
    {
        let is_there = |line: &str| line.starts_with(counter.as_str());
        assert!(metrics.lines().any(is_there), "{counter} is not there");
    }
    assert!(metrics.contains("baton_staged_jobs_total{outcome=\"refused\"} 0"));
}

/// The names of all counters in the files of a folder.
fn counters_in(folder: &Path) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            names.extend(counters_in(&path));
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let counters = words.filter(|word| word.starts_with("baton_") && word.ends_with("_total"));
        names.extend(counters.map(str::to_owned));
    }
    names
}

#[test]
fn a_supervisor_asks_the_program_itself_whether_a_server_is_ready() {
    let served = Served::start(&[]);

    let ready = served.run(&["ready"]);
    let as_json = served.run(&["ready", "--json"]).json();
    let away = served.run(&["ready", "--url", "http://127.0.0.1:1"]);

    assert_eq!(ready.code(), 0, "{}", ready.err());
    assert!(ready.out().ends_with("is ready\n"), "{}", ready.out());
    assert_eq!(as_json["ready"], true);
    assert_eq!(away.code(), 7, "{}", away.err());
}

#[test]
fn a_node_without_the_api_tells_of_its_health_and_serves_nothing_else() {
    let served = Served::start(&["--roles", "engine,worker"]);

    for (path, word) in [
        ("/healthz", "alive"),
        ("/readyz", "\"ready\":true"),
        ("/metrics", "baton_build_info"),
    ] {
        let body = get(&served, path);
        assert!(body.contains(word), "{path}: {body}");
    }
    for path in ["/", "/admin", "/v1/jobs", "/openapi.json", "/docs"] {
        let answer = ask(&served, path);
        assert!(answer.starts_with("HTTP/1.1 404"), "{path}: {answer}");
        assert!(answer.contains("application/problem+json"), "{answer}");
        assert!(answer.contains("role `api`"), "{answer}");
    }
}

#[tokio::test]
async fn a_server_that_stops_shows_its_pages_and_takes_no_press_of_a_button() {
    let served = Served::start(&["--grace", "60s"]);
    let id = enqueue(&served, r#"{"sleep_ms": 60000}"#);
    until(&served, &id, "running").await;

    served.signal("TERM");
    eventually("the server drains", Duration::from_secs(5), async || {
        ask(&served, "/readyz").starts_with("HTTP/1.1 503")
    })
    .await;

    for (path, status) in [("/admin", 200), ("/admin/jobs", 200), ("/", 307)] {
        let answer = ask(&served, path);
        assert!(
            answer.starts_with(&format!("HTTP/1.1 {status}")),
            "{path}: {answer}"
        );
    }
    for path in ["/admin/queues/default/pause", "/admin", "/"] {
        let answer = press(&served, path);
        assert!(answer.starts_with("HTTP/1.1 503"), "{path}: {answer}");
        assert!(answer.contains("\"draining\""), "{path}: {answer}");
    }
    assert_eq!(state(&served, &id), "running");
}

#[test]
fn a_stroke_too_many_behind_admin_leads_there_all_the_same() {
    let served = Served::start(&[]);

    let answer = ask(&served, "/admin/");

    assert!(answer.starts_with("HTTP/1.1 308"), "{answer}");
    assert!(answer.contains("location: ../admin\r\n"), "{answer}");
}

/// A page, read with nothing but a socket.
fn get(served: &Served, path: &str) -> String {
    let answer = ask(served, path);
    assert!(answer.starts_with("HTTP/1.1 200"), "{path}: {answer}");
    answer
}

fn ask(served: &Served, path: &str) -> String {
    exchange(served, &format!("GET {path}"), "")
}

/// A press of a button on the console's own page.
fn press(served: &Served, path: &str) -> String {
    let own = "Sec-Fetch-Site: same-origin\r\nContent-Length: 0\r\n";
    exchange(served, &format!("POST {path}"), own)
}

pub fn exchange(served: &Served, line: &str, headers: &str) -> String {
    use std::io::{Read, Write};
    let host = served.url.trim_start_matches("http://");
    let mut socket = std::net::TcpStream::connect(host).unwrap();
    write!(
        socket,
        "{line} HTTP/1.1\r\nHost: {host}\r\n{headers}Connection: close\r\n\r\n"
    )
    .unwrap();
    let mut answer = String::new();
    socket.read_to_string(&mut answer).unwrap();
    answer
}

fn enqueue(served: &Served, payload: &str) -> String {
    let ran = served.run(&[
        "jobs",
        "enqueue",
        "simulate",
        "--payload",
        payload,
        "--json",
    ]);
    ran.json()["id"].as_str().unwrap().to_owned()
}

fn state(served: &Served, id: &str) -> String {
    let shown = served.run(&["jobs", "show", id, "--json"]).json();
    shown["job"]["state"].as_str().unwrap().to_owned()
}

async fn until(served: &Served, id: &str, wanted: &str) {
    eventually(wanted, Duration::from_secs(10), async || {
        state(served, id) == wanted
    })
    .await;
}
