//! A stream with time-outs: the head of a request comes within its time, and what is sent is read.

use std::{
    future::Future,
    io,
    pin::Pin,
    task::{Context, Poll, ready},
    time::Duration,
};

use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    time::{Instant, Sleep, sleep_until},
};

use super::exchange::Exchanges;

/// How long a head may take, from its first byte to its last.
const HEAD_TIMEOUT: Duration = Duration::from_secs(10);
/// How long a client may read nothing of what it is sent.
const WRITE_TIMEOUT: Duration = Duration::from_mins(1);

/// A stream whose peer may not be slow for ever.
pub struct PacedStream<Io> {
    io: Io,
    exchanges: Exchanges,
    head: RequestHead,
    write_timeout: Option<Pin<Box<Sleep>>>,
}

/// The head that is being read.
struct RequestHead {
    /// Of which request.
    request: u64,
    deadline: Option<Instant>,
    alarm: Option<Pin<Box<Sleep>>>,
}

impl<Io> PacedStream<Io> {
    /// A new connection: its first head is awaited from now on.
    pub fn new(io: Io, exchanges: Exchanges) -> Self {
        Self {
            io,
            exchanges,
            head: RequestHead {
                request: 0,
                deadline: Some(Instant::now() + HEAD_TIMEOUT),
                alarm: None,
            },
            write_timeout: None,
        }
    }
}

impl RequestHead {
    /// Begins anew with each request.
    fn follow(&mut self, request: u64) {
        if self.request != request {
            self.request = request;
            self.deadline = None;
            self.alarm = None;
        }
    }

    /// Something of it has come.
    fn goes_on(&mut self) -> io::Result<()> {
        let now = Instant::now();
        let deadline = *self.deadline.get_or_insert(now + HEAD_TIMEOUT);
        if now < deadline {
            Ok(())
        } else {
            Err(too_slow())
        }
    }

    /// Nothing has come; if it has begun, its time runs.
    fn poll_late(&mut self, context: &mut Context<'_>) -> Poll<()> {
        let Some(deadline) = self.deadline else {
            return Poll::Pending;
        };
        let alarm = self
            .alarm
            .get_or_insert_with(|| Box::pin(sleep_until(deadline)));
        alarm.as_mut().poll(context)
    }
}

fn too_slow() -> io::Error {
    io::Error::new(
        io::ErrorKind::TimedOut,
        "the head of a request took too long",
    )
}

impl<Io: AsyncRead + Unpin> AsyncRead for PacedStream<Io> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let read = Pin::new(&mut self.io).poll_read(context, buffer);
        let Some(request) = self.exchanges.awaited() else {
            return read;
        };
        self.head.follow(request);
        match read {
            Poll::Ready(Ok(())) => Poll::Ready(self.head.goes_on()),
            Poll::Ready(Err(error)) => Poll::Ready(Err(error)),
            Poll::Pending => {
                ready!(self.head.poll_late(context));
                Poll::Ready(Err(too_slow()))
            }
        }
    }
}

impl<Io: AsyncWrite + Unpin> PacedStream<Io> {
    /// Passes on what became of a write; one that cannot go on for too long has failed.
    fn or_timed_out<T>(
        &mut self,
        context: &mut Context<'_>,
        written: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.write_timeout = None;
            return written;
        }
        let alarm = self
            .write_timeout
            .get_or_insert_with(|| Box::pin(sleep_until(Instant::now() + WRITE_TIMEOUT)));
        ready!(alarm.as_mut().poll(context));
        Poll::Ready(Err(io::Error::new(
            io::ErrorKind::TimedOut,
            "the client reads nothing of what it is sent",
        )))
    }
}

impl<Io: AsyncWrite + Unpin> AsyncWrite for PacedStream<Io> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.io).poll_write(context, bytes);
        self.or_timed_out(context, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        pieces: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.io).poll_write_vectored(context, pieces);
        self.or_timed_out(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.io.is_write_vectored()
    }

    /// Over TLS what was written may still wait here.
    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.io).poll_flush(context);
        self.or_timed_out(context, flushed)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let shut = Pin::new(&mut self.io).poll_shutdown(context);
        self.or_timed_out(context, shut)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_head_has_ten_seconds_from_its_first_byte_however_it_drips() {
        let (mut client, server) = duplex(64);
        let exchanges = Exchanges::default();
        let mut stream = PacedStream::new(server, exchanges.clone());
        drop(exchanges.respond());
        let drip = async {
            tokio::time::sleep(Duration::from_secs(30)).await;
            while client.write_all(b"x").await.is_ok() {
                tokio::time::sleep(Duration::from_secs(1)).await;
            }
        };

        let began = Instant::now();
        let read = async {
            let mut piece = [0; 8];
            loop {
                if let Err(error) = stream.read(&mut piece).await {
                    return (error.kind(), began.elapsed());
                }
            }
        };
        let (error, took) = tokio::select! {
            read = read => read,
            () = drip => unreachable!("the other end is still there"),
        };

        assert_eq!(error, io::ErrorKind::TimedOut);
        assert_eq!(took.as_secs(), 40, "it had not begun for 30 seconds");
    }

    #[tokio::test(start_paused = true)]
    async fn a_body_takes_as_long_as_the_answer_lets_it() {
        let (mut client, server) = duplex(64);
        let exchanges = Exchanges::default();
        let mut stream = PacedStream::new(server, exchanges.clone());
        let responding = exchanges.respond();
        let late = async {
            tokio::time::sleep(Duration::from_secs(100)).await;
            client.write_all(b"body").await.unwrap();
        };

        let mut body = [0; 4];
        let (read, ()) = tokio::join!(stream.read_exact(&mut body), late);

        assert_eq!(read.unwrap(), 4);
        drop(responding);
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_reads_nothing_is_let_go() {
        let (_client, server) = duplex(8);
        let mut stream = PacedStream::new(server, Exchanges::default());

        let written = stream.write_all(&[0; 64]).await;

        assert_eq!(written.unwrap_err().kind(), io::ErrorKind::TimedOut);
    }
}
