//! An API with pages that are given out when the story says so, and that fails at every fifth request.

use std::{
    collections::HashMap,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use axum::{
    Json, Router,
    extract::{Query, State},
    http::StatusCode,
    routing::get,
};
use baton_testkit::eventually;
use parking_lot::Mutex;
use serde_json::{Value, json};
use tokio::{net::TcpListener, sync::Semaphore};

use crate::fixture::TIMEOUT;

/// How many rows there are, and how many on a page.
pub const ROWS: u64 = 2_500;
pub const PAGE: u64 = 100;

/// How manieth request is refused.
const BAD: u64 = 5;

/// The API.
pub struct Shop {
    url: String,
    counter: Arc<Counter>,
}

struct Counter {
    /// How many pages may be given out.
    pages: Semaphore,
    sold: AtomicU64,
    requests: AtomicU64,
    /// Where the pages begin that were asked for by requests that were not refused.
    asked: Mutex<Vec<u64>>,
}

impl Shop {
    /// Opens it; it gives out nothing yet.
    pub async fn open() -> Self {
        let counter = Arc::new(Counter {
            pages: Semaphore::new(0),
            sold: AtomicU64::new(0),
            requests: AtomicU64::new(0),
            asked: Mutex::default(),
        });
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/rows", listener.local_addr().unwrap());
        let router = Router::new().route("/rows", get(page));
        let router = router.with_state(Arc::clone(&counter));
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { url, counter }
    }

    pub fn url(&self) -> &str {
        &self.url
    }

    /// Where the pages begin that were asked for.
    pub fn asked(&self) -> Vec<u64> {
        self.counter.asked.lock().clone()
    }

    /// Lets so many more pages go, to whoever asks for them.
    pub fn let_go(&self, pages: usize) {
        self.counter.pages.add_permits(pages);
    }

    /// Gives out so many more pages and waits until one more is asked for: then those are written down.
    pub async fn sell(&self, pages: usize) {
        let asked = || {
            self.counter
                .asked
                .lock()
                .last()
                .map_or(0, |last| last / PAGE)
        };
        let wanted = self.counter.sold.load(Ordering::SeqCst) + pages as u64;
        self.let_go(pages);
        let what = format!("page {wanted} is asked for");
        eventually(&what, TIMEOUT, async || asked() >= wanted).await;
    }
}

async fn page(
    State(counter): State<Arc<Counter>>,
    Query(query): Query<HashMap<String, u64>>,
) -> Result<Json<Value>, StatusCode> {
    if counter.requests.fetch_add(1, Ordering::SeqCst) % BAD == BAD - 1 {
        return Err(StatusCode::SERVICE_UNAVAILABLE);
    }
    let from = query.get("after").copied().unwrap_or(0);
    counter.asked.lock().push(from);
    let permit = counter.pages.acquire().await;
    permit.map_err(|_| StatusCode::GONE)?.forget();
    counter.sold.fetch_add(1, Ordering::SeqCst);
    let to = (from + PAGE).min(ROWS);
    let rows: Vec<_> = (from..to).map(|number| json!({"number": number})).collect();
    let next = (to < ROWS).then(|| to.to_string());
    Ok(Json(json!({"rows": rows, "next": next, "total": ROWS})))
}
