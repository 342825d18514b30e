//! Redis's protocol, as much of it as a command and its answer need.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::time::Duration;

use anyhow::{Context, Result, bail};

const TIMEOUT: Duration = Duration::from_secs(5);

/// What Redis answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reply {
    /// Nothing is there.
    Nil,
    /// A word or a value.
    Text(String),
    /// A number.
    Number(i64),
    /// Several answers.
    List(Vec<Reply>),
}

/// A connection.
pub(super) struct Connection(BufReader<TcpStream>);

impl Connection {
    /// One to a server of this machine.
    pub(super) fn open(port: u16) -> Result<Self> {
        Self::to(SocketAddr::from((Ipv4Addr::LOCALHOST, port)))
    }

    pub(super) fn to(addr: SocketAddr) -> Result<Self> {
        let stream = TcpStream::connect_timeout(&addr, TIMEOUT)
            .with_context(|| format!("Redis at {addr} takes no connection"))?;
        stream.set_read_timeout(Some(TIMEOUT))?;
        stream.set_write_timeout(Some(TIMEOUT))?;
        stream.set_nodelay(true)?;
        Ok(Self(BufReader::new(stream)))
    }

    /// Sends a command and waits for its answer.
    pub(super) fn ask(&mut self, words: &[&str]) -> Result<Reply> {
        self.say(words)
            .and_then(|()| self.hear())
            .with_context(|| format!("Redis was asked for `{}`", words.join(" ")))
    }

    fn say(&mut self, words: &[&str]) -> Result<()> {
        let mut text = format!("*{}\r\n", words.len());
        for word in words {
            text.push_str(&format!("${}\r\n{word}\r\n", word.len()));
        }
        Ok(self.0.get_mut().write_all(text.as_bytes())?)
    }

    fn hear(&mut self) -> Result<Reply> {
        let mut line = String::new();
        self.0.read_line(&mut line)?;
        let Some((kind, rest)) = line.trim_end().split_at_checked(1) else {
            bail!("it closed the connection without an answer");
        };
        Ok(match kind {
            "+" => Reply::Text(rest.to_owned()),
            ":" => Reply::Number(rest.parse()?),
            "$" => match usize::try_from(rest.parse::<i64>()?) {
                Ok(length) => Reply::Text(self.value(length)?),
                Err(_) => Reply::Nil,
            },
            "*" => match usize::try_from(rest.parse::<i64>()?) {
                Ok(count) => Reply::List((0..count).map(|_| self.hear()).collect::<Result<_>>()?),
                Err(_) => Reply::Nil,
            },
            "-" => bail!("it refused: {rest}"),
            _ => bail!("it answered what is none of its protocol: {line:?}"),
        })
    }

    /// A value, and the end of line behind it.
    fn value(&mut self, length: usize) -> Result<String> {
        let mut bytes = vec![0; length + 2];
        self.0.read_exact(&mut bytes)?;
        bytes.truncate(length);
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}
