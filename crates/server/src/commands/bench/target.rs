//! The trivial target: takes any request and says 200, over connections that are kept.
//!
//! It runs in a process of its own, as a target does in life, and ends with whoever started it.

use std::{io, process::Stdio};

use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    net::{TcpListener, TcpStream},
    process::{Child, Command},
};

use crate::{
    exit::{Exit, Failure},
    output::Output,
};

const ANSWER: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
/// A head beyond this is nothing that is sent here.
const LONGEST_HEAD: usize = 16 * 1024;

/// The target in its process.
pub struct Target {
    _child: Child,
    pub url: String,
}

impl Target {
    pub async fn start() -> Result<Self, Failure> {
        let failed =
            |error: io::Error| Failure::new(format!("the target cannot be started: {error}"));
        let mut child = Command::new(std::env::current_exe().map_err(failed)?)
            .arg("bench-target")
            // It ends when this pipe does.
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .map_err(failed)?;
        let out = child.stdout.take();
        let mut lines =
            BufReader::new(out.ok_or_else(|| Failure::new("the target has no stdout"))?).lines();
        let line = lines.next_line().await.map_err(failed)?;
        let url = line.ok_or_else(|| Failure::new("the target has ended"))?;
        Ok(Self { _child: child, url })
    }
}

/// Serves until its stdin ends.
pub async fn serve(output: &Output) -> Result<Exit, Failure> {
    let failed = |error: io::Error| Failure::new(format!("the target cannot listen: {error}"));
    let listener = TcpListener::bind("127.0.0.1:0").await.map_err(failed)?;
    let address = listener.local_addr().map_err(failed)?;
    output.line(format!("http://{address}/"));
    tokio::select! {
        () = left_alone() => Ok(Exit::Ok),
        error = accept(listener) => Err(failed(error)),
    }
}

/// Waits until whoever started it has closed the pipe, which the end of a process does as well.
async fn left_alone() {
    let reading = tokio::task::spawn_blocking(|| io::copy(&mut io::stdin(), &mut io::sink()));
    // A pipe that cannot be read has nobody at its other end either.
    let _ = reading.await;
}

async fn accept(listener: TcpListener) -> io::Error {
    loop {
        match listener.accept().await {
            Ok((stream, _)) => tokio::spawn(answer(stream)),
            Err(error) => return error,
        };
    }
}

/// Answers one connection until it ends; a broken one is the caller's to notice.
async fn answer(mut stream: TcpStream) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let mut buffer = Vec::with_capacity(LONGEST_HEAD);
    loop {
        while let Some(length) = length(&buffer) {
            buffer.drain(..length);
            stream.write_all(ANSWER).await?;
        }
        if buffer.len() > LONGEST_HEAD || stream.read_buf(&mut buffer).await? == 0 {
            return Ok(());
        }
    }
}

/// How long the first request is, once it is there whole.
fn length(buffer: &[u8]) -> Option<usize> {
    let end = buffer.windows(4).position(|window| window == b"\r\n\r\n")? + 4;
    let head = std::str::from_utf8(&buffer[..end]).ok()?;
    let body = head.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        let is_length = name.eq_ignore_ascii_case("content-length");
        is_length.then(|| value.trim().parse::<usize>().ok())?
    });
    let whole = end + body.unwrap_or(0);
    (buffer.len() >= whole).then_some(whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_answered_once_it_is_there_whole() {
        let post = b"POST / HTTP/1.1\r\ncontent-length: 3\r\n\r\nabcGET";

        assert_eq!(length(&post[..20]), None);
        assert_eq!(length(&post[..post.len() - 4]), None);
        assert_eq!(length(post), Some(post.len() - 3));
        assert_eq!(length(b"GET / HTTP/1.1\r\n\r\n"), Some(18));
    }
}
