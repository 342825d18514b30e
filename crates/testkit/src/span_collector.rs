//! A collector of traces that takes OTLP as protobuf over HTTP, or refuses it, or never answers.
//!
//! Whatever is sent elsewhere than to `/v1/traces` is answered well; of it the `traceparent` is kept, so that a job can call it.

use std::{
    collections::BTreeMap,
    convert::Infallible,
    net::SocketAddr,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use http_body_util::{BodyExt, Full};
use hyper::{
    Request, Response, StatusCode,
    body::{Bytes, Incoming},
    server::conn::http1,
    service::service_fn,
};
use hyper_util::rt::TokioIo;
use opentelemetry_proto::tonic::{
    collector::trace::v1::ExportTraceServiceRequest,
    common::v1::{KeyValue, any_value::Value},
    trace::v1::{ResourceSpans, Span},
};
use prost::Message;
use tokio::{net::TcpListener, task::JoinHandle};

/// What a collector does with what it is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Manner {
    /// It takes it.
    #[default]
    Takes,
    /// It answers 500.
    Fails,
    /// It takes the request and never answers.
    Hangs,
}

/// A span that was received; ids are in hexadecimal digits, as a `traceparent` has them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReceivedSpan {
    /// The `service.name` of who sent it.
    pub service: String,
    /// Its trace.
    pub trace: String,
    /// Itself.
    pub span: String,
    /// The span that it is a child of; empty if it is none's.
    pub parent: String,
    /// The spans that it is linked with, as `trace-span`.
    pub links: Vec<String>,
    /// What it is called.
    pub name: String,
    /// 3 of a client, 4 of a producer, 5 of a consumer.
    pub kind: i32,
    /// What it tells.
    pub attributes: BTreeMap<String, String>,
    /// Whether it failed.
    pub is_error: bool,
}

/// A collector of traces; it ends when it is dropped.
pub struct SpanCollector {
    address: SocketAddr,
    state: Arc<State>,
    server: JoinHandle<()>,
}

struct State(Mutex<Collected>);

#[derive(Default)]
struct Collected {
    manner: Manner,
    spans: Vec<ReceivedSpan>,
    requests: usize,
    headers: BTreeMap<String, String>,
    traceparents: Vec<String>,
}

impl SpanCollector {
    /// Starts one that takes what it is sent.
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("its address");
        let state = Arc::new(State(Mutex::default()));
        let server = tokio::spawn(serve(listener, Arc::clone(&state)));
        Self {
            address,
            state,
            server,
        }
    }

    /// Where it is.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Has it do something else from now on.
    pub fn is_now(&self, manner: Manner) {
        self.state.kept().manner = manner;
    }

    /// The spans that it was sent so far.
    #[must_use]
    pub fn spans(&self) -> Vec<ReceivedSpan> {
        self.state.kept().spans.clone()
    }

    /// How many times spans came, taken or not.
    #[must_use]
    pub fn requests(&self) -> usize {
        self.state.kept().requests
    }

    /// A header of the last request with spans.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<String> {
        self.state.kept().headers.get(name).cloned()
    }

    /// The `traceparent` of each other request; empty where there was none.
    #[must_use]
    pub fn traceparents(&self) -> Vec<String> {
        self.state.kept().traceparents.clone()
    }
}

impl Drop for SpanCollector {
    fn drop(&mut self) {
        self.server.abort();
    }
}

impl State {
    fn kept(&self) -> MutexGuard<'_, Collected> {
        // A test that has failed is told what it failed of.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn serve(listener: TcpListener, state: Arc<State>) {
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            tokio::time::sleep(Duration::from_millis(20)).await;
            continue;
        };
        let state = Arc::clone(&state);
        tokio::spawn(async move {
            let answer = service_fn(|request| answer(Arc::clone(&state), request));
            // Whoever hangs up has heard enough.
            let _ = http1::Builder::new()
                .serve_connection(TokioIo::new(stream), answer)
                .await;
        });
    }
}

async fn answer(
    state: Arc<State>,
    request: Request<Incoming>,
) -> Result<Response<Full<Bytes>>, Infallible> {
    let (head, body) = request.into_parts();
    let said = head.headers.iter();
    let said = said.filter_map(|(name, value)| Some((name.to_string(), value.to_str().ok()?)));
    let headers: BTreeMap<_, _> = said.map(|(n, value)| (n, value.to_owned())).collect();
    let body = body
        .collect()
        .await
        .map(http_body_util::Collected::to_bytes)
        .unwrap_or_default();
    if head.uri.path() != "/v1/traces" {
        let traceparent = headers.get("traceparent").cloned().unwrap_or_default();
        state.kept().traceparents.push(traceparent);
        return Ok(Response::default());
    }
    let manner = state.kept().take(headers, &body);
    Ok(match manner {
        Manner::Takes => Response::default(),
        Manner::Fails => {
            let mut response = Response::default();
            *response.status_mut() = StatusCode::INTERNAL_SERVER_ERROR;
            response
        }
        Manner::Hangs => std::future::pending().await,
    })
}

impl Collected {
    fn take(&mut self, headers: BTreeMap<String, String>, body: &[u8]) -> Manner {
        self.requests += 1;
        self.headers = headers;
        if self.manner == Manner::Takes {
            let request = ExportTraceServiceRequest::decode(body).expect("spans as OTLP has them");
            let spans = request.resource_spans.into_iter().flat_map(received);
            self.spans.extend(spans);
        }
        self.manner
    }
}

fn received(all: ResourceSpans) -> Vec<ReceivedSpan> {
    let resource = told(all.resource.unwrap_or_default().attributes);
    let service = resource.get("service.name").cloned().unwrap_or_default();
    let spans = all.scope_spans.into_iter().flat_map(|scope| scope.spans);
    spans.map(|span| read(&service, span)).collect()
}

fn read(service: &str, span: Span) -> ReceivedSpan {
    let links = span.links.iter();
    let links = links.map(|link| format!("{}-{}", hex(&link.trace_id), hex(&link.span_id)));
    ReceivedSpan {
        service: service.to_owned(),
        trace: hex(&span.trace_id),
        span: hex(&span.span_id),
        parent: hex(&span.parent_span_id),
        links: links.collect(),
        name: span.name,
        kind: span.kind,
        attributes: told(span.attributes),
        is_error: span.status.is_some_and(|status| status.code == 2),
    }
}

fn told(attributes: Vec<KeyValue>) -> BTreeMap<String, String> {
    let text = |value| match value {
        Value::StringValue(text) => text,
        Value::IntValue(number) => number.to_string(),
        Value::BoolValue(is) => is.to_string(),
        other => format!("{other:?}"),
    };
    let said = attributes.into_iter().filter_map(|one| {
        let value = one.value?.value?;
        Some((one.key, text(value)))
    });
    said.collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
