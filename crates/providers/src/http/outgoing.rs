//! A request as it is written: what its payload asks for, and what is ours.

use baton_domain::Trace;
use baton_ports::Call;
use http::{
    Method,
    header::{ACCEPT, USER_AGENT},
};

use super::request::HttpRequest;

const TRACEPARENT: &str = "traceparent";
const AGENT: &str = concat!("baton/", env!("CARGO_PKG_VERSION"));

/// What the signature headers say.
pub struct Signed {
    /// The same for every attempt of a run, without dots.
    pub id: String,
    /// When it was signed.
    pub seconds: i64,
    /// One signature for each secret.
    pub signature: String,
}

/// The bytes of a request.
///
/// Nothing in it can end a line early: addresses, ids, traces and signatures are of graphic ASCII, and the
/// payload's headers were read as such.
///
/// A payload that names a trace of its own means that, and not the one of the call.
pub fn write(
    call: &Call,
    asked: &HttpRequest,
    signed: Option<&Signed>,
    trace: Option<&Trace>,
) -> Vec<u8> {
    write_with(asked, |request| {
        put_ours(request, call, &asked.key(call), signed);
        if let Some(trace) = trace.filter(|_| !asked.headers.contains_key(TRACEPARENT)) {
            put_trace(request, trace);
        }
    })
}

/// The bytes of a request that no job asks for.
pub fn write_plain(asked: &HttpRequest) -> Vec<u8> {
    write_with(asked, |_| ())
}

fn write_with(asked: &HttpRequest, put_more: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let body = asked.body.as_deref().unwrap_or_default();
    let mut request = Vec::with_capacity(512 + body.len());
    let (method, address) = (asked.method.as_str(), &asked.address);
    put(
        &mut request,
        &[method, " ", address.path(), " HTTP/1.1\r\n"],
    );
    put_header(&mut request, "host", address.host());
    for (name, value) in &asked.headers {
        put(&mut request, &[name.as_str(), ": "]);
        request.extend_from_slice(value.as_bytes());
        request.extend_from_slice(b"\r\n");
    }
    if !asked.headers.contains_key(USER_AGENT) {
        put_header(&mut request, "user-agent", AGENT);
    }
    if !asked.headers.contains_key(ACCEPT) {
        put_header(&mut request, "accept", "*/*");
    }
    put_more(&mut request);
    if !body.is_empty() || is_expected(&asked.method) {
        put_header(&mut request, "content-length", &body.len().to_string());
    }
    request.extend_from_slice(b"\r\n");
    request.extend_from_slice(body);
    request
}

/// Adds what a receiver needs to know of an attempt.
fn put_ours(request: &mut Vec<u8>, call: &Call, key: &str, signed: Option<&Signed>) {
    put_header(request, "idempotency-key", key);
    put_header(request, "baton-job-id", &call.args.id.to_string());
    put_header(request, "baton-attempt", &call.counters.attempt.to_string());
    if let Some(signed) = signed {
        put_header(request, "webhook-id", &signed.id);
        put_header(request, "webhook-timestamp", &signed.seconds.to_string());
        put_header(request, "webhook-signature", &signed.signature);
    }
}

fn put_trace(request: &mut Vec<u8>, trace: &Trace) {
    put_header(request, TRACEPARENT, &trace.traceparent);
    if let Some(state) = &trace.tracestate {
        put_header(request, "tracestate", state);
    }
}

/// Whether a request of this method says that it has no body.
fn is_expected(method: &Method) -> bool {
    [Method::POST, Method::PUT, Method::PATCH].contains(method)
}

fn put_header(request: &mut Vec<u8>, name: &str, value: &str) {
    put(request, &[name, ": ", value, "\r\n"]);
}

fn put(request: &mut Vec<u8>, texts: &[&str]) {
    for text in texts {
        request.extend_from_slice(text.as_bytes());
    }
}
