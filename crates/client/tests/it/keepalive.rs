//! Connections on which nothing is said: a server whose machine has vanished is missed.

use std::time::{Duration, Instant};

use baton_client::Client;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
};

const ANSWER: &str =
    "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 12\r\n\r\n{\"items\":[]}";
/// What the system calls a connection that is open: one that has ended keeps its row, and with it its port, for a minute.
const OPEN: &str = "01";
/// What it calls the timer of a connection that is looked after while nothing is said.
const KEEPALIVE: &str = "02";
/// Ten seconds, as the system counts.
const TEN_SECONDS: u32 = 1_000;
/// The system writes the table while it changes, and a timer may be on its way: one look may show another state than the next.
const LONGEST_LOOK: Duration = Duration::from_secs(5);

#[tokio::test]
async fn a_connection_on_which_nothing_is_said_is_asked_about() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let client = Client::new(&format!("http://{address}")).unwrap();
    let asks = async { client.queues().await.unwrap() };
    let answers = async {
        let (mut server, _) = listener.accept().await.unwrap();
        let _ = server.read(&mut [0; 4096]).await.unwrap();
        server.write_all(ANSWER.as_bytes()).await.unwrap();
        server
    };

    let (_, _open) = tokio::join!(asks, answers);

    let began = Instant::now();
    let mut timers = timers_of_open_connections_to(address.port());
    while !matches!(&timers[..], [(kind, when)] if kind == KEEPALIVE && *when <= TEN_SECONDS) {
        assert!(began.elapsed() < LONGEST_LOOK, "{timers:?}");
        tokio::task::yield_now().await;
        timers = timers_of_open_connections_to(address.port());
    }
}

/// The timer of each, and when it goes off.
fn timers_of_open_connections_to(port: u16) -> Vec<(String, u32)> {
    let table = std::fs::read_to_string("/proc/net/tcp").unwrap();
    let rows = table.lines().map(|line| line.split_whitespace().collect());
    let to = format!(":{port:04X}");
    let own = rows.filter(|row: &Vec<&str>| row[2].ends_with(&to) && row[3] == OPEN);
    let timer = own.map(|row| row[5].split_once(':').unwrap());
    timer
        .map(|(kind, when)| (kind.to_owned(), u32::from_str_radix(when, 16).unwrap()))
        .collect()
}
