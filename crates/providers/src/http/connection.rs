//! A connection to a target, over which one request goes at a time.
//!
//! No task stands behind it and nothing lies between: writing, waiting and reading are polls of the
//! caller's own task, which knows for certain whether a byte may have left.

use std::{
    future::poll_fn,
    io,
    mem::MaybeUninit,
    pin::Pin,
    task::{Context, Poll, Waker, ready},
};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::{
    body::{Framing, Next},
    head::{NotHttp, ResponseHead},
};

/// How much is received at once, in bytes: nearly every answer as a whole.
const GULP: usize = 4 * 1024;

/// The longest head that an answer may have, in bytes, and the longest line between chunks.
const LONGEST_HEAD: usize = 64 * 1024;

/// How many interim answers may come before the answer proper; together they are no longer than a head.
const MOST_INTERIMS: usize = 16;

/// What bytes go over: TCP, plain or under TLS.
pub trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Stream for T {}

/// An open connection.
pub struct Connection {
    stream: Box<dyn Stream>,
    /// What has come and was not read yet.
    received: Vec<u8>,
    interims: Interims,
}

/// What interim answers to the request under way have come.
#[derive(Default)]
struct Interims {
    count: usize,
    bytes: usize,
}

impl Interims {
    fn add(&mut self, length: usize) -> Result<(), NotHttp> {
        self.count += 1;
        self.bytes += length;
        if self.count > MOST_INTERIMS || self.bytes > LONGEST_HEAD {
            return Err(NotHttp("it has too many interim answers"));
        }
        Ok(())
    }
}

/// Why a request that may have left brought no answer.
#[derive(Debug, thiserror::Error)]
pub enum Broken {
    #[error("the target closed the connection")]
    Ended,
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error(transparent)]
    NotHttp(#[from] NotHttp),
}

impl Connection {
    pub fn over(stream: impl Stream + 'static) -> Self {
        Self {
            stream: Box::new(stream),
            received: Vec::new(),
            interims: Interims::default(),
        }
    }

    /// Whether it is open and silent, as a connection is that waits for a request.
    pub fn is_at_rest(&mut self) -> bool {
        let mut context = Context::from_waker(Waker::noop());
        self.received.is_empty() && self.poll_receive(&mut context).is_pending()
    }

    /// Sends a request and waits for the head of its answer, which may come before all is sent; says
    /// whether it did.
    pub async fn send(&mut self, request: &[u8]) -> Result<(ResponseHead, bool), Broken> {
        let mut rest = request;
        self.interims = Interims::default();
        poll_fn(|context| {
            // A target that has heard enough may answer and close: its answer counts.
            let sent = self.poll_send(&mut rest, context);
            match (self.poll_head(context), sent) {
                (Poll::Ready(head), _) => Poll::Ready(head.map(|head| (head, !rest.is_empty()))),
                (Poll::Pending, Poll::Ready(Err(error))) => Poll::Ready(Err(error.into())),
                (Poll::Pending, _) => Poll::Pending,
            }
        })
        .await
    }

    /// Waits for the next piece of a body and hands it to `keep`; `false` at its end.
    pub async fn read(
        &mut self,
        framing: &mut Framing,
        keep: impl FnOnce(&[u8]),
    ) -> Result<bool, Broken> {
        loop {
            match framing.next(&mut self.received)? {
                Next::Piece(length) => {
                    keep(&self.received[..length]);
                    self.received.drain(..length);
                    return Ok(true);
                }
                Next::End => return Ok(false),
                Next::Unknown if self.received.len() > LONGEST_HEAD => {
                    return Err(NotHttp("its body is not chunked as it should be").into());
                }
                Next::Unknown => poll_fn(|context| self.poll_more(context)).await?,
            }
        }
    }

    fn poll_send(&mut self, rest: &mut &[u8], context: &mut Context<'_>) -> Poll<io::Result<()>> {
        while !rest.is_empty() {
            let written = ready!(Pin::new(&mut self.stream).poll_write(context, rest))?;
            if written == 0 {
                return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
            }
            *rest = &rest[written..];
        }
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_head(&mut self, context: &mut Context<'_>) -> Poll<Result<ResponseHead, Broken>> {
        loop {
            if let Some((head, length)) = ResponseHead::read(&self.received)? {
                self.received.drain(..length);
                if !head.is_interim() {
                    return Poll::Ready(Ok(head));
                }
                self.interims.add(length)?;
            } else if self.received.len() > LONGEST_HEAD {
                return Poll::Ready(Err(NotHttp("its head has no end").into()));
            } else {
                ready!(self.poll_more(context))?;
            }
        }
    }

    fn poll_more(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Broken>> {
        Poll::Ready(match ready!(self.poll_receive(context))? {
            0 => Err(Broken::Ended),
            _ => Ok(()),
        })
    }

    fn poll_receive(&mut self, context: &mut Context<'_>) -> Poll<io::Result<usize>> {
        let mut space = [MaybeUninit::uninit(); GULP];
        let mut gulp = ReadBuf::uninit(&mut space);
        ready!(Pin::new(&mut self.stream).poll_read(context, &mut gulp))?;
        self.received.extend_from_slice(gulp.filled());
        Poll::Ready(Ok(gulp.filled().len()))
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};

    use super::*;

    const REQUEST: &[u8] = b"POST / HTTP/1.1\r\n\r\n";

    fn connected() -> (Connection, DuplexStream) {
        let (ours, theirs) = duplex(64);
        (Connection::over(ours), theirs)
    }

    async fn answer(target: &mut DuplexStream, answer: &str) {
        let mut seen = [0; REQUEST.len()];
        target.read_exact(&mut seen).await.unwrap();
        target.write_all(answer.as_bytes()).await.unwrap();
    }

    async fn whole_body(connection: &mut Connection, framing: &mut Framing) -> Vec<u8> {
        let mut body = Vec::new();
        let keep = |body: &mut Vec<u8>, piece: &[u8]| body.extend_from_slice(piece);
        while connection
            .read(framing, |piece| keep(&mut body, piece))
            .await
            .unwrap()
        {}
        body
    }

    #[tokio::test]
    async fn an_answer_in_two_chunks_is_read_to_its_end_and_the_connection_rests() {
        let (mut connection, mut target) = connected();
        let text = "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n\
                    3;more=yes\r\none\r\n4\r\n two\r\n0\r\nTrailer: yes\r\n\r\n";

        let (sent, ()) = tokio::join!(connection.send(REQUEST), answer(&mut target, text));

        let (mut head, is_early) = sent.unwrap();
        assert_eq!(
            whole_body(&mut connection, &mut head.framing).await,
            b"one two"
        );
        assert!(head.keeps_open && !is_early && connection.is_at_rest());
    }

    #[tokio::test]
    async fn an_interim_answer_is_passed_over() {
        let (mut connection, mut target) = connected();
        let text = "HTTP/1.1 103 Early Hints\r\nLink: </>\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n";

        let (sent, ()) = tokio::join!(connection.send(REQUEST), answer(&mut target, text));

        assert_eq!(sent.unwrap().0.status, 204);
        assert!(connection.is_at_rest());
    }

    #[tokio::test]
    async fn interim_answers_are_bounded_in_number_and_in_bytes() {
        let short = "HTTP/1.1 102 Processing\r\n\r\n".to_owned();
        let long = format!("HTTP/1.1 103 Hints\r\nLink: {}\r\n\r\n", "x".repeat(9_000));
        for interim in [short, long] {
            let (mut connection, mut target) = connected();
            let talk = async move { while target.write_all(interim.as_bytes()).await.is_ok() {} };

            let send = async move { connection.send(REQUEST).await.map(drop) };
            let (sent, ()) = tokio::join!(send, talk);

            let why = sent.unwrap_err().to_string();
            assert_eq!(why, "it has too many interim answers");
        }
    }

    #[tokio::test]
    async fn an_answer_counts_that_comes_before_all_of_the_request_is_sent() {
        let (mut connection, mut target) = connected();
        let long = vec![b'x'; 10_000];
        let text = "HTTP/1.1 413 Content Too Large\r\nContent-Length: 0\r\n\r\n";

        let (sent, ()) = tokio::join!(connection.send(&long), answer(&mut target, text));

        let (head, is_early) = sent.unwrap();
        assert_eq!((head.status.as_u16(), is_early), (413, true));
    }

    #[tokio::test]
    async fn what_was_closed_or_speaks_out_of_turn_is_not_at_rest() {
        let (mut closed, target) = connected();
        drop(target);
        let (mut chatty, mut target) = connected();
        target.write_all(b"HTTP/1.1 408 Bye\r\n\r\n").await.unwrap();
        let (mut silent, _target) = connected();

        assert!(!closed.is_at_rest());
        assert!(!chatty.is_at_rest());
        assert!(silent.is_at_rest());
    }

    #[tokio::test]
    async fn a_head_without_an_end_is_not_read_for_ever() {
        let (mut connection, mut target) = connected();
        let talk = async move {
            let mut text = b"HTTP/1.1 200 OK\r\nX: ".to_vec();
            while target.write_all(&text).await.is_ok() {
                text = vec![b'x'; 1_000];
            }
        };

        let send = async move { connection.send(REQUEST).await.map(drop) };
        let (sent, ()) = tokio::join!(send, talk);

        assert_eq!(sent.unwrap_err().to_string(), "its head has no end");
    }
}
