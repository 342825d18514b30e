//! The service that a remote worker with `--http` posts its jobs to: it walks by the control address of its job, and notes what it
//! saw. It is the user's: it outlives every worker that is killed or frozen.

use std::{
    io,
    net::{Ipv4Addr, SocketAddr},
    sync::Arc,
    time::Duration,
};

use axum::{
    Json, Router,
    extract::{Path, State},
    http::{HeaderMap, StatusCode},
    routing::post,
};
use baton_lab::checker::{Did, ITEM, ObservedAttempt};
use parking_lot::Mutex;
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    time::sleep,
};

use crate::{Failure, now_us};

/// How long the work of an item takes, and that of a chunk of a walk.
const WORK: Duration = Duration::from_millis(2);
const CHUNK_WORK: Duration = Duration::from_millis(30);

type Sights = Arc<Mutex<Vec<ObservedAttempt>>>;

/// A service beside a worker.
pub struct Service {
    address: SocketAddr,
    sights: Sights,
}

impl Service {
    pub async fn start() -> Result<Self, Failure> {
        let cannot =
            |error: io::Error| Failure::new(format!("a service cannot be started: {error}"));
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await;
        let listener = listener.map_err(cannot)?;
        let address = listener.local_addr().map_err(cannot)?;
        let sights = Sights::default();
        let router = Router::new().route("/{worker}", post(work));
        let router = router.with_state(Arc::clone(&sights));
        tokio::spawn(async move { axum::serve(listener, router).await });
        Ok(Self { address, sights })
    }

    /// Where a worker of this name posts its jobs.
    pub fn url(&self, worker: &str) -> String {
        format!("http://{}/{worker}", self.address)
    }

    /// What it saw of its jobs.
    pub fn sights(&self) -> Vec<ObservedAttempt> {
        self.sights.lock().clone()
    }
}

/// Does a job. It is dropped where it waits when the worker hangs up.
async fn work(
    State(sights): State<Sights>,
    Path(worker): Path<String>,
    head: HeaderMap,
    Json(payload): Json<Value>,
) -> StatusCode {
    let attempt = Attempt::told(sights, worker, &head);
    let cursor = header(&head, "baton-cursor").parse().unwrap_or(0);
    attempt.saw(Did::Began(cursor));
    if payload["items"].is_u64() {
        attempt.walk(&payload, cursor).await
    } else {
        sleep(WORK).await;
        StatusCode::OK
    }
}

/// An attempt of a job.
struct Attempt {
    sights: Sights,
    worker: String,
    job: String,
    number: u32,
    control: String,
}

impl Attempt {
    fn told(sights: Sights, worker: String, head: &HeaderMap) -> Self {
        Self {
            sights,
            worker,
            job: header(head, "baton-job-id").to_owned(),
            number: header(head, "baton-attempt").parse().unwrap_or(0),
            control: header(head, "baton-control").to_owned(),
        }
    }

    /// Walks on from a cursor; how it answers.
    async fn walk(&self, payload: &Value, mut cursor: u64) -> StatusCode {
        let number = |name: &str| payload[name].as_u64().unwrap_or(1).max(1);
        let (items, chunk) = (number("items"), number("chunk"));
        let key = payload["key"].as_str().unwrap_or_default();
        while cursor < items {
            sleep(CHUNK_WORK).await;
            let next = (cursor + chunk).min(items);
            let jobs = (cursor..next).map(
                |item| json!({"kind": ITEM, "payload": {"item": item}, "key": format!("{key}-{item}")}),
            );
            let jobs: Vec<_> = jobs.collect();
            self.saw(Did::Asked(next));
            let moved = json!({"checkpoint": {"cursor": next, "jobs": jobs}});
            let answer = ask(&self.control, &moved).await.unwrap_or_default();
            if answer["saved"] != "recorded" {
                // Of one whose lease is lost nobody hears.
                return StatusCode::SERVICE_UNAVAILABLE;
            }
            self.saw(Did::Saved(next));
            cursor = next;
            if !answer["stop"].is_null() && cursor < items {
                let later = json!({"verdict": "snoozed", "after": "1s"});
                let told = ask(&self.control, &later).await;
                return told.map_or(StatusCode::SERVICE_UNAVAILABLE, |_| StatusCode::OK);
            }
        }
        StatusCode::OK
    }

    fn saw(&self, did: Did) {
        self.sights.lock().push(ObservedAttempt {
            at_us: now_us(),
            worker: self.worker.clone(),
            job: self.job.clone(),
            attempt: self.number,
            did,
        });
    }
}

/// What a head says under this name.
fn header<'a>(head: &'a HeaderMap, name: &str) -> &'a str {
    let value = head.get(name).and_then(|value| value.to_str().ok());
    value.unwrap_or_default()
}

/// Says a line to the worker of a job; what it answers.
async fn ask(control: &str, line: &Value) -> io::Result<Value> {
    let address = control.strip_prefix("http://");
    let (host, path) = address
        .and_then(|address| address.split_once('/'))
        .ok_or(io::ErrorKind::InvalidInput)?;
    let (line, mut answer) = (line.to_string(), String::new());
    let head = format!("POST /{path} HTTP/1.1\r\nHost: {host}\r\nConnection: close");
    let request = format!("{head}\r\nContent-Length: {}\r\n\r\n{line}", line.len());
    let mut socket = TcpStream::connect(host).await?;
    socket.write_all(request.as_bytes()).await?;
    socket.read_to_string(&mut answer).await?;
    let (_, body) = answer.split_once("\r\n\r\n").unwrap_or_default();
    Ok(serde_json::from_str(body)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_service_saw_each_job_begin_at_the_worker_that_posted_it() {
        let service = Service::start().await.unwrap();

        let answer = post_to(&service, "", r#"{"item": 5}"#).await;

        assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
        assert_eq!(seen(&service), [Did::Began(0)]);
        let sight = &service.sights()[0];
        let whose = (&*sight.worker, &*sight.job, sight.attempt);
        assert_eq!(whose, ("remote-http-1.2", "job_7", 3));
    }

    #[tokio::test]
    async fn a_service_walks_on_from_its_cursor_as_the_worker_of_its_job_lets_it() {
        let service = Service::start().await.unwrap();
        let told = Arc::new(Mutex::new(Vec::new()));
        let control = control(Arc::clone(&told)).await;
        let headers = format!("Baton-Control: {control}\r\nBaton-Cursor: 3\r\n");

        let walk = r#"{"key": "walk-1", "items": 7, "chunk": 2}"#;
        let answer = post_to(&service, &headers, walk).await;

        assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
        let [began, five, seven] = [Did::Began(3), Did::Asked(5), Did::Asked(7)];
        assert_eq!(
            seen(&service),
            [began, five, Did::Saved(5), seven, Did::Saved(7)]
        );
        let told = told.lock();
        let keys = told
            .iter()
            .flat_map(|line| line["checkpoint"]["jobs"].as_array().unwrap());
        let keys: Vec<_> = keys.map(|job| job["key"].as_str().unwrap()).collect();
        assert_eq!(keys, ["walk-1-3", "walk-1-4", "walk-1-5", "walk-1-6"]);
    }

    async fn post_to(service: &Service, headers: &str, body: &str) -> String {
        let path = service.url("remote-http-1.2");
        let path = path.strip_prefix(&service.url("")).unwrap();
        let mut socket = TcpStream::connect(service.address).await.unwrap();
        let head = format!(
            "POST /{path} HTTP/1.1\r\nHost: x\r\nBaton-Job-Id: job_7\r\nBaton-Attempt: 3\r\n{headers}"
        );
        let length = format!(
            "Content-Type: application/json\r\nContent-Length: {}",
            body.len()
        );
        let request = format!("{head}{length}\r\nConnection: close\r\n\r\n{body}");
        socket.write_all(request.as_bytes()).await.unwrap();
        let mut answer = String::new();
        socket.read_to_string(&mut answer).await.unwrap();
        answer
    }

    fn seen(service: &Service) -> Vec<Did> {
        service.sights().iter().map(|sight| sight.did).collect()
    }

    /// A worker's control address, which records whatever it is told.
    async fn control(told: Arc<Mutex<Vec<Value>>>) -> String {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let url = format!("http://{}/secret", listener.local_addr().unwrap());
        let answer = async move |line: String| {
            told.lock().push(serde_json::from_str(&line).unwrap());
            Json(json!({"saved": "recorded", "stop": null}))
        };
        let router = Router::new().route("/secret", post(answer));
        tokio::spawn(async move { axum::serve(listener, router).await });
        url
    }
}
