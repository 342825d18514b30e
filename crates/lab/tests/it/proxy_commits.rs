//! The proxy cuts around commits: a server and a client by hand, each byte of the protocol spelt out.

use std::{net::SocketAddr, sync::Arc};

use baton_lab::proxy::{CutCommits, How, Moment, Options, Protocol, Proxy, Upstream};
use parking_lot::Mutex;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
};

use crate::support::until;

fn message(letter: u8, body: &[u8]) -> Vec<u8> {
    let length = u32::try_from(body.len() + 4).unwrap();
    [&[letter][..], &length.to_be_bytes(), body].concat()
}

fn query(text: &str) -> Vec<u8> {
    message(b'Q', format!("{text}\0").as_bytes())
}

/// Parse, Bind, Execute and Sync of one statement, as drivers send them.
fn extended(name: &str, text: &str) -> Vec<u8> {
    [
        message(b'P', format!("{name}\0{text}\0\0\0").as_bytes()),
        message(b'B', format!("\0{name}\0\0\0\0\0\0\0").as_bytes()),
        message(b'E', b"\0\0\0\0\0"),
        message(b'S', b""),
    ]
    .concat()
}

async fn read_message(stream: &mut TcpStream) -> Option<(u8, Vec<u8>)> {
    let letter = stream.read_u8().await.ok()?;
    let length = stream.read_u32().await.ok()? as usize;
    let mut body = vec![0; length - 4];
    stream.read_exact(&mut body).await.ok()?;
    Some((letter, body))
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

/// Refuses encryption, greets, and commits what it is told to.
async fn serve(mut stream: TcpStream, committed: Committed) -> Option<()> {
    loop {
        let length = stream.read_u32().await.ok()? as usize;
        let mut body = vec![0; length - 4];
        stream.read_exact(&mut body).await.ok()?;
        if body.starts_with(&[0, 3, 0, 0]) {
            break;
        }
        stream.write_all(b"N").await.ok()?;
    }
    let greeting = [message(b'R', &[0, 0, 0, 0]), message(b'Z', b"I")].concat();
    stream.write_all(&greeting).await.ok()?;
    let mut open: Option<Vec<String>> = None;
    let mut parsed = String::new();
    loop {
        let (letter, body) = read_message(&mut stream).await?;
        let texts: Vec<_> = body.split(|byte| *byte == 0).collect();
        let answer = match letter {
            b'P' => {
                parsed = String::from_utf8_lossy(texts[1]).into_owned();
                message(b'1', b"")
            }
            b'B' => message(b'2', b""),
            b'E' => execute(&parsed, &mut open, &committed),
            b'Q' => {
                let text = String::from_utf8_lossy(texts[0]).into_owned();
                let mut answer = execute(&text, &mut open, &committed);
                answer.extend(ready(open.is_some()));
                answer
            }
            b'S' => ready(open.is_some()),
            _ => return None,
        };
        stream.write_all(&answer).await.ok()?;
    }
}

fn ready(is_open: bool) -> Vec<u8> {
    message(b'Z', if is_open { b"T" } else { b"I" })
}

fn execute(text: &str, open: &mut Option<Vec<String>>, committed: &Committed) -> Vec<u8> {
    let done = |tag: &str| message(b'C', format!("{tag}\0").as_bytes());
    match text {
        "BEGIN" => {
            *open = Some(Vec::new());
            done("BEGIN")
        }
        "COMMIT" => {
            committed.lock().extend(open.take().unwrap_or_default());
            done("COMMIT")
        }
        "INSERT nonsense" => message(b'E', b"SERROR\0C42601\0Msyntax error\0\0"),
        "SELECT" => done("SELECT 1"),
        write => {
            match open {
                Some(open) => open.push(write.to_owned()),
                None => committed.lock().push(write.to_owned()),
            }
            done("INSERT 0 1")
        }
    }
}

/// A session through the proxy.
struct Session(TcpStream);

impl Session {
    async fn open(proxy: &Proxy) -> Self {
        let mut stream = TcpStream::connect(proxy.addr()).await.unwrap();
        stream
            .write_all(b"\0\0\0\x08\x04\xd2\x16\x2f")
            .await
            .unwrap();
        assert_eq!(stream.read_u8().await.unwrap(), b'N');
        stream
            .write_all(b"\0\0\0\x12\0\x03\0\0user\0lab\0\0")
            .await
            .unwrap();
        let mut session = Self(stream);
        session.ready().await.unwrap();
        session
    }

    async fn send(&mut self, bytes: &[u8]) {
        self.0.write_all(bytes).await.unwrap();
    }

    /// The letters of an answer up to its end; `None` when the line broke.
    async fn ready(&mut self) -> Option<String> {
        let mut letters = String::new();
        loop {
            let (letter, _) = read_message(&mut self.0).await?;
            letters.push(char::from(letter));
            if letter == b'Z' {
                return Some(letters);
            }
        }
    }

    async fn ask(&mut self, bytes: &[u8]) -> Option<String> {
        self.send(bytes).await;
        self.ready().await
    }
}

async fn bench(moment: Moment, count: u32) -> (Proxy, Committed) {
    let (addr, committed) = server().await;
    let proxy = Proxy::start(Options {
        upstream: Upstream::Tcp(addr),
        protocol: Protocol::Postgres,
        seed: 7,
    })
    .await
    .unwrap();
    proxy.cut_commits(CutCommits {
        moment,
        count,
        one_in: 1,
    });
    (proxy, committed)
}

#[tokio::test]
async fn after_a_commit_the_server_has_it_and_the_client_hears_nothing() {
    let (proxy, committed) = bench(Moment::After, 1).await;
    let mut session = Session::open(&proxy).await;

    let begun = session.ask(&query("BEGIN")).await;
    let written = session.ask(&query("INSERT a")).await;
    let answer = session.ask(&query("COMMIT")).await;

    assert_eq!(
        (begun.as_deref(), written.as_deref()),
        (Some("CZ"), Some("CZ"))
    );
    assert_eq!(answer, None);
    assert_eq!(*committed.lock(), ["INSERT a"]);
    until("it is counted", || proxy.counts().cut_after_commit == 1).await;
    assert_eq!(proxy.deeds()[0].how, How::AfterCommit);
}

#[tokio::test]
async fn before_a_commit_the_server_never_hears_of_it() {
    let (proxy, committed) = bench(Moment::Before, 1).await;
    let mut session = Session::open(&proxy).await;
    session.ask(&query("BEGIN")).await.unwrap();
    session.ask(&query("INSERT a")).await.unwrap();

    let answer = session.ask(&query("COMMIT")).await;

    assert_eq!(answer, None);
    assert!(committed.lock().is_empty());
    until("it is counted", || proxy.counts().cut_before_commit == 1).await;
}

#[tokio::test]
async fn a_statement_that_commits_by_itself_is_cut_at_its_sync() {
    let (proxy, committed) = bench(Moment::After, 1).await;
    let mut session = Session::open(&proxy).await;

    let read = session.ask(&extended("s0", "SELECT")).await;
    let written = session.ask(&extended("s1", "INSERT a")).await;

    assert_eq!(read.as_deref(), Some("12CZ"));
    assert_eq!(written, None);
    assert_eq!(*committed.lock(), ["INSERT a"]);
}

#[tokio::test]
async fn within_a_transaction_only_its_commit_counts() {
    let (proxy, committed) = bench(Moment::After, 1).await;
    let mut session = Session::open(&proxy).await;

    let begun = session.ask(&query("BEGIN")).await;
    let written = session.ask(&extended("s1", "INSERT a")).await;
    let answer = session.ask(&extended("s2", "COMMIT")).await;

    assert!(begun.is_some() && written.is_some());
    assert_eq!(answer, None);
    assert_eq!(*committed.lock(), ["INSERT a"]);
    assert_eq!(proxy.counts().commits, 1);
}

#[tokio::test]
async fn a_write_that_fails_is_no_commit_and_the_next_one_is_cut() {
    let (proxy, committed) = bench(Moment::After, 1).await;
    let mut session = Session::open(&proxy).await;

    let failed = session.ask(&query("INSERT nonsense")).await;
    let written = session.ask(&query("INSERT a")).await;

    assert_eq!(failed.as_deref(), Some("EZ"));
    assert_eq!(written, None);
    assert_eq!(*committed.lock(), ["INSERT a"]);
}

#[tokio::test]
async fn answers_to_what_was_sent_ahead_of_the_commit_still_arrive() {
    let (proxy, committed) = bench(Moment::After, 1).await;
    let mut session = Session::open(&proxy).await;

    session
        .send(&[query("SELECT"), query("SELECT"), query("INSERT a")].concat())
        .await;

    assert_eq!(session.ready().await.as_deref(), Some("CZ"));
    assert_eq!(session.ready().await.as_deref(), Some("CZ"));
    assert_eq!(session.ready().await, None);
    assert_eq!(*committed.lock(), ["INSERT a"]);
}

#[tokio::test]
async fn messages_in_single_bytes_are_followed_all_the_same() {
    let (proxy, committed) = bench(Moment::After, 1).await;
    let mut session = Session::open(&proxy).await;
    session.0.set_nodelay(true).unwrap();

    for byte in extended("s1", "INSERT a") {
        session.send(&[byte]).await;
        tokio::task::yield_now().await;
    }

    assert_eq!(session.ready().await, None);
    assert_eq!(*committed.lock(), ["INSERT a"]);
}

#[tokio::test]
async fn no_more_commits_are_cut_than_were_asked_for() {
    let (proxy, committed) = bench(Moment::Either, 2).await;

    let mut broken = 0;
    for n in 0..5 {
        let mut session = Session::open(&proxy).await;
        let answer = session.ask(&query(&format!("INSERT {n}"))).await;
        broken += usize::from(answer.is_none());
    }

    let counts = proxy.counts();
    assert_eq!(broken, 2);
    assert_eq!(counts.commits, 5);
    assert_eq!(committed.lock().len() as u64, 5 - counts.cut_before_commit);
}
