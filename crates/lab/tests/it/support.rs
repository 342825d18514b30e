//! A client by hand: what it sent and what came back, to the byte.

use std::{net::SocketAddr, time::Duration};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

/// A connection to a target.
pub struct Client(TcpStream);

/// What a request got.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Got {
    Answer { status: u16, head: String },
    Reset,
    Closed,
}

impl Got {
    pub fn status(&self) -> Option<u16> {
        match self {
            Self::Answer { status, .. } => Some(*status),
            _ => None,
        }
    }
}

impl Client {
    pub async fn connect(addr: SocketAddr) -> Self {
        Self(TcpStream::connect(addr).await.unwrap())
    }

    pub async fn post(&mut self, path: &str, key: &str, attempt: u32) -> Got {
        self.send(path, key, attempt).await;
        self.receive().await
    }

    pub async fn send(&mut self, path: &str, key: &str, attempt: u32) {
        let request = format!(
            "POST {path} HTTP/1.1\r\nHost: target\r\nIdempotency-Key: {key}\r\nBaton-Job-Id: job_{key}\r\nBaton-Attempt: {attempt}\r\nContent-Length: 7\r\n\r\n{{\"a\":1}}"
        );
        self.0.write_all(request.as_bytes()).await.unwrap();
    }

    pub async fn receive(&mut self) -> Got {
        let mut text = Vec::new();
        while !is_whole(&text) {
            match self.0.read_buf(&mut text).await {
                Ok(0) => return Got::Closed,
                Ok(_) => {}
                Err(_) => return Got::Reset,
            }
        }
        let head = String::from_utf8(text).unwrap();
        Got::Answer {
            status: head[9..12].parse().unwrap(),
            head,
        }
    }
}

fn is_whole(text: &[u8]) -> bool {
    let text = String::from_utf8_lossy(text);
    let Some((head, body)) = text.split_once("\r\n\r\n") else {
        return false;
    };
    let length = head
        .lines()
        .find_map(|line| line.strip_prefix("Content-Length: "))
        .map_or(0, |length| length.parse().unwrap());
    body.len() >= length
}

/// Looks until it is so; gives up after ten seconds.
pub async fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let looking = async {
        while !is_so() {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(10), looking)
        .await
        .unwrap_or_else(|_| panic!("waited ten seconds in vain: {what}"));
}
