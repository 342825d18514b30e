//! As much of HTTP as Patroni's and etcd's answers need.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::time::Duration;

use anyhow::{Context, Result};
use serde_json::Value;

/// Who is just being killed does not answer.
const CONNECT: Duration = Duration::from_millis(500);
/// How long a question may take; a switch-over is answered when it is over.
const ANSWER: Duration = Duration::from_secs(2);
const SWITCH: Duration = Duration::from_mins(1);

/// What was answered.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) text: String,
}

impl Answer {
    pub(super) fn json(&self) -> Result<Value> {
        Ok(serde_json::from_str(&self.text)?)
    }
}

pub(super) fn get(port: u16, path: &str) -> Result<Answer> {
    ask(port, &format!("GET {path} HTTP/1.0\r\n\r\n"), ANSWER)
}

pub(super) fn post(port: u16, path: &str, body: &Value) -> Result<Answer> {
    let body = body.to_string();
    let length = body.len();
    let head = format!(
        "POST {path} HTTP/1.0\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
    );
    ask(port, &format!("{head}{body}"), SWITCH)
}

fn ask(port: u16, request: &str, timeout: Duration) -> Result<Answer> {
    let addr = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let mut stream = TcpStream::connect_timeout(&addr, CONNECT)?;
    stream.set_read_timeout(Some(timeout))?;
    stream.write_all(request.as_bytes())?;
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes)?;
    let answer = String::from_utf8_lossy(&bytes);
    let (head, text) = answer
        .split_once("\r\n\r\n")
        .context("the answer has no end of its head")?;
    let status = head
        .split_whitespace()
        .nth(1)
        .context("the answer has no status")?;
    Ok(Answer {
        status: status.parse()?,
        text: text.to_owned(),
    })
}
