//! The line between a remote worker and a server: it can lose what the server has answered.

use std::{
    io,
    net::{Ipv4Addr, SocketAddr},
    sync::Arc,
};

use parking_lot::Mutex;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{
        TcpListener, TcpStream,
        tcp::{OwnedReadHalf, OwnedWriteHalf},
    },
};

/// What a remote worker asks of a server, by the end of its path.
pub const CALLS: [&str; 4] = ["/claim", "/results", "/checkpoints", "/beat"];

/// Whose answer is lost next, and how many were.
#[derive(Debug, Default)]
pub struct LostAnswers {
    armed: Option<&'static str>,
    pub cut: u64,
}

/// One of them cuts all the lines of a worker.
pub type Shared = Arc<Mutex<LostAnswers>>;

impl LostAnswers {
    /// The next answer to this call never arrives.
    pub fn arm(&mut self, call: Option<&'static str>) {
        self.armed = call;
    }

    pub const fn is_armed(&self) -> bool {
        self.armed.is_some()
    }

    /// Whether the answer to this request is lost.
    fn cuts(&mut self, asked: Option<&'static str>) -> bool {
        let is_meant = asked.is_some() && asked == self.armed;
        if is_meant {
            self.armed = None;
            self.cut += 1;
        }
        is_meant
    }
}

/// Opens a line to a server; it ends with the runtime.
pub async fn open(server: SocketAddr, lost_answers: Shared) -> io::Result<SocketAddr> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
    let addr = listener.local_addr()?;
    tokio::spawn(async move {
        while let Ok((worker, _)) = listener.accept().await {
            let lost_answers = lost_answers.clone();
            tokio::spawn(async move {
                // Who cannot be reached hangs up, as the server itself would.
                if let Ok(server) = TcpStream::connect(server).await {
                    carry(worker, server, lost_answers).await;
                }
            });
        }
    });
    Ok(addr)
}

/// Carries both ways until either side ends, or an answer is cut.
async fn carry(worker: TcpStream, server: TcpStream, lost_answers: Shared) {
    let (from_worker, to_worker) = worker.into_split();
    let (from_server, to_server) = server.into_split();
    let asked = Mutex::new(None);
    tokio::select! {
        _ = ask(from_worker, to_server, &asked) => {}
        _ = answer(from_server, to_worker, &asked, &lost_answers) => {}
    }
}

async fn ask(
    mut from: OwnedReadHalf,
    mut to: OwnedWriteHalf,
    asked: &Mutex<Option<&'static str>>,
) -> io::Result<()> {
    let mut bytes = vec![0; 65_536];
    loop {
        let read = from.read(&mut bytes).await?;
        if read == 0 {
            return Ok(());
        }
        if let Some(call) = call(&bytes[..read]) {
            *asked.lock() = Some(call);
        }
        to.write_all(&bytes[..read]).await?;
    }
}

async fn answer(
    mut from: OwnedReadHalf,
    mut to: OwnedWriteHalf,
    asked: &Mutex<Option<&'static str>>,
    lost_answers: &Shared,
) -> io::Result<()> {
    let mut bytes = vec![0; 65_536];
    loop {
        let read = from.read(&mut bytes).await?;
        let asked = *asked.lock();
        // The server has answered, so what it did is done.
        if read == 0 || lost_answers.lock().cuts(asked) {
            return Ok(());
        }
        to.write_all(&bytes[..read]).await?;
    }
}

/// What a request asks for, if these bytes begin one.
fn call(bytes: &[u8]) -> Option<&'static str> {
    let line = bytes.split(|byte| *byte == b'\r').next()?;
    let path = std::str::from_utf8(line).ok()?.strip_prefix("POST ")?;
    let path = path.split(' ').next()?;
    CALLS.into_iter().find(|call| path.ends_with(call))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn an_armed_line_loses_one_answer_of_its_call_and_carries_the_others() {
        let server = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let server_addr = server.local_addr().unwrap();
        tokio::spawn(async move {
            loop {
                let (mut socket, _) = server.accept().await.unwrap();
                tokio::spawn(async move {
                    let mut bytes = [0; 1_024];
                    while socket.read(&mut bytes).await.unwrap_or(0) > 0 {
                        socket.write_all(b"done").await.unwrap();
                    }
                });
            }
        });
        let lost_answers = Shared::default();
        let addr = open(server_addr, lost_answers.clone()).await.unwrap();
        let ask = async |call: &str| {
            let mut socket = TcpStream::connect(addr).await.unwrap();
            let request = format!("POST /v1/workers/w{call} HTTP/1.1\r\n\r\n");
            socket.write_all(request.as_bytes()).await.unwrap();
            let mut bytes = [0; 16];
            socket.read(&mut bytes).await.unwrap_or(0)
        };

        lost_answers.lock().arm(Some("/results"));
        let answered = [
            ask("/claim").await,
            ask("/results").await,
            ask("/results").await,
        ];

        assert_eq!(answered, [4, 0, 4]);
        assert_eq!(lost_answers.lock().cut, 1);
    }
}
