//! Keeps pages of other sites out.
//!
//! A server without keys trusts whoever reaches its address, and a browser lets any page reach it.
//! Two checks stop that: a page of another site names its origin when it sends anything that changes
//! something, and a page that had its own name resolve to the server's address (DNS rebinding) still
//! sends that name as the host.

use std::net::IpAddr;

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

use crate::{ApiState, Options, problem::Refusal};

/// Refuses what a page of another site sends.
pub async fn own_pages_only(State(api): State<ApiState>, request: Request, next: Next) -> Response {
    match check(&request, &api.shared.options) {
        Ok(()) => next.run(request).await,
        Err(problem) => Refusal::from(*problem).into_response(),
    }
}

fn check(request: &Request, options: &Options) -> Result<(), Box<Problem>> {
    let hosts = hosts(request);
    if hosts.iter().any(|host| !is_ours(host, options)) {
        return forbidden(
            "The Host header names neither loopback nor one of the `server.hosts` that this server answers for.",
        );
    }
    if hosts.len() > 1 {
        return forbidden("The request names more than one host.");
    }
    if !request.method().is_safe() && is_foreign(request.headers(), hosts.first().copied()) {
        return forbidden(
            "A browser sent this from a page of another site. If a proxy stands in front, let it pass on the Host header.",
        );
    }
    Ok(())
}

fn forbidden(detail: &str) -> Result<(), Box<Problem>> {
    Err(Box::new(ProblemKind::Forbidden.because(detail)))
}

/// The hosts a request is meant for: HTTP/2 says it in the address, HTTP/1.1 in the header. Who says
/// both has to mean the same.
fn hosts(request: &Request) -> Vec<&str> {
    let headers = request.headers().get_all(HOST).iter();
    let in_headers = headers.map(|host| host.to_str().unwrap_or("?"));
    let in_address = request.uri().authority().map(Authority::as_str);
    let mut hosts: Vec<_> = in_headers.chain(in_address).collect();
    hosts.dedup_by(|a, b| a.eq_ignore_ascii_case(b));
    hosts
}

fn is_ours(host: &str, options: &Options) -> bool {
    let name = without_port(host).trim_matches(['[', ']']);
    let address = name.parse::<IpAddr>();
    let is_named = |ours: &String| {
        ours.eq_ignore_ascii_case(name)
            || ours.parse::<IpAddr>().is_ok_and(|ours| Ok(ours) == address)
    };
    name.eq_ignore_ascii_case("localhost")
        || address.as_ref().is_ok_and(IpAddr::is_loopback)
        || options.hosts.iter().any(is_named)
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
