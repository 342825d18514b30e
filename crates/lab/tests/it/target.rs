//! The target answers as asked and writes down what it saw.

use baton_lab::target::{Answer, Options, Target, read_log};

use crate::support::{Client, Got, until};

async fn target() -> Target {
    Target::start(Options::default()).await.unwrap()
}

#[tokio::test]
async fn a_flaky_path_fails_as_often_as_it_says_for_each_key() {
    let target = target().await;
    let mut client = Client::connect(target.addr()).await;

    let mut statuses = Vec::new();
    for (key, attempt) in [("a", 1), ("a", 2), ("b", 1), ("a", 3), ("b", 2)] {
        statuses.push(client.post("/flaky/1", key, attempt).await.status());
    }

    assert_eq!(statuses, [503, 200, 503, 200, 200].map(Some));
    assert_eq!(target.arrivals_of("a"), 3);
    assert_eq!(target.by_path()["/flaky/1"], 5);
}

#[tokio::test]
async fn fixed_paths_answer_with_their_status_on_one_connection() {
    let target = target().await;
    let mut client = Client::connect(target.addr()).await;

    for (path, status) in [
        ("/ok", 200),
        ("/bad", 400),
        ("/gone", 410),
        ("/status/204", 204),
        ("/status/418", 418),
        ("/no-such-script", 404),
        ("/slow/5?job=1", 200),
    ] {
        assert_eq!(client.post(path, path, 1).await.status(), Some(status));
    }
}

#[tokio::test]
async fn an_arrival_is_written_down_with_what_it_said_of_itself() {
    let target = target().await;
    let mut client = Client::connect(target.addr()).await;

    client.post("/ok", "k", 7).await;

    until("the answer is written down", || {
        target.arrivals()[0].answered
    })
    .await;
    let arrival = &target.arrivals()[0];
    assert_eq!((arrival.key.as_str(), arrival.attempt), ("k", 7));
    assert_eq!(arrival.job_id, "job_k");
    assert_eq!(arrival.answer, Answer::Status(200));
    assert!(arrival.ended_us >= Some(arrival.at_us));
}

#[tokio::test]
async fn a_reset_path_reads_the_request_and_breaks_the_connection() {
    let target = target().await;

    let first = Client::connect(target.addr())
        .await
        .post("/reset/1", "k", 1)
        .await;
    let second = Client::connect(target.addr())
        .await
        .post("/reset/1", "k", 2)
        .await;

    assert_eq!(first, Got::Reset);
    assert_eq!(second.status(), Some(200));
    let arrival = &target.arrivals()[0];
    assert_eq!((arrival.answer, arrival.answered), (Answer::Reset, false));
}

#[tokio::test]
async fn a_throttled_arrival_is_told_how_long_to_wait() {
    let target = target().await;
    let mut client = Client::connect(target.addr()).await;

    let Got::Answer { status, head } = client.post("/throttle/1", "k", 1).await else {
        panic!("expected an answer");
    };

    assert_eq!(status, 429);
    assert!(head.contains("Retry-After: 1\r\n"), "{head}");
    assert_eq!(target.arrivals()[0].retry_after_s, Some(1));
    assert_eq!(client.post("/throttle/1", "k", 2).await.status(), Some(200));
}

#[tokio::test]
async fn a_client_that_leaves_a_slow_or_silent_path_was_not_answered() {
    let target = target().await;

    for path in ["/hang/1", "/slow/60000"] {
        let mut client = Client::connect(target.addr()).await;
        client.send(path, path, 1).await;
        until("the request arrives", || target.arrivals_of(path) == 1).await;
    }

    until("both departures are seen", || {
        target.arrivals().iter().all(|one| one.ended_us.is_some())
    })
    .await;
    assert!(target.arrivals().iter().all(|one| !one.answered));
}

#[tokio::test]
async fn the_log_tells_the_same_as_the_memory() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("arrivals.jsonl");
    let target = Target::start(Options {
        log: Some(log.clone()),
        ..Options::default()
    })
    .await
    .unwrap();
    let mut client = Client::connect(target.addr()).await;

    client.post("/flaky/1", "k", 1).await;
    client.post("/flaky/1", "k", 2).await;
    Client::connect(target.addr())
        .await
        .post("/reset/1", "r", 1)
        .await;

    until("all have ended", || {
        target.arrivals().iter().all(|one| one.ended_us.is_some())
    })
    .await;
    assert_eq!(read_log(&log).unwrap(), target.arrivals());
}

#[tokio::test]
async fn a_log_with_a_torn_last_line_reads_up_to_it() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("arrivals.jsonl");
    let whole = r#"{"line":"arrived","no":0,"at_us":1,"key":"k","job_id":"j","attempt":1,"path":"/ok","answer":{"status":200},"answered":false}"#;
    std::fs::write(&log, format!("{whole}\n{{\"line\":\"ended\",\"no")).unwrap();

    let arrivals = read_log(&log).unwrap();

    assert_eq!(arrivals.len(), 1);
    assert_eq!(arrivals[0].ended_us, None);
}

#[tokio::test]
async fn a_stopped_target_leaves_what_it_did_not_answer_unanswered() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("arrivals.jsonl");
    let target = Target::start(Options {
        log: Some(log.clone()),
        ..Options::default()
    })
    .await
    .unwrap();
    let mut client = Client::connect(target.addr()).await;
    client.send("/slow/60000", "k", 1).await;
    until("the request arrives", || target.total() == 1).await;

    let arrivals = target.stop().await;

    assert!(arrivals[0].ended_us.is_some() && !arrivals[0].answered);
    assert_eq!(read_log(&log).unwrap(), arrivals);
    assert_ne!(client.receive().await.status(), Some(200));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_connections_at_once_lose_no_arrival() {
    let target = target().await;

    let mut clients = tokio::task::JoinSet::new();
    for client in 0..16 {
        let addr = target.addr();
        clients.spawn(async move {
            let mut connection = Client::connect(addr).await;
            for request in 0..500 {
                let key = format!("{client}-{request}");
                assert_eq!(connection.post("/ok", &key, 1).await.status(), Some(200));
            }
        });
    }
    clients.join_all().await;

    assert_eq!(target.total(), 8_000);
    assert!((0..16).all(|client| target.arrivals_of(&format!("{client}-499")) == 1));
}
