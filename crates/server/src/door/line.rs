//! A connection that may not be slow on purpose: a head comes within its time, and what is sent is read.

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

use super::answer::Turns;

/// How long a head may take, from its first byte to its last.
const HEAD: Duration = Duration::from_secs(10);
/// How long a client may read nothing of what it is sent.
const STUCK: Duration = Duration::from_secs(60);

/// A connection with an eye on its pace.
pub struct Line<Io> {
    io: Io,
    turns: Turns,
    head: Head,
    stuck: Option<Pin<Box<Sleep>>>,
}

/// The head that is being read.
struct Head {
    /// In which of the client's turns.
    turn: u64,
    until: Option<Instant>,
    alarm: Option<Pin<Box<Sleep>>>,
}

impl<Io> Line<Io> {
    /// A new connection: its first head is awaited from now on.
    pub fn new(io: Io, turns: Turns) -> Self {
        Self {
            io,
            turns,
            head: Head {
                turn: 0,
                until: Some(Instant::now() + HEAD),
                alarm: None,
            },
            stuck: None,
        }
    }
}

impl Head {
    /// Begins anew with each turn of the client.
    fn follow(&mut self, turn: u64) {
        if self.turn != turn {
            self.turn = turn;
            self.until = None;
            self.alarm = None;
        }
    }

    /// Something of it has come.
    fn goes_on(&mut self) -> io::Result<()> {
        let now = Instant::now();
        let until = *self.until.get_or_insert(now + HEAD);
        if now < until { Ok(()) } else { Err(too_slow()) }
    }

    /// Nothing has come; if it has begun, its time runs.
    fn poll_late(&mut self, context: &mut Context<'_>) -> Poll<()> {
        let Some(until) = self.until else {
            return Poll::Pending;
        };
        let alarm = self
            .alarm
            .get_or_insert_with(|| Box::pin(sleep_until(until)));
        alarm.as_mut().poll(context)
    }
}

fn too_slow() -> io::Error {
    io::Error::new(
        io::ErrorKind::TimedOut,
        "the head of a request took too long",
    )
}

impl<Io: AsyncRead + Unpin> AsyncRead for Line<Io> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let read = Pin::new(&mut self.io).poll_read(context, buffer);
        let Some(turn) = self.turns.of_client() else {
            return read;
        };
        self.head.follow(turn);
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

impl<Io: AsyncWrite + Unpin> Line<Io> {
    /// Passes on what became of a write; one that cannot go on for too long has failed.
    fn or_stuck(
        &mut self,
        context: &mut Context<'_>,
        written: Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        if written.is_ready() {
            self.stuck = None;
            return written;
        }
        let alarm = self
            .stuck
            .get_or_insert_with(|| Box::pin(sleep_until(Instant::now() + STUCK)));
        ready!(alarm.as_mut().poll(context));
        Poll::Ready(Err(io::Error::new(
            io::ErrorKind::TimedOut,
            "the client reads nothing of what it is sent",
        )))
    }
}

impl<Io: AsyncWrite + Unpin> AsyncWrite for Line<Io> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.io).poll_write(context, bytes);
        self.or_stuck(context, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        pieces: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.io).poll_write_vectored(context, pieces);
        self.or_stuck(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.io.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_head_has_ten_seconds_from_its_first_byte_however_it_drips() {
        let (mut client, server) = duplex(64);
        let turns = Turns::default();
        let mut line = Line::new(server, turns.clone());
        drop(turns.begin());
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
                if let Err(error) = line.read(&mut piece).await {
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
        let turns = Turns::default();
        let mut line = Line::new(server, turns.clone());
        let turn = turns.begin();
        let late = async {
            tokio::time::sleep(Duration::from_secs(100)).await;
            client.write_all(b"body").await.unwrap();
        };

        let mut body = [0; 4];
        let (read, ()) = tokio::join!(line.read_exact(&mut body), late);

        assert_eq!(read.unwrap(), 4);
        drop(turn);
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_reads_nothing_is_let_go() {
        let (_client, server) = duplex(8);
        let mut line = Line::new(server, Turns::default());

        let written = line.write_all(&[0; 64]).await;

        assert_eq!(written.unwrap_err().kind(), io::ErrorKind::TimedOut);
    }
}
