//! Connections: what one client does with its own takes nothing from the others.

use std::{
    collections::HashSet,
    io::{ErrorKind, Read, Write},
    net::{IpAddr, Ipv4Addr, SocketAddr},
    time::{Duration, Instant},
};

use std::net::{TcpListener, TcpStream, UdpSocket};
use tokio::net::TcpSocket;

use crate::support::Served;

/// Far more than any of it takes, on a machine that is busy with other things.
const TIMEOUT: Duration = Duration::from_mins(1);

fn served(settings: &str) -> Served {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("baton.toml"), settings).unwrap();
    Served::start_in(folder, &[])
}

fn address(served: &Served) -> SocketAddr {
    served.url.strip_prefix("http://").unwrap().parse().unwrap()
}

fn connect(served: &Served) -> TcpStream {
    let socket = TcpStream::connect(address(served)).unwrap();
    socket.set_read_timeout(Some(TIMEOUT)).unwrap();
    socket
}

/// A connection from another address of loopback.
async fn connect_from(served: &Served, last: u8) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    let from = IpAddr::from(Ipv4Addr::new(127, 0, 0, last));
    socket.bind((from, 0).into()).unwrap();
    let stream = socket.connect(address(served)).await.unwrap();
    let stream = stream.into_std().unwrap();
    stream.set_nonblocking(false).unwrap();
    stream.set_read_timeout(Some(TIMEOUT)).unwrap();
    stream
}

fn say(socket: &mut TcpStream, words: &str) {
    socket.write_all(words.as_bytes()).unwrap();
}

/// What comes until `end`, or until the other side closes.
fn hear_until(socket: &mut TcpStream, end: &str) -> String {
    let mut heard = Vec::new();
    let mut piece = [0; 4096];
    while !String::from_utf8_lossy(&heard).contains(end) {
        match socket.read(&mut piece).unwrap() {
            0 => break,
            read => heard.extend_from_slice(&piece[..read]),
        }
    }
    String::from_utf8_lossy(&heard).into_owned()
}

fn ask(socket: &mut TcpStream) -> String {
    say(socket, "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
    let heard = hear_until(socket, "\r\n\r\n");
    heard.lines().next().unwrap_or_default().to_owned()
}

/// A request with a body of which `said` comes and no more; it is being read when this returns.
fn begin(served: &Served, path: &str, media: &str, said: &str) -> TcpStream {
    let (socket, heard) = begin_on(connect(served), path, media, said);
    assert!(heard.starts_with("HTTP/1.1 100"), "{heard}");
    socket
}

/// The same on a connection of its own, with what was answered: that the body may come, or why not.
fn begin_on(mut socket: TcpStream, path: &str, media: &str, said: &str) -> (TcpStream, String) {
    say(
        &mut socket,
        &format!(
            "POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: {media}\r\nContent-Length: 30000000\r\nExpect: 100-continue\r\n\r\n"
        ),
    );
    let heard = hear_until(&mut socket, "\r\n\r\n");
    if heard.starts_with("HTTP/1.1 100") {
        say(&mut socket, said);
    }
    (socket, heard)
}

fn post(served: &Served, path: &str, media: &str, body: &str) -> String {
    let mut socket = connect(served);
    let length = body.len();
    say(
        &mut socket,
        &format!(
            "POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: {media}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
        ),
    );
    hear_until(&mut socket, "\u{0}")
}

#[test]
fn a_head_that_comes_byte_by_byte_is_cut_off_and_so_is_one_that_never_comes() {
    let served = Served::start(&[]);
    let mut silent = connect(&served);
    let mut slow = connect(&served);
    say(&mut slow, "GET /healthz HTTP/1.1\r\nX: ");
    slow.set_read_timeout(Some(Duration::from_millis(250)))
        .unwrap();
    let began = Instant::now();

    let ended = loop {
        let said = slow.write_all(b"x");
        match (said, slow.read(&mut [0; 512])) {
            (Ok(()), Err(error))
                if [ErrorKind::WouldBlock, ErrorKind::TimedOut].contains(&error.kind()) =>
            {
                assert!(began.elapsed() < TIMEOUT, "it may go on for ever");
            }
            (_, ended) => break ended,
        }
    };

    assert!(matches!(ended, Ok(0) | Err(_)), "{ended:?}");
    assert_eq!(silent.read(&mut [0; 512]).unwrap(), 0);
    assert_eq!(ask(&mut connect(&served)), "HTTP/1.1 200 OK");
}

#[test]
fn a_head_of_more_than_32_kilobytes_is_refused() {
    let served = Served::start(&[]);
    let ask_with = |length: usize| {
        let mut socket = connect(&served);
        let long = "x".repeat(length);
        say(
            &mut socket,
            &format!("GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Long: {long}\r\n\r\n"),
        );
        hear_until(&mut socket, "\r\n\r\n")
    };

    let (borne, refused) = (ask_with(30_000), ask_with(33_000));

    assert!(borne.starts_with("HTTP/1.1 200"), "{borne}");
    assert!(refused.starts_with("HTTP/1.1 431"), "{refused}");
}

#[test]
fn connections_beyond_the_bound_are_refused_with_a_reason_until_others_end() {
    let served = served("[server]\nconnections = 2\n");
    let (mut first, mut second) = (connect(&served), connect(&served));
    assert_eq!(ask(&mut first), "HTTP/1.1 200 OK");
    assert_eq!(ask(&mut second), "HTTP/1.1 200 OK");

    let refused = hear_until(&mut connect(&served), "\u{0}");
    drop(first);

    assert!(refused.starts_with("HTTP/1.1 503"), "{refused}");
    assert!(
        refused.contains("server.connections") && refused.contains("retry-after"),
        "{refused}"
    );
    let began = Instant::now();
    while ask(&mut connect(&served)) != "HTTP/1.1 200 OK" {
        assert!(began.elapsed() < TIMEOUT, "no connection has become free");
    }
    assert_eq!(ask(&mut second), "HTTP/1.1 200 OK");
}

#[tokio::test]
async fn one_address_cannot_take_the_connections_of_all() {
    let served = served("[server]\nconnections_per_address = 2\n");
    let mut greedy = Vec::new();
    for _ in 0..2 {
        let mut socket = connect_from(&served, 2).await;
        assert_eq!(ask(&mut socket), "HTTP/1.1 200 OK");
        greedy.push(socket);
    }

    let refused = hear_until(&mut connect_from(&served, 2).await, "\u{0}");
    let other = ask(&mut connect_from(&served, 3).await);

    assert!(
        refused.contains("server.connections_per_address"),
        "{refused}"
    );
    assert_eq!(other, "HTTP/1.1 200 OK");
}

#[test]
fn the_consoles_feed_shares_the_bound_of_all_streams() {
    let served = served("[server]\nstreams = 1\n");
    let open = |path: &str| {
        let mut socket = connect(&served);
        say(
            &mut socket,
            &format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n"),
        );
        let head = hear_until(&mut socket, "\r\n\r\n");
        (socket, head)
    };

    let (feed, head) = open("/admin/live?room=overview");
    let (_, events) = open("/v1/events/stream");
    let (_, second) = open("/admin/live?room=overview");
    drop(feed);

    assert!(head.starts_with("HTTP/1.1 200"), "{head}");
    assert!(events.starts_with("HTTP/1.1 503"), "{events}");
    assert!(second.starts_with("HTTP/1.1 503"), "{second}");
    let began = Instant::now();
    while !open("/v1/events/stream").1.starts_with("HTTP/1.1 200") {
        assert!(began.elapsed() < TIMEOUT, "no stream has become free");
    }
}

#[test]
fn a_batch_that_comes_slowly_holds_up_no_other() {
    let served = served("[server]\nbatches = 1\n");
    let jobs = r#"{"jobs": [{"kind": "simulate", "payload": {}}"#;
    let slow = begin(&served, "/v1/jobs/batch", "application/json", jobs);

    let other = post(
        &served,
        "/v1/jobs/batch",
        "application/json",
        &format!("{jobs}]}}"),
    );

    assert!(other.starts_with("HTTP/1.1 201"), "{other}");
    drop(slow);
}

#[test]
fn an_import_that_comes_slowly_holds_up_no_other() {
    let served = served("[server]\nimports = 1\n");
    let rows = "id,platform\na,ios\n";
    let slow = begin(&served, "/v1/recipients/import", "text/csv", rows);

    let other = post(&served, "/v1/recipients/import", "text/csv", rows);

    assert!(other.starts_with("HTTP/1.1 200"), "{other}");
    assert!(other.contains(r#""added":1"#), "{other}");
    drop(slow);
}

#[test]
fn names_that_nobody_answers_for_do_not_hold_up_a_list() {
    let silent = UdpSocket::bind("127.0.0.1:0").unwrap();
    silent.set_read_timeout(Some(TIMEOUT)).unwrap();
    let nameserver = silent.local_addr().unwrap();
    let served = served(&format!(
        "[worker]\nslots = 300\n[http]\nnameservers = [\"{nameserver}\"]\n"
    ));
    let job = |i: usize| {
        let queue = i % 3;
        format!(
            r#"{{"kind": "http", "queue": "q{queue}", "payload": {{"url": "http://silent-{i}.example/"}}}}"#
        )
    };
    let jobs: Vec<_> = (0..900).map(job).collect();
    let batch = format!(r#"{{"jobs": [{}]}}"#, jobs.join(","));
    let added = post(&served, "/v1/jobs/batch", "application/json", &batch);
    assert!(added.starts_with("HTTP/1.1 201"), "{added}");
    until_asked(&silent, 600);

    let list = |path: &str| {
        let began = Instant::now();
        let mut socket = connect(&served);
        say(
            &mut socket,
            &format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"),
        );
        let answer = hear_until(&mut socket, "\u{0}");
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
        began.elapsed()
    };
    let mut took: Vec<_> = (0..9).map(|_| list("/v1/jobs?limit=1")).collect();

    took.sort();
    assert!(took[4] < Duration::from_secs(1), "{took:?}");
    // A look-up is given up after ten seconds: whoever waited for one would be slower than this.
    assert!(took[8] < Duration::from_secs(5), "{took:?}");
}

/// Waits until so many different names have been asked for.
fn until_asked(nameserver: &UdpSocket, most: usize) {
    let mut names = HashSet::new();
    let mut question = [0; 512];
    while names.len() < most {
        nameserver.recv(&mut question).unwrap();
        let name = question[12..].split(|byte| *byte == 0).next();
        names.insert(name.unwrap().to_vec());
    }
}

#[tokio::test]
async fn one_address_cannot_take_the_imports_of_all() {
    let served = served("[server]\nimports = 1\n");
    let import = |socket| begin_on(socket, "/v1/recipients/import", "text/csv", "id,platform\n");
    let mut greedy = Vec::new();
    for _ in 0..8 {
        greedy.push(import(connect_from(&served, 2).await));
    }

    let (mut socket, mut refused) = import(connect_from(&served, 2).await);
    refused += &hear_until(&mut socket, "}");
    let (_, other) = import(connect_from(&served, 3).await);

    assert!(
        greedy
            .iter()
            .all(|(_, heard)| heard.starts_with("HTTP/1.1 100"))
    );
    assert!(refused.starts_with("HTTP/1.1 503"), "{refused}");
    assert!(refused.contains("imports from this address"), "{refused}");
    assert!(other.starts_with("HTTP/1.1 100"), "{other}");
}

#[tokio::test]
async fn one_address_cannot_take_the_memory_of_all_batches() {
    let served = served("[server]\nbatches = 1\n");
    let batch = |socket, said: &str| begin_on(socket, "/v1/jobs/batch", "application/json", said);
    let much = " ".repeat(24_000_000);
    let _greedy = batch(connect_from(&served, 2).await, &much);

    let (mut socket, _) = batch(connect_from(&served, 2).await, &much);
    let refused = hear_until(&mut socket, "}");
    let (mut socket, _) = batch(connect_from(&served, 3).await, &much);
    say(&mut socket, &" ".repeat(6_000_000));
    let other = hear_until(&mut socket, "}");

    assert!(refused.contains("Batches from this address"), "{refused}");
    assert!(other.starts_with("HTTP/1.1 400"), "{other}");
}

#[test]
fn jobs_of_invented_queues_run_no_more_at_once_than_the_process_may() {
    let target = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/", target.local_addr().unwrap());
    let served = served("[worker]\nslots = 10\nmax_running = 40\n");
    let job = |i: usize| {
        let queue = i % 300;
        format!(r#"{{"kind": "http", "queue": "q{queue}", "payload": {{"url": "{url}"}}}}"#)
    };
    let jobs: Vec<_> = (0..900).map(job).collect();
    let batch = format!(r#"{{"jobs": [{}]}}"#, jobs.join(","));

    let added = post(&served, "/v1/jobs/batch", "application/json", &batch);
    assert!(added.starts_with("HTTP/1.1 201"), "{added}");
    let mut calls: Vec<_> = (0..40).map(|_| target.accept().unwrap().0).collect();
    target.set_nonblocking(true).unwrap();
    let idle = Instant::now() + Duration::from_secs(3);
    while Instant::now() < idle {
        assert!(target.accept().is_err(), "one more than may run at once");
        std::thread::sleep(Duration::from_millis(20));
    }

    // One that has ended makes room for one more.
    target.set_nonblocking(false).unwrap();
    say(
        &mut calls[0],
        "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
    );
    assert!(target.accept().is_ok());
}
