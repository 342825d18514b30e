//! Why something is done: the form of any button can say so, and the audit log keeps it beside what was done.

use axum::{
    Form,
    body::{Body, Bytes},
    extract::{FromRequest, Request},
    http::{HeaderMap, Method, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use serde::Deserialize;

/// How many letters are kept of it; the fields of the pages take no more.
const LONGEST: usize = 200;

/// What a form says of it.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Said {
    reason: String,
}

/// Why whoever asks does so, as their form says.
#[derive(Clone)]
pub struct Reason(pub String);

/// Hears the reason that a form gives, before whatever reads the rest of it.
pub async fn hear(request: Request, next: Next) -> Response {
    if request.method() != Method::POST || !is_form(request.headers()) {
        return next.run(request).await;
    }
    let (mut parts, body) = request.into_parts();
    let read = Bytes::from_request(Request::from_parts(parts.clone(), body), &()).await;
    let bytes = match read {
        Ok(bytes) => bytes,
        Err(refused) => return refused.into_response(),
    };
    let copy = Request::from_parts(parts.clone(), Body::from(bytes.clone()));
    // What is no form at all is told so by whatever reads it.
    let said = Form::<Said>::from_request(copy, &()).await;
    if let Some(reason) = said.ok().and_then(|Form(said)| given(&said.reason)) {
        parts.extensions.insert(Reason(reason));
    }
    next.run(Request::from_parts(parts, Body::from(bytes)))
        .await
}

/// A reason as it is kept, if anybody gave one.
pub fn given(text: &str) -> Option<String> {
    let text = text.trim();
    (!text.is_empty()).then(|| text.chars().take(LONGEST).collect())
}

fn is_form(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE);
    let kind = kind.and_then(|kind| kind.to_str().ok());
    kind.is_some_and(|kind| kind.starts_with("application/x-www-form-urlencoded"))
}
