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
    let mut measured = Measured {
        route,
        method: method(request.method()),
        // Of who hangs up before there is an answer.
        status: "none",
        began: Instant::now(),
    };
    let response = next.run(request).await;
    measured.status = class(response.status());
    if response.status() == StatusCode::METHOD_NOT_ALLOWED {
        measured.method = OTHER;
    }
    response
}

/// A request, told when it is over, whoever ended it.
struct Measured {
    route: String,
    method: &'static str,
    status: &'static str,
    began: Instant,
}

impl Drop for Measured {
    fn drop(&mut self) {
        let route = std::mem::take(&mut self.route);
        metrics::histogram!("baton_http_request_seconds", "route" => route, "method" => self.method, "status" => self.status)
            .record(self.began.elapsed());
    }
}

/// Any method that a route does not take.
const OTHER: &str = "other";

/// A client can make up methods without end.
const fn method(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        _ => OTHER,
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
