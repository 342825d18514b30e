//! A line to a real Redis is cut exactly where an element has been moved and nobody was told.

use baton_lab::{
    proxy::{How, Options, Protocol, Proxy, Upstream},
    servers::{Redis, Reply},
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

async fn proxy_before(redis: &Redis) -> Proxy {
    let upstream = format!("127.0.0.1:{}", redis.port());
    Proxy::start(Options {
        upstream: Upstream::Tcp(upstream.parse().unwrap()),
        protocol: Protocol::Redis,
        seed: 1,
    })
    .await
    .unwrap()
}

/// Says all of it at once, and hears everything up to the end of the connection or so many bytes.
async fn say(proxy: &Proxy, text: &str, bytes: usize) -> String {
    let mut stream = TcpStream::connect(proxy.addr()).await.unwrap();
    stream.write_all(text.as_bytes()).await.unwrap();
    let mut heard = Vec::new();
    while heard.len() < bytes {
        match stream.read_buf(&mut heard).await {
            Ok(0) | Err(_) => break,
            Ok(_) => {}
        }
    }
    String::from_utf8(heard).unwrap()
}

#[tokio::test]
async fn without_a_plan_every_answer_passes() {
    let redis = Redis::start(&[]).unwrap();
    let proxy = proxy_before(&redis).await;

    let heard = say(
        &proxy,
        "RPUSH ready a\r\nLMOVE ready own LEFT RIGHT\r\n",
        11,
    )
    .await;

    assert_eq!(heard, ":1\r\n$1\r\na\r\n");
    assert_eq!(proxy.counts().moves, 1);
}

#[tokio::test]
async fn the_element_has_moved_and_its_mover_never_hears_of_it() {
    let redis = Redis::start(&[]).unwrap();
    let proxy = proxy_before(&redis).await;
    redis.command(&["RPUSH", "ready", "a"]).unwrap();

    proxy.cut_moves(1);
    let heard = say(
        &proxy,
        "*1\r\n$4\r\nPING\r\n*6\r\n$6\r\nBLMOVE\r\n$5\r\nready\r\n$3\r\nown\r\n$4\r\nLEFT\r\n$5\r\nRIGHT\r\n$1\r\n1\r\n",
        100,
    )
    .await;

    assert_eq!(heard, "+PONG\r\n");
    let own = redis.command(&["LRANGE", "own", "0", "-1"]).unwrap();
    assert_eq!(own, Reply::List(vec![Reply::Text("a".to_owned())]));
    assert_eq!(proxy.counts().cut_after_move, 1);
    assert_eq!(proxy.deeds()[0].how, How::AfterMove);
}

#[tokio::test]
async fn a_move_of_nothing_is_none_and_the_plan_waits_for_the_next() {
    let redis = Redis::start(&[]).unwrap();
    let proxy = proxy_before(&redis).await;

    proxy.cut_moves(1);
    let heard = say(&proxy, "LPOP ready\r\nRPUSH ready a\r\nLPOP ready\r\n", 100).await;

    assert_eq!(heard, "$-1\r\n:1\r\n");
    assert_eq!(redis.command(&["LLEN", "ready"]).unwrap(), Reply::Number(0));
}
