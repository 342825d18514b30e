//! The proxy cuts around the commits of MySQL: a server and a client by hand, each byte of the protocol spelt out.

use std::{collections::BTreeSet, net::SocketAddr, sync::Arc};

use baton_lab::proxy::{CutCommits, How, Moment, Options, Protocol, Proxy, Upstream};
use parking_lot::Mutex;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
};

use crate::support::until;

const IN_TRANSACTION: u8 = 1;
const MORE_RESULTS: u8 = 8;
/// Long passwords, the protocol of 4.1, several statements, and ends that are said like results.
const CAPABILITIES: [u8; 4] = [1, 2, 1, 1];
/// The same, and encryption.
const ENCRYPTED: [u8; 4] = [1, 0x0a, 1, 1];

fn packet(number: u8, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).unwrap().to_le_bytes();
    [&length[..3], &[number], payload].concat()
}

fn query(text: &str) -> Vec<u8> {
    packet(0, &[b"\x03", text.as_bytes()].concat())
}

async fn read_packet(stream: &mut TcpStream) -> Option<Vec<u8>> {
    let mut head = [0; 4];
    stream.read_exact(&mut head).await.ok()?;
    let length = u32::from_le_bytes([head[0], head[1], head[2], 0]);
    let mut payload = vec![0; length as usize];
    stream.read_exact(&mut payload).await.ok()?;
    Some(payload)
}

/// What a server by hand has committed.
type Committed = Arc<Mutex<Vec<String>>>;

async fn server() -> (SocketAddr, Committed) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let addr = listener.local_addr().unwrap();
    let committed = Committed::default();
    let log = Arc::clone(&committed);
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(serve(stream, Arc::clone(&log)));
        }
    });
    (addr, committed)
}

/// Greets, and commits what it is told to.
async fn serve(mut stream: TcpStream, committed: Committed) -> Option<()> {
    let [low, lower, high, higher] = ENCRYPTED;
    let behind_version = [
        &[7, 0, 0, 0][..],
        b"secret..",
        &[0, low, lower, 45, 2, 0, high, higher],
        &[0; 13],
    ];
    let greeting = [&b"\x0a10.11.6-MariaDB\0"[..], &behind_version.concat()].concat();
    stream.write_all(&packet(0, &greeting)).await.ok()?;
    read_packet(&mut stream).await?;
    stream.write_all(&packet(2, &result(0, 2))).await.ok()?;
    let mut open: Option<Vec<String>> = None;
    loop {
        let command = read_packet(&mut stream).await?;
        let answer = match command.split_first()? {
            (3, text) => answer(&String::from_utf8_lossy(text), &mut open, &committed),
            (0x0e, _) => packet(1, &result(0, 2)),
            _ => return None,
        };
        stream.write_all(&answer).await.ok()?;
    }
}

/// A result without rows, or the end of rows.
fn result(first: u8, status: u8) -> [u8; 7] {
    [first, 0, 0, status, 0, 0, 0]
}

fn answer(text: &str, open: &mut Option<Vec<String>>, committed: &Committed) -> Vec<u8> {
    let mut answer = Vec::new();
    let mut number = 0;
    let mut say = |payload: &[u8]| {
        number += 1;
        answer.extend(packet(number, payload));
    };
    let statements: Vec<_> = text.split("; ").collect();
    for (left, statement) in (0..statements.len()).rev().zip(&statements) {
        match *statement {
            "BEGIN" => *open = Some(Vec::new()),
            "COMMIT" => committed.lock().extend(open.take().unwrap_or_default()),
            "ROLLBACK" => *open = None,
            "INSERT nonsense" => {
                say(b"\xff\x28\x04#42000syntax error");
                return answer;
            }
            write if write.starts_with("INSERT") => match open {
                Some(open) => open.push(write.to_owned()),
                None => committed.lock().push(write.to_owned()),
            },
            _ => {}
        }
        let more = if left > 0 { MORE_RESULTS } else { 0 };
        let status = 2 | more | if open.is_some() { IN_TRANSACTION } else { 0 };
        if *statement == "SELECT" {
            say(b"\x01");
            say(b"\x03def\0\0\0\x01a\0\x0c\x2d\0\x01\0\0\0\x03\0\0\0\0\0");
            say(b"\x011");
            say(&result(0xfe, status));
        } else {
            say(&result(0, status));
        }
    }
    answer
}

/// A session through the proxy.
struct Session(TcpStream);

impl Session {
    async fn open(proxy: &Proxy) -> Self {
        let mut stream = TcpStream::connect(proxy.addr()).await.unwrap();
        read_packet(&mut stream).await.unwrap();
        let reply = [&CAPABILITIES[..], &[0; 28], b"lab\0\0"].concat();
        stream.write_all(&packet(1, &reply)).await.unwrap();
        assert_eq!(read_packet(&mut stream).await.unwrap()[0], 0);
        Self(stream)
    }

    /// How many packets of an answer came, and whether it was whole.
    async fn ask(&mut self, text: &str, packets: usize) -> (usize, bool) {
        self.0.write_all(&query(text)).await.unwrap();
        self.receive(packets).await
    }

    async fn receive(&mut self, packets: usize) -> (usize, bool) {
        for came in 0..packets {
            if read_packet(&mut self.0).await.is_none() {
                return (came, false);
            }
        }
        (packets, true)
    }
}

async fn proxy(seed: u64) -> (Proxy, Committed) {
    let (addr, committed) = server().await;
    let options = Options {
        upstream: Upstream::Tcp(addr),
        protocol: Protocol::Mysql,
        seed,
    };
    (Proxy::start(options).await.unwrap(), committed)
}

async fn bench(moment: Moment, count: u32) -> (Proxy, Committed) {
    let (proxy, committed) = proxy(7).await;
    proxy.cut_commits(CutCommits {
        moment,
        count,
        one_in: 1,
    });
    (proxy, committed)
}

/// A transaction in one text, and how many packets answer it.
const TRANSACTION: (&str, usize) = ("BEGIN; INSERT a; SELECT; COMMIT", 7);

#[tokio::test]
async fn after_the_commit_of_a_text_the_server_has_it_and_the_client_hears_anything_but_the_end() {
    let mut heard = BTreeSet::new();
    for seed in 0..40 {
        let (proxy, committed) = proxy(seed).await;
        proxy.cut_commits(CutCommits {
            moment: Moment::After,
            count: 1,
            one_in: 1,
        });
        let mut session = Session::open(&proxy).await;

        let (came, is_whole) = session.ask(TRANSACTION.0, TRANSACTION.1).await;

        assert!(!is_whole);
        assert_eq!(*committed.lock(), ["INSERT a"]);
        until("it is counted", || proxy.counts().cut_after_commit == 1).await;
        assert_eq!(proxy.deeds()[0].how, How::AfterCommit);
        heard.insert(came);
    }
    // Behind each packet of the answer, none included.
    assert_eq!(heard, (0..TRANSACTION.1).collect());
}

#[tokio::test]
async fn before_the_commit_of_a_text_the_server_hears_none_of_it_or_not_all() {
    let mut passed = BTreeSet::new();
    for seed in 0..20 {
        let (proxy, committed) = proxy(seed).await;
        proxy.cut_commits(CutCommits {
            moment: Moment::Before,
            count: 1,
            one_in: 1,
        });
        let mut session = Session::open(&proxy).await;
        let before = proxy.counts().to_server;

        let answer = session.ask(TRANSACTION.0, TRANSACTION.1).await;

        assert_eq!(answer, (0, false));
        assert!(committed.lock().is_empty());
        until("it is counted", || proxy.counts().cut_before_commit == 1).await;
        passed.insert(proxy.counts().to_server - before);
    }
    assert!(passed.contains(&0) && passed.len() > 5, "{passed:?}");
}

#[tokio::test]
async fn a_commit_that_is_a_text_of_its_own_is_the_one_that_counts() {
    let (proxy, committed) = bench(Moment::After, 1).await;
    let mut session = Session::open(&proxy).await;

    let written = session.ask("BEGIN; INSERT a; SELECT", 6).await;
    let looked = session.ask("SELECT", 4).await;
    let answer = session.ask("COMMIT", 1).await;

    assert_eq!((written, looked), ((6, true), (4, true)));
    assert_eq!(answer, (0, false));
    assert_eq!(*committed.lock(), ["INSERT a"]);
    assert_eq!(proxy.counts().commits, 1);
}

#[tokio::test]
async fn a_statement_that_commits_by_itself_is_cut_and_what_only_looks_or_rolls_back_is_not() {
    let (proxy, committed) = bench(Moment::After, 1).await;
    let mut session = Session::open(&proxy).await;

    let looked = session.ask("SELECT", 4).await;
    let undone = session.ask("BEGIN; INSERT a; ROLLBACK", 3).await;
    session.0.write_all(&packet(0, b"\x0e")).await.unwrap();
    let pinged = session.receive(1).await;
    let written = session.ask("INSERT b", 1).await;

    assert_eq!((looked, undone, pinged), ((4, true), (3, true), (1, true)));
    assert_eq!(written, (0, false));
    assert_eq!(*committed.lock(), ["INSERT b"]);
}

#[tokio::test]
async fn a_text_that_fails_is_no_commit_and_is_told_whole_and_the_next_one_is_cut() {
    let (proxy, committed) = bench(Moment::After, 1).await;
    let mut session = Session::open(&proxy).await;

    let failed = session
        .ask("BEGIN; INSERT a; INSERT nonsense; COMMIT", 3)
        .await;
    let undone = session.ask("ROLLBACK", 1).await;
    let answer = session.ask(TRANSACTION.0, TRANSACTION.1).await;

    assert_eq!((failed, undone), ((3, true), (1, true)));
    assert!(!answer.1);
    assert_eq!(*committed.lock(), ["INSERT a"]);
    assert_eq!(proxy.counts().cut_after_commit, 1);
}

#[tokio::test]
async fn packets_in_single_bytes_are_followed_all_the_same() {
    let (proxy, committed) = bench(Moment::After, 1).await;
    let mut session = Session::open(&proxy).await;
    session.0.set_nodelay(true).unwrap();

    for byte in query(TRANSACTION.0) {
        session.0.write_all(&[byte]).await.unwrap();
        tokio::task::yield_now().await;
    }

    assert!(!session.receive(TRANSACTION.1).await.1);
    assert_eq!(*committed.lock(), ["INSERT a"]);
}

#[tokio::test]
async fn no_more_commits_are_cut_than_were_asked_for() {
    let (proxy, committed) = bench(Moment::Either, 2).await;

    let mut broken = 0;
    for n in 0..5 {
        let mut session = Session::open(&proxy).await;
        let answer = session.ask(&format!("INSERT {n}"), 1).await;
        broken += usize::from(!answer.1);
    }

    let counts = proxy.counts();
    assert_eq!(broken, 2);
    assert_eq!(counts.commits, 5);
    assert_eq!(committed.lock().len() as u64, 5 - counts.cut_before_commit);
}

#[tokio::test]
async fn the_line_is_cut_behind_each_packet_in_turn_and_stays_shut_until_it_is_healed() {
    let whole = TRANSACTION.1 + 1;
    for behind in 1..=whole {
        let (proxy, committed) = proxy(7).await;
        let mut session = Session::open(&proxy).await;
        proxy.cut_behind(u32::try_from(behind).unwrap());

        let (came, _) = session.ask(TRANSACTION.0, TRANSACTION.1).await;

        // The first is the query.
        assert_eq!(came, behind - 1);
        until("it is counted", || proxy.counts().cut_behind_message == 1).await;
        until("the server has done it", || committed.lock().len() == 1).await;
        assert!(TcpStream::connect(proxy.addr()).await.is_err());
        proxy.heal();
        until("it is open again", || {
            std::net::TcpStream::connect(proxy.addr()).is_ok()
        })
        .await;
    }
}

#[tokio::test]
async fn an_encrypted_session_passes_as_bytes() {
    let (proxy, _) = bench(Moment::Either, 1).await;
    let mut stream = TcpStream::connect(proxy.addr()).await.unwrap();
    read_packet(&mut stream).await.unwrap();

    let encrypts = [&ENCRYPTED[..], &[0; 28]].concat();
    stream.write_all(&packet(1, &encrypts)).await.unwrap();
    let answer = read_packet(&mut stream).await.unwrap();
    stream.write_all(&query("INSERT a")).await.unwrap();
    let next = read_packet(&mut stream).await.unwrap();

    assert_eq!((answer[0], next[0]), (0, 0));
    assert_eq!(proxy.counts().commits, 0);
}
