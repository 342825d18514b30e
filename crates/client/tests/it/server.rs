//! A server that gives its answers one after the other, and writes down what it was asked.

use std::{collections::VecDeque, sync::Arc, sync::Mutex};

use baton_client::Client;
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    net::{TcpListener, TcpStream},
};

/// A server with prepared answers; each is one connection.
pub struct Server {
    pub client: Client,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Server {
    /// A server that gives these answers, and hangs up on whoever asks once more.
    pub async fn answering(answers: impl IntoIterator<Item = String>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let client = Client::new(&format!("http://{}", listener.local_addr().unwrap())).unwrap();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let answers: VecDeque<_> = answers.into_iter().collect();
        tokio::spawn(serve(listener, answers, asked.clone()));
        Self { client, asked }
    }

    /// The head of each request so far, in order.
    pub fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}

async fn serve(
    listener: TcpListener,
    mut answers: VecDeque<String>,
    asked: Arc<Mutex<Vec<String>>>,
) {
    loop {
        let (mut socket, _) = listener.accept().await.unwrap();
        let head = read(&mut socket).await;
        asked.lock().unwrap().push(head);
        if let Some(answer) = answers.pop_front() {
            tokio::spawn(say(socket, answer));
        }
    }
}

/// Says it, and hears out whoever asked: a line that is dropped with something unread in it takes its answer along.
async fn say(mut socket: TcpStream, answer: String) {
    // Whoever asked may have gone.
    let _ = socket.write_all(answer.as_bytes()).await;
    let _ = socket.shutdown().await;
    let _ = tokio::io::copy(&mut socket, &mut tokio::io::sink()).await;
}

async fn read(socket: &mut TcpStream) -> String {
    let mut reader = BufReader::new(socket);
    let (mut head, mut length) = (String::new(), 0);
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).await.unwrap();
        if let Some(text) = line.to_lowercase().strip_prefix("content-length:") {
            length = text.trim().parse().unwrap();
        }
        if line.trim().is_empty() {
            break;
        }
        head.push_str(&line.to_lowercase());
    }
    reader.read_exact(&mut vec![0; length]).await.unwrap();
    head
}

/// An answer with a body.
pub fn answer(status: &str, media: &str, more: &str, body: &str) -> String {
    format!(
        "HTTP/1.1 {status}\r\nContent-Type: {media}\r\nConnection: close\r\nContent-Length: {}\r\n{more}\r\n{body}",
        body.len()
    )
}

/// The answer of a server whose database is away.
pub fn unavailable(retry_after: &str) -> String {
    let body = r#"{"type": "/docs/problems/unavailable", "title": "t", "status": 503, "detail": "d", "code": "unavailable"}"#;
    answer(
        "503 Service Unavailable",
        "application/problem+json",
        &format!("Retry-After: {retry_after}\r\n"),
        body,
    )
}

/// A batch of one job.
pub fn accepted() -> String {
    let body =
        r#"{"items": [{"id": "job_0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b", "created": true}]}"#;
    answer("201 Created", "application/json", "", body)
}

/// A stream that breaks off after this.
pub fn events(body: &str) -> String {
    // Longer than it is: the line breaks before its end.
    format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 100000\r\n\r\nretry: 1\n\n{body}"
    )
}
