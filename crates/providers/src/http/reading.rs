//! What is made of the bytes of a target: for those who hold it against what others make of them.

use std::{
    io,
    pin::Pin,
    task::{Context, Poll, Waker},
};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::{body::Framing, connection::Connection};

/// How much of a body is read.
const MOST: usize = 1024 * 1024;

/// What was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading {
    /// The status of the answer proper.
    pub status: u16,
    /// Its body, as far as it came.
    pub body: Vec<u8>,
    /// Whether that is all of it.
    pub is_whole: bool,
    /// Whether the connection would serve for another request.
    pub is_kept: bool,
}

/// Reads these bytes as the answer to a GET; `None` if they are none.
pub async fn read(bytes: Vec<u8>) -> Option<Reading> {
    let mut connection = Connection::over(Script::of(bytes));
    let (mut head, is_early) = connection.send(b"GET / HTTP/1.1\r\n\r\n").await.ok()?;
    let mut body = Vec::new();
    let is_whole = loop {
        let keep = |piece: &[u8]| body.extend_from_slice(piece);
        match connection.read(&mut head.framing, keep).await {
            Ok(true) if body.len() <= MOST => {}
            Ok(false) => break true,
            Ok(true) | Err(_) => break false,
        }
    };
    let is_framed = !matches!(head.framing, Framing::ToTheEnd);
    Some(Reading {
        status: head.status.as_u16(),
        body,
        is_whole,
        is_kept: head.keeps_open && !is_early && is_whole && is_framed && connection.is_at_rest(),
    })
}

/// A target that says its words once it is spoken to, and then is silent. It ends where somebody waits for
/// more, so that nobody waits for ever.
pub struct Script {
    bytes: Vec<u8>,
    said: usize,
    is_asked: bool,
    reader: Option<Waker>,
}

impl Script {
    /// A target that says this.
    #[must_use]
    pub const fn of(bytes: Vec<u8>) -> Self {
        Self {
            bytes,
            said: 0,
            is_asked: false,
            reader: None,
        }
    }
}

impl AsyncRead for Script {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if !self.is_asked {
            self.reader = Some(context.waker().clone());
            return Poll::Pending;
        }
        // Whoever only looks whether anything is there has a waker that wakes nobody.
        if self.said == self.bytes.len() && context.waker().will_wake(Waker::noop()) {
            return Poll::Pending;
        }
        let rest = &self.bytes[self.said..];
        let length = rest.len().min(buffer.remaining());
        buffer.put_slice(&rest[..length]);
        self.said += length;
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Script {
    fn poll_write(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.is_asked = true;
        if let Some(reader) = self.reader.take() {
            reader.wake();
        }
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}
