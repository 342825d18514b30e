//! Keeps pages of other sites out.
//!
//! A server without keys trusts whoever reaches its loopback address, and a browser lets any page
//! reach it. Two checks stop that: a page of another site names its origin when it sends anything
//! that changes something, and a page that had its own name resolve to 127.0.0.1 (DNS rebinding)
//! still sends that name as the host.

use axum::{
    extract::{Request, State},
    http::{
        HeaderMap,
        header::{HOST, ORIGIN},
        uri::Authority,
    },
    middleware::Next,
    response::{IntoResponse, Response},
};
use baton_protocol::{Problem, ProblemKind};

use crate::{Api, Options, problem::Refusal};

/// Refuses what a page of another site sends.
pub async fn own_pages_only(State(api): State<Api>, request: Request, next: Next) -> Response {
    match check(&request, &api.shared.options) {
        Ok(()) => next.run(request).await,
        Err(problem) => Refusal::from(*problem).into_response(),
    }
}

fn check(request: &Request, options: &Options) -> Result<(), Box<Problem>> {
    let host = host(request);
    if options.is_local
        && let Some(host) = host
        && !is_ours(host, options)
    {
        return forbidden(
            "The Host header names neither loopback nor a host this server is told to answer for.",
        );
    }
    if !request.method().is_safe() && is_foreign(request.headers(), host) {
        return forbidden("A browser sent this from a page of another site.");
    }
    Ok(())
}

fn forbidden(detail: &str) -> Result<(), Box<Problem>> {
    Err(Box::new(ProblemKind::Forbidden.because(detail)))
}

/// The host a request is meant for: HTTP/2 says it in the address, HTTP/1.1 in the header.
fn host(request: &Request) -> Option<&str> {
    match request.headers().get(HOST) {
        Some(host) => Some(host.to_str().unwrap_or("?")),
        None => request.uri().authority().map(Authority::as_str),
    }
}

fn is_ours(host: &str, options: &Options) -> bool {
    let name = without_port(host);
    name.eq_ignore_ascii_case("localhost")
        || name
            .trim_matches(['[', ']'])
            .parse::<std::net::IpAddr>()
            .is_ok_and(|address| address.is_loopback())
        || options
            .hosts
            .iter()
            .any(|ours| ours.eq_ignore_ascii_case(name))
}

fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.chars().all(|c| c.is_ascii_digit()) => name,
        _ => host,
    }
}

fn is_foreign(headers: &HeaderMap, host: Option<&str>) -> bool {
    match headers.get(ORIGIN).map(|origin| origin.to_str()) {
        Some(Ok(origin)) => origin.split_once("://").map(|(_, origin_host)| origin_host) != host,
        Some(Err(_)) => true,
        None => headers
            .get("sec-fetch-site")
            .is_some_and(|site| site != "same-origin" && site != "none"),
    }
}
