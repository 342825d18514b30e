//! The API's own pages: the reference, drawn from the description, and one page for each problem.

mod markdown;
mod page;
mod reference;

use std::sync::OnceLock;

use axum::{
    Router,
    body::Bytes,
    http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderName},
    response::{IntoResponse, Response},
    routing::get,
};
use baton_protocol::ProblemKind;
use utoipa::openapi::OpenApi;

use crate::{ApiState, extract::WordPath, problem::ApiResult};

/// The description and the reference as they are served: the same for every router of a process.
static DRAWN: OnceLock<(Bytes, Bytes)> = OnceLock::new();

/// Where the description and its pages are served; they are drawn once.
pub fn routes(description: impl FnOnce() -> OpenApi) -> Router<ApiState> {
    let (json, reference) = DRAWN.get_or_init(|| draw(&description())).clone();
    Router::new()
        .route(
            "/openapi.json",
            get(move || served(json, "application/json")),
        )
        .route("/docs", get(move || served(reference, HTML)))
        .route(
            "/docs/style.css",
            get(|| served(STYLE, "text/css; charset=utf-8")),
        )
        .route("/docs/problems", get(|| async { html(page::problems()) }))
        .route("/docs/problems/{kind}", get(problem))
}

fn draw(description: &OpenApi) -> (Bytes, Bytes) {
    let json = description.to_json().unwrap_or_default();
    let reference = reference::draw_reference(description);
    (Bytes::from(json), Bytes::from(reference))
}

const HTML: &str = "text/html; charset=utf-8";
const STYLE: &str = include_str!("docs/style.css");
/// The pages have no script and load nothing but their own style.
const POLICY: &str = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

async fn problem(WordPath(kind): WordPath) -> ApiResult<Response> {
    match ProblemKind::from_code(&kind) {
        Some(kind) => Ok(html(page::problem(kind))),
        None => Err(ProblemKind::NotFound
            .because("There is no such kind of problem; /docs/problems lists them all.")
            .into()),
    }
}

fn html(text: String) -> Response {
    respond(text, HTML)
}

async fn served(body: impl IntoResponse, media: &'static str) -> Response {
    respond(body, media)
}

fn respond(body: impl IntoResponse, media: &'static str) -> Response {
    let headers: [(HeaderName, &str); 4] = [
        (CONTENT_TYPE, media),
        (CACHE_CONTROL, "no-cache"),
        (CONTENT_SECURITY_POLICY, POLICY),
        (HeaderName::from_static("x-content-type-options"), "nosniff"),
    ];
    (headers, body).into_response()
}
