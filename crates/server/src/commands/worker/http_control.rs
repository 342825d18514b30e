//! The control address of a job that a service does: what the control socket is to a command, over HTTP on loopback.

use std::{
    collections::HashMap,
    io,
    net::{Ipv4Addr, SocketAddr, TcpListener},
    sync::Arc,
};

use axum::{
    Json, Router,
    extract::{DefaultBodyLimit, Path, State},
    http::StatusCode,
    response::{IntoResponse, Response},
    routing::get,
};
use baton_domain::LeaseId;
use parking_lot::Mutex;

use super::{control::LONGEST, said::Conversation};

/// The conversations of the jobs that run, by their secrets.
type Conversations = Arc<Mutex<HashMap<String, Arc<Conversation>>>>;

/// Where services speak to the worker: one address for each job, which nobody can guess.
pub struct HttpControls {
    address: SocketAddr,
    conversations: Conversations,
}

impl HttpControls {
    /// Listens from here on, on loopback.
    pub fn start() -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let listener = tokio::net::TcpListener::from_std(listener)?;
        let conversations = Conversations::default();
        let router = Router::new()
            .route("/{secret}", get(stands).post(answer))
            .layer(DefaultBodyLimit::max(
                usize::try_from(LONGEST).unwrap_or(usize::MAX),
            ))
            .with_state(Arc::clone(&conversations));
        tokio::spawn(async move { axum::serve(listener, router).await });
        Ok(Self {
            address,
            conversations,
        })
    }

    /// The address of one job.
    pub fn open(&self, conversation: Arc<Conversation>) -> HttpControl {
        let secret = LeaseId::random().uuid().simple().to_string();
        let url = format!("http://{}/{secret}", self.address);
        self.conversations
            .lock()
            .insert(secret.clone(), conversation);
        HttpControl {
            url,
            secret,
            conversations: Arc::clone(&self.conversations),
        }
    }
}

/// The address of a job, until it is dropped.
pub struct HttpControl {
    url: String,
    secret: String,
    conversations: Conversations,
}

impl HttpControl {
    /// Where it is.
    pub fn url(&self) -> &str {
        &self.url
    }
}

impl Drop for HttpControl {
    fn drop(&mut self) {
        self.conversations.lock().remove(&self.secret);
    }
}

async fn stands(State(open): State<Conversations>, Path(secret): Path<String>) -> Response {
    match found(&open, &secret) {
        Some(conversation) => Json(conversation.stands().await).into_response(),
        None => over(),
    }
}

async fn answer(
    State(open): State<Conversations>,
    Path(secret): Path<String>,
    line: String,
) -> Response {
    match found(&open, &secret) {
        Some(conversation) => Json(conversation.answer(&line).await).into_response(),
        None => over(),
    }
}

fn found(open: &Conversations, secret: &str) -> Option<Arc<Conversation>> {
    open.lock().get(secret).cloned()
}

fn over() -> Response {
    let why = "no job that runs here has this address: it has ended, or is another worker's now\n";
    (StatusCode::GONE, why).into_response()
}
