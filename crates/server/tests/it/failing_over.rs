//! A node that stays up while the database fails over to a standby that lacks the last commits.

use std::{
    io::{Read, Write},
    net::{Ipv4Addr, SocketAddr, TcpStream},
    process::Command,
    sync::{Arc, Mutex},
    time::Duration,
};

use baton_lab::servers::{Confirms, Mysql, Replicated};
use baton_testkit::{
    Postgres, Redis, eventually,
    proxy::{self, Protocol, Proxy, Upstream},
};

use crate::support::{Served, run};

const TIMEOUT: Duration = Duration::from_secs(30);

/// A primary, and a standby that gets what is committed a little later.
struct Pair {
    primary: Postgres,
    standby: Postgres,
}

impl Pair {
    fn start() -> Self {
        let primary = Postgres::start();
        let standby = primary.standby(&[]);
        Self { primary, standby }
    }

    fn url(&self) -> String {
        let (primary, standby) = (self.primary.port(), self.standby.port());
        format!("postgres://postgres@127.0.0.1:{primary},127.0.0.1:{standby}/postgres")
    }

    /// What is committed from now on is lost.
    async fn part(&mut self) {
        let committed = ask(&self.primary, "SELECT pg_current_wal_flush_lsn()");
        let sql = format!("SELECT pg_last_wal_replay_lsn() >= '{committed}'");
        eventually("the standby has it", TIMEOUT, async || {
            ask(&self.standby, &sql) == "t"
        })
        .await;
        self.standby.stop();
    }

    fn fail_over(&mut self) {
        self.primary.kill();
        self.standby.restart();
        self.standby.promote();
    }
}

fn ask(postgres: &Postgres, sql: &str) -> String {
    let mut psql = Command::new(postgres.bin_dir().join("psql"));
    let asked = psql.args(["-XAtc", sql, &postgres.url()]).output().unwrap();
    assert!(asked.status.success(), "{asked:?}");
    String::from_utf8(asked.stdout).unwrap().trim().to_owned()
}

/// How often hints have begun.
fn generation(postgres: &Postgres) -> u64 {
    let number = ask(postgres, "SELECT number FROM hint_generation WHERE id = 1");
    number.parse().unwrap()
}

/// A stream of events that stays open, and what it has said.
struct Stream(Arc<Mutex<String>>);

impl Stream {
    fn open(served: &Served, path: &str) -> Self {
        let address = served.url.strip_prefix("http://").unwrap();
        let mut socket = TcpStream::connect(address).unwrap();
        let request = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\n\r\n");
        socket.write_all(request.as_bytes()).unwrap();
        let heard = Arc::new(Mutex::new(String::new()));
        let said = heard.clone();
        std::thread::spawn(move || {
            let mut piece = [0; 4096];
            // It ends with the server.
            while let Ok(read @ 1..) = socket.read(&mut piece) {
                let text = String::from_utf8_lossy(&piece[..read]);
                said.lock().unwrap().push_str(&text);
            }
        });
        Self(heard)
    }

    async fn says(&self, word: &str) {
        let what = format!("the stream says {word}");
        eventually(&what, TIMEOUT, async || {
            self.0.lock().unwrap().contains(word)
        })
        .await;
    }

    /// How it went on after its last reset.
    fn after_the_reset(&self) -> String {
        let said = self.0.lock().unwrap();
        said.rsplit_once("event: reset").unwrap().1.to_owned()
    }
}

fn served(url: &str, more: &[&str]) -> Served {
    let flags = ["--database", url, "--migrate", "--allow-unsafe-durability"];
    Served::start(&[&flags[..], more].concat())
}

fn enqueue(served: &Served, key: &str, more: &[&str]) -> String {
    let words = ["jobs", "enqueue", "simulate", "--json", "--key", key];
    let ran = served.run(&[&words[..], more].concat());
    assert_eq!(ran.code(), 0, "{}", ran.err());
    ran.json()["id"].as_str().unwrap().to_owned()
}

fn notify(served: &Served, recipient: &str, title: &str) {
    let words = ["notify", recipient, "--title", title, "--body", "b"];
    let ran = served.run(&[&words[..], &["--action", "inbox"]].concat());
    assert_eq!(ran.code(), 0, "{}", ran.err());
}

fn recipient(served: &Served, id: &str) {
    let ran = served.run(&["recipients", "put", id, "--platform", "ios"]);
    assert_eq!(ran.code(), 0, "{}", ran.err());
}

#[tokio::test(flavor = "multi_thread")]
async fn streams_that_stay_open_through_a_lossy_failover_are_told_to_begin_anew() {
    let mut pair = Pair::start();
    let stays = served(&pair.url(), &[]);
    recipient(&stays, "a");
    notify(&stays, "a", "kept");
    let feed = Stream::open(&stays, "/v1/events/stream?types=job.");
    let inbox = Stream::open(&stays, "/v1/recipients/a/inbox/stream");
    feed.says("following").await;
    inbox.says("inbox.unread").await;
    pair.part().await;
    recipient(&stays, "b");
    let lost = Stream::open(&stays, "/v1/recipients/b/inbox/stream");
    notify(&stays, "a", "lost");
    enqueue(&stays, "lost", &["--wait", "30s"]);
    inbox.says("\"lost\"").await;
    lost.says("inbox.unread").await;
    feed.says("job.succeeded").await;

    stays.signal("STOP");
    pair.fail_over();
    let other = served(&pair.standby.url(), &[]);
    // The same version of the inbox, and the numbers of the events up to where the reader was and beyond.
    notify(&other, "a", "another");
    for number in 0..9 {
        enqueue(&other, &format!("new-{number}"), &["--wait", "30s"]);
    }
    stays.signal("CONT");
    for stream in [&feed, &inbox, &lost] {
        stream.says("event: reset").await;
    }
    notify(&other, "a", "after");
    let last = enqueue(&other, "after", &["--wait", "30s"]);
    inbox.says("\"after\"").await;
    feed.says(&last).await;

    let told = inbox.after_the_reset();
    assert!(!told.contains("\"lost\""), "{told}");
    let ids = feed.after_the_reset();
    let epochs = ids.lines().filter_map(|line| line.strip_prefix("id: "));
    let mut epochs: Vec<_> = epochs.map(|id| id.split('-').next().unwrap()).collect();
    epochs.dedup();
    assert_eq!(epochs.len(), 1, "{ids}");
}

#[tokio::test(flavor = "multi_thread")]
async fn after_a_lossy_failover_a_node_that_stayed_runs_what_there_is_and_nothing_hangs() {
    let mut pair = Pair::start();
    let redis = Redis::start();
    let stays = served(&pair.url(), &["--redis", &redis.url()]);
    stays.run(&["queues", "pause", "default"]);
    let kept: Vec<_> = (0..3)
        .map(|n| enqueue(&stays, &format!("kept-{n}"), &[]))
        .collect();
    // Else the standby does not know of the first hints either.
    eventually("there are hints", TIMEOUT, async || {
        generation(&pair.primary) > 0
    })
    .await;
    pair.part().await;
    stays.run(&["queues", "resume", "default"]);
    for n in 0..3 {
        enqueue(&stays, &format!("kept-{n}"), &["--wait", "30s"]);
    }
    let gone = enqueue(&stays, "gone", &["--wait", "30s"]);
    // Claimed in memory, by a claim that is lost; it ends after the failover.
    let long = ["--payload", r#"{"sleep_ms": 5000}"#];
    let under_way = enqueue(&stays, "under way", &long);

    pair.fail_over();
    eventually("the node is ready again", TIMEOUT, async || {
        stays.run(&["queues", "resume", "default"]).code() == 0
    })
    .await;
    // Whether anybody reads the feed or not.
    eventually("hints begin anew", TIMEOUT, async || {
        generation(&pair.standby) > 1
    })
    .await;
    for (n, id) in kept.iter().enumerate() {
        let again = enqueue(&stays, &format!("kept-{n}"), &["--wait", "30s"]);
        assert_eq!(again, *id, "its key is known, and it runs again");
    }
    let anew = enqueue(&stays, "gone", &["--wait", "30s"]);
    let once_more = enqueue(&stays, "under way", &["--wait", "30s"]);
    let missing = [&gone, &under_way].map(|id| stays.run(&["jobs", "show", id]).code());
    let queues = stays.run(&["queues", "list", "--json"]).out();

    assert_eq!(missing, [3, 3], "what is lost is said to be unknown");
    assert!(anew != gone && once_more != under_way);
    let line: serde_json::Value = serde_json::from_str(queues.lines().next().unwrap()).unwrap();
    assert_eq!(
        (&line["running"], &line["queued"]),
        (&0.into(), &0.into()),
        "{line}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_replica_of_mariadb_lacked_is_gone_and_readers_begin_anew_if_that_is_said() {
    let mut pair = Replicated::start(Confirms::Alone).unwrap();
    let direct = pair.primary.database().unwrap();
    let line = line_to(&pair.primary).await;
    let url = |port: u16| direct.replace(&pair.primary.port().to_string(), &port.to_string());
    let (before, after) = (url(line.addr().port()), url(pair.replica.port()));
    let stays = served(&before, &[]);
    let kept = enqueue(&stays, "kept", &["--wait", "30s"]);
    let feed = Stream::open(&stays, "/v1/events/stream?types=job.");
    feed.says("following").await;
    pair.wait_until_followed().unwrap();
    pair.part().unwrap();
    let gone = enqueue(&stays, "gone", &["--wait", "30s"]);
    feed.says(&gone).await;

    pair.fail_over().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let said = run(
        folder.path(),
        &["migrate", "--restored", "--database", &after],
    );
    line.lead_to(upstream(&pair.replica));
    line.cut_all();
    eventually("the node is ready again", TIMEOUT, async || {
        stays.run(&["queues", "resume", "default"]).code() == 0
    })
    .await;
    feed.says("event: reset").await;
    let again = enqueue(&stays, "kept", &[]);
    let missing = stays.run(&["jobs", "show", &gone]).code();
    let anew = enqueue(&stays, "gone", &["--wait", "30s"]);
    feed.says(&anew).await;

    assert_eq!(said.code(), 0, "{}", said.err());
    assert_eq!(again, kept);
    assert_eq!(missing, 3, "what is lost is said to be unknown");
    assert_ne!(anew, gone);
}

async fn line_to(server: &Mysql) -> Proxy {
    let options = proxy::Options {
        upstream: upstream(server),
        protocol: Protocol::Mysql,
        seed: 1,
    };
    Proxy::start(options).await.unwrap()
}

fn upstream(server: &Mysql) -> Upstream {
    Upstream::Tcp(SocketAddr::from((Ipv4Addr::LOCALHOST, server.port())))
}
