//! The trace that a request belongs to, as its headers say it.

use std::convert::Infallible;

use axum::{
    extract::FromRequestParts,
    http::{HeaderMap, request::Parts},
};
use baton_domain::{Trace, job::JobSpec};

/// The trace of the request, if its headers name one; a header that is wrong is passed over, as W3C Trace Context wants it.
pub struct RequestTrace(Option<Trace>);

impl<S: Sync> FromRequestParts<S> for RequestTrace {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        let traceparents = texts(&parts.headers, "traceparent");
        let tracestates = texts(&parts.headers, "tracestate");
        Ok(Self(Trace::from_headers(traceparents, tracestates)))
    }
}

impl RequestTrace {
    /// Gives a job that names no trace of its own that of the request.
    pub fn lend(&self, job: &mut JobSpec) {
        if job.trace.is_none() {
            job.trace.clone_from(&self.0);
        }
    }
}

/// What cannot be read is told as what no trace can be.
fn texts<'a>(headers: &'a HeaderMap, name: &'static str) -> impl Iterator<Item = &'a str> {
    let values = headers.get_all(name).iter();
    values.map(|value| value.to_str().unwrap_or("\u{fffd}"))
}
