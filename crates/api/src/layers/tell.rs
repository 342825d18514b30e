//! The layer that writes every problem, and gives every request an id.

use std::any::Any;

use axum::{
    body::Body,
    extract::Request,
    http::{
        HeaderMap, HeaderName, HeaderValue, StatusCode,
        header::{
            CACHE_CONTROL, CONTENT_LENGTH, CONTENT_TYPE, RETRY_AFTER, X_CONTENT_TYPE_OPTIONS,
        },
    },
    middleware::Next,
    response::{IntoResponse, Response},
};
use baton_ports::watchdog;
use baton_protocol::{Problem, ProblemKind, problem::MEDIA_TYPE};
use tracing::Instrument;
use uuid::Uuid;

use crate::{
    problem::{PendingProblem, Refusal, internal},
    routes::IMPORT,
};

const REQUEST_ID: HeaderName = HeaderName::from_static("request-id");

/// The id of a request, for the one handler that writes its problem itself.
#[derive(Debug, Clone)]
pub struct RequestId(pub String);

/// Gives the request an id, and writes the problem that an answer is marked with.
pub async fn tell(mut request: Request, next: Next) -> Response {
    let id = request_id(&request);
    request.extensions_mut().insert(RequestId(id.clone()));
    let path = request.uri().path().to_owned();
    let logged = without_person(&path);
    let span = tracing::info_span!("request", id, method = %request.method(), path = logged);
    let mut response = next.run(request).instrument(span).await;
    if let Some(PendingProblem(problem)) = response.extensions_mut().remove() {
        response = write(problem, &id, &path, response);
    }
    tracing::debug!(
        id,
        path = logged,
        status = response.status().as_u16(),
        "answered"
    );
    if let Ok(id) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(REQUEST_ID, id);
    }
    seal(response.headers_mut(), &path);
    response
}

/// A path as the log tells it: a log outlives the person whose id it would hold.
/// Where no call of ours is, a path can hold it as well.
fn without_person(path: &str) -> String {
    if path == IMPORT {
        return path.to_owned();
    }
    let mut is_theirs = false;
    let parts = path.split('/').map(|part| {
        if part.is_empty() {
            return part;
        }
        let is_next_theirs = !is_theirs && part.eq_ignore_ascii_case("recipients");
        let hides = std::mem::replace(&mut is_theirs, is_next_theirs);
        if hides { "{id}" } else { part }
    });
    parts.collect::<Vec<_>>().join("/")
}

/// No answer is guessed at, and none of the API is kept on the way: it holds what others may not see.
fn seal(headers: &mut HeaderMap, path: &str) {
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    if path.starts_with("/v1/") {
        let keep = headers.entry(CACHE_CONTROL);
        keep.or_insert(HeaderValue::from_static("no-store"));
    }
}

/// The caller's own id if it is a decent one, else a new one.
fn request_id(request: &Request) -> String {
    let is_decent = |id: &&str| {
        (1..=64).contains(&id.len())
            && id
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || "_-.".contains(c))
    };
    request
        .headers()
        .get(REQUEST_ID)
        .and_then(|id| id.to_str().ok())
        .filter(is_decent)
        .map_or_else(|| format!("req_{}", Uuid::new_v4().simple()), str::to_owned)
}

/// Marks a library's bare error with the problem that is to stand in its place.
pub async fn mark_bare_errors(mut response: Response) -> Response {
    if let Some(problem) = problem_of_bare(&response) {
        response.extensions_mut().insert(PendingProblem(problem));
    }
    response
}

fn problem_of_bare(response: &Response) -> Option<Problem> {
    let is_told = response.extensions().get::<PendingProblem>().is_some();
    let status = response.status();
    let is_written = response
        .headers()
        .get(CONTENT_TYPE)
        .is_some_and(|media| media == MEDIA_TYPE);
    if is_told || is_written || !(status.is_client_error() || status.is_server_error()) {
        return None;
    }
    Some(match status {
        StatusCode::NOT_FOUND => nothing(),
        StatusCode::METHOD_NOT_ALLOWED => ProblemKind::MethodNotAllowed
            .because("The Allow header names the methods this address takes."),
        StatusCode::PAYLOAD_TOO_LARGE => {
            ProblemKind::TooLarge.because("The request is longer than this call takes.")
        }
        status if status.is_client_error() => ProblemKind::Malformed.because(
            status
                .canonical_reason()
                .unwrap_or("The request cannot be read."),
        ),
        _ => internal(),
    })
}

fn write(problem: Problem, id: &str, path: &str, response: Response) -> Response {
    let retry_after = problem.known_kind().filter(|kind| kind.is_passing());
    let problem = Problem {
        instance: Some(path.to_owned()),
        request_id: Some(id.to_owned()),
        ..problem
    };
    let body = serde_json::to_vec(&problem).unwrap_or_default();
    let (mut parts, _) = response.into_parts();
    parts.status =
        StatusCode::from_u16(problem.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    parts.headers.remove(CONTENT_LENGTH);
    parts
        .headers
        .insert(CONTENT_TYPE, HeaderValue::from_static(MEDIA_TYPE));
    parts
        .headers
        .insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    if retry_after.is_some() {
        parts
            .headers
            .insert(RETRY_AFTER, HeaderValue::from_static("1"));
    }
    Response::from_parts(parts, Body::from(body))
}

/// What is answered where no route is.
pub async fn nothing_here() -> Refusal {
    nothing().into()
}

/// What is answered where a process without the API has nothing.
pub async fn nothing_but_health() -> Refusal {
    let detail = "This process has not the role `api`: it answers /healthz, /readyz and /metrics. Ask one that has.";
    ProblemKind::NotFound.because(detail).into()
}

fn nothing() -> Problem {
    ProblemKind::NotFound.because("No call of the API has this path; /docs lists them all.")
}

/// What is answered when a handler panics; the panic's words stay in the log.
#[expect(
    clippy::needless_pass_by_value,
    reason = "the layer hands the panic over"
)]
pub fn panicked(panic: Box<dyn Any + Send + 'static>) -> Response {
    let words = watchdog::message(&*panic);
    tracing::error!(panic = %words, "a handler panicked");
    Refusal::from(internal()).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_log_tells_which_call_it_was_and_whom_it_was_about_never() {
        let told = [
            ("/v1/recipients", "/v1/recipients"),
            ("/v1/recipients/", "/v1/recipients/"),
            (IMPORT, IMPORT),
            ("/v1/recipients/kim", "/v1/recipients/{id}"),
            ("/v1/recipients/kim/", "/v1/recipients/{id}/"),
            ("/v1/recipients/a%2Fb", "/v1/recipients/{id}"),
            (
                "/v1/recipients/kim/inbox/item_1/read",
                "/v1/recipients/{id}/inbox/item_1/read",
            ),
            (
                "/v1/recipients/recipients/inbox",
                "/v1/recipients/{id}/inbox",
            ),
            ("/v1//recipients//kim", "/v1//recipients//{id}"),
            ("/v1/Recipients/kim", "/v1/Recipients/{id}"),
            ("/recipients/kim", "/recipients/{id}"),
            ("/v1/jobs/job_1", "/v1/jobs/job_1"),
            ("", ""),
        ];

        for (path, logged) in told {
            assert_eq!(without_person(path), logged);
        }
    }
}
