//! How long requests take, by their route.

use std::time::Instant;

use axum::{
    extract::{MatchedPath, Request},
    http::{Method, StatusCode},
    middleware::Next,
    response::Response,
};

/// Tells how long it took until an answer began; streams go on after that.
pub async fn measure(request: Request, next: Next) -> Response {
    let path = request.extensions().get::<MatchedPath>();
    let route = path.map_or_else(|| "none".to_owned(), |path| path.as_str().to_owned());
    let method = method(request.method());
    let began = Instant::now();
    let response = next.run(request).await;
    let status = class(response.status());
    metrics::histogram!("baton_http_request_seconds", "route" => route, "method" => method, "status" => status)
        .record(began.elapsed());
    response
}

/// A client can make up methods without end.
const fn method(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        _ => "other",
    }
}

const fn class(status: StatusCode) -> &'static str {
    match status.as_u16() {
        ..300 => "2xx",
        300..400 => "3xx",
        400..500 => "4xx",
        500.. => "5xx",
    }
}
