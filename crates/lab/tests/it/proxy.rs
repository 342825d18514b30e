//! The proxy breaks a line in each of the ways it promises, and in no other.

use std::{
    io,
    net::SocketAddr,
    time::{Duration, Instant},
};

use baton_lab::proxy::{How, ListenerMode, Options, Protocol, Proxy, Upstream};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream, UnixListener},
};

use crate::support::until;

/// A server that says back what it hears.
async fn echo() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let addr = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            tokio::spawn(async move {
                let (mut from, mut to) = stream.split();
                let _ = tokio::io::copy(&mut from, &mut to).await;
            });
        }
    });
    addr
}

async fn proxy(upstream: Upstream) -> Proxy {
    Proxy::start(Options {
        upstream,
        protocol: Protocol::Bytes,
        seed: 1,
    })
    .await
    .unwrap()
}

async fn proxy_to_echo() -> Proxy {
    proxy(Upstream::Tcp(echo().await)).await
}

async fn say(stream: &mut TcpStream, text: &str) -> io::Result<String> {
    stream.write_all(text.as_bytes()).await?;
    let mut heard = vec![0; text.len()];
    stream.read_exact(&mut heard).await?;
    Ok(String::from_utf8(heard).unwrap())
}

async fn connect(proxy: &Proxy) -> TcpStream {
    TcpStream::connect(proxy.addr()).await.unwrap()
}

/// Who was still in the line when the listener was shut is reset; who comes later is refused.
async fn is_refused(proxy: &Proxy) -> bool {
    match TcpStream::connect(proxy.addr()).await {
        Ok(_) => false,
        Err(error) => error.kind() == io::ErrorKind::ConnectionRefused,
    }
}

#[tokio::test]
async fn a_silent_line_keeps_what_is_said_and_passes_it_on_later() {
    let proxy = proxy_to_echo().await;
    let mut stream = connect(&proxy).await;
    say(&mut stream, "before").await.unwrap();

    proxy.change(|faults| faults.to_client.is_silent = true);
    let kept = tokio::time::timeout(Duration::from_millis(100), say(&mut stream, "during")).await;
    proxy.heal();
    let mut heard = [0; 6];
    stream.read_exact(&mut heard).await.unwrap();

    assert!(kept.is_err(), "{kept:?}");
    assert_eq!(&heard, b"during");
}

#[tokio::test]
async fn without_a_fault_bytes_pass_both_ways() {
    let proxy = proxy_to_echo().await;
    let mut client = connect(&proxy).await;

    let heard = say(&mut client, "hello").await.unwrap();

    assert_eq!(heard, "hello");
    let counts = proxy.counts();
    assert_eq!((counts.to_server, counts.to_client), (5, 5));
}

#[tokio::test]
async fn a_megabyte_passes_unchanged_while_both_sides_talk() {
    let proxy = proxy_to_echo().await;
    let (mut from, mut to) = connect(&proxy).await.into_split();
    let sent: Vec<u8> = (0..1_000_000_u32).map(|n| (n % 251) as u8).collect();

    let copy = sent.clone();
    let writer = tokio::spawn(async move {
        to.write_all(&copy).await.unwrap();
        to.shutdown().await.unwrap();
    });
    let mut heard = Vec::new();
    from.read_to_end(&mut heard).await.unwrap();

    writer.await.unwrap();
    assert_eq!(heard, sent);
}

#[tokio::test]
async fn a_unix_socket_can_be_behind_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("socket");
    let listener = UnixListener::bind(&path).unwrap();
    tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let (mut from, mut to) = stream.split();
        tokio::io::copy(&mut from, &mut to).await.unwrap();
    });
    let proxy = proxy(Upstream::Unix(path)).await;

    let heard = say(&mut connect(&proxy).await, "hello").await.unwrap();

    assert_eq!(heard, "hello");
}

#[tokio::test]
async fn a_delay_holds_what_passes() {
    let proxy = proxy_to_echo().await;
    let mut client = connect(&proxy).await;
    proxy.change(|faults| faults.to_client.delay = Duration::from_millis(80));

    let began = Instant::now();
    say(&mut client, "hello").await.unwrap();

    assert!(began.elapsed() >= Duration::from_millis(80));
}

#[tokio::test]
async fn a_cut_resets_every_open_connection_and_spares_the_next() {
    let proxy = proxy_to_echo().await;
    let mut clients = [connect(&proxy).await, connect(&proxy).await];
    for client in &mut clients {
        say(client, "hello").await.unwrap();
    }

    proxy.cut_all();

    for client in &mut clients {
        let error = client.read(&mut [0]).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::ConnectionReset);
    }
    until("both are counted", || proxy.counts().cut_all == 2).await;
    assert!(proxy.deeds().iter().all(|deed| deed.how == How::CutAll));
    assert!(say(&mut connect(&proxy).await, "hello").await.is_ok());
}

#[tokio::test]
async fn a_shut_listener_refuses_and_opens_again_on_the_same_port() {
    let proxy = proxy_to_echo().await;
    let mut inside = connect(&proxy).await;
    say(&mut inside, "hello").await.unwrap();

    proxy.change(|faults| faults.listener = ListenerMode::Refuse);
    while !is_refused(&proxy).await {
        tokio::task::yield_now().await;
    }
    let still = say(&mut inside, "still here").await;
    proxy.heal();
    let again = loop {
        if let Ok(stream) = TcpStream::connect(proxy.addr()).await {
            break stream;
        }
        tokio::task::yield_now().await;
    };

    assert_eq!(still.unwrap(), "still here");
    assert_eq!(again.peer_addr().unwrap(), proxy.addr());
}

#[tokio::test]
async fn a_mute_listener_accepts_and_never_answers() {
    let proxy = proxy_to_echo().await;
    proxy.change(|faults| faults.listener = ListenerMode::Mute);
    let mut client = connect(&proxy).await;
    client.write_all(b"hello").await.unwrap();
    until("it is let in", || proxy.counts().muted == 1).await;

    let waited = tokio::time::timeout(Duration::from_millis(100), client.read(&mut [0])).await;
    proxy.cut_all();

    assert!(waited.is_err(), "it answered: {waited:?}");
    assert!(client.read(&mut [0]).await.is_err());
    assert_eq!(proxy.counts().to_server, 0);
}

#[tokio::test]
async fn a_line_with_a_limit_carries_exactly_so_many_bytes() {
    let proxy = proxy_to_echo().await;
    proxy.change(|faults| faults.to_server.cut_after = Some(8));
    let mut client = connect(&proxy).await;

    let first = say(&mut client, "hello").await;
    let second = say(&mut client, "hello").await;

    assert!(first.is_ok());
    assert!(second.is_err());
    until("it is counted", || proxy.counts().cut_after_bytes == 1).await;
    assert_eq!(proxy.counts().to_server, 8);
}

#[tokio::test]
async fn a_server_that_is_down_resets_who_connects() {
    let nobody = {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        listener.local_addr().unwrap()
    };
    let proxy = proxy(Upstream::Tcp(nobody)).await;

    let read = connect(&proxy).await.read(&mut [0]).await;

    assert!(read.is_err());
    assert_eq!(proxy.counts().unreachable, 1);
}

#[tokio::test]
async fn a_stopped_proxy_leaves_no_connection_and_no_port() {
    let proxy = proxy_to_echo().await;
    let addr = proxy.addr();
    let mut client = connect(&proxy).await;
    say(&mut client, "hello").await.unwrap();

    proxy.stop().await;

    assert!(matches!(client.read(&mut [0]).await, Ok(0) | Err(_)));
    assert!(TcpStream::connect(addr).await.is_err());
}
