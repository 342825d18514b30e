//! A raw TCP server that reads one request at a time and then does what the test says.

use std::{
    future::Future,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::mpsc,
};

/// A server, what it has received, and how often it was connected to.
pub struct Target {
    port: u16,
    connects: Arc<AtomicUsize>,
    requests: mpsc::UnboundedReceiver<Request>,
}

/// One request, as it came.
#[derive(Debug)]
pub struct Request {
    /// The request line and the headers, as one text.
    pub head: String,
    pub body: Vec<u8>,
}

impl Request {
    /// The value of a header; its name in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().skip(1).find_map(|line| {
            let (header, value) = line.split_once(':')?;
            header.eq_ignore_ascii_case(name).then(|| value.trim())
        })
    }
}

/// One connection to a target.
pub struct Connection {
    stream: TcpStream,
    received: mpsc::UnboundedSender<Request>,
}

impl Connection {
    /// Reads a whole request and notes that it came; `None` when the client has gone.
    pub async fn receive(&mut self) -> Option<()> {
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            head.push(self.stream.read_u8().await.ok()?);
        }
        let mut request = Request {
            head: String::from_utf8(head).unwrap(),
            body: Vec::new(),
        };
        let length = request
            .header("content-length")
            .map_or(0, |length| length.parse().unwrap());
        request.body.resize(length, 0);
        self.stream.read_exact(&mut request.body).await.ok()?;
        self.received.send(request).ok()
    }

    /// Reads one byte of a request and notes nothing.
    pub async fn receive_one_byte(&mut self) {
        self.stream.read_u8().await.unwrap();
    }

    /// Writes text; that the client has gone is no concern of the target.
    pub async fn send(&mut self, text: &str) -> bool {
        self.stream.write_all(text.as_bytes()).await.is_ok()
    }

    /// Answers with a status and a body.
    pub async fn answer(&mut self, status: &str, headers: &str, body: &str) {
        let length = body.len();
        self.send(&format!(
            "HTTP/1.1 {status}\r\n{headers}Content-Length: {length}\r\n\r\n{body}"
        ))
        .await;
    }

    /// Closes the connection with a reset instead of an orderly end.
    pub fn reset(self) {
        self.stream.set_zero_linger().unwrap();
    }

    /// Holds the connection open, in silence, until the client leaves.
    pub async fn stall(mut self) {
        while self.stream.read_u8().await.is_ok() {}
    }
}

impl Target {
    /// A server on this machine that treats every connection as told.
    pub async fn that<F, Treated>(treat: F) -> Self
    where
        F: Fn(Connection) -> Treated + Send + Sync + 'static,
        Treated: Future<Output = ()> + Send + 'static,
    {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let connects = Arc::new(AtomicUsize::new(0));
        let (received, requests) = mpsc::unbounded_channel();
        tokio::spawn({
            let connects = Arc::clone(&connects);
            async move {
                loop {
                    let (stream, _) = listener.accept().await.unwrap();
                    connects.fetch_add(1, Ordering::SeqCst);
                    let received = received.clone();
                    tokio::spawn(treat(Connection { stream, received }));
                }
            }
        });
        Self {
            port,
            connects,
            requests,
        }
    }

    /// A server that answers every request in the same words.
    pub async fn that_answers(
        status: &'static str,
        headers: &'static str,
        body: &'static str,
    ) -> Self {
        Self::that(move |mut connection| async move {
            while connection.receive().await.is_some() {
                connection.answer(status, headers, body).await;
            }
        })
        .await
    }

    /// A server that receives each request and then sends exactly this, and closes.
    pub async fn that_sends(text: &'static str) -> Self {
        Self::that(move |mut connection| async move {
            if connection.receive().await.is_some() {
                connection.send(text).await;
            }
        })
        .await
    }

    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}/hook", self.port)
    }

    pub const fn port(&self) -> u16 {
        self.port
    }

    pub fn connects(&self) -> usize {
        self.connects.load(Ordering::SeqCst)
    }

    /// The next request, once it is there.
    pub async fn next(&mut self) -> Request {
        self.requests.recv().await.unwrap()
    }

    /// How many requests were received and not looked at yet.
    pub fn arrived(&mut self) -> usize {
        self.keys().len()
    }

    /// The idempotency keys of the requests that were received and not looked at yet.
    pub fn keys(&mut self) -> Vec<String> {
        std::iter::from_fn(|| self.requests.try_recv().ok())
            .map(|request| request.header("idempotency-key").unwrap().to_owned())
            .collect()
    }
}
