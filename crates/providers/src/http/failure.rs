//! What it means that there is no answer: nothing was sent, or nobody knows.

use std::{error::Error, io, time::Duration};

use baton_domain::{
    duration,
    job::{Class, Verdict},
};
use reqwest::header::InvalidHeaderValue;

use crate::policy::Refused;

use super::departure::{Left, Withdrawn};

pub fn not_allowed(refused: &Refused) -> Verdict {
    Verdict::failed(
        Class::Permanent,
        "address_not_allowed",
        format!("nothing was sent: {refused}"),
    )
}

#[expect(
    clippy::needless_pass_by_value,
    reason = "it is the argument of a map_err"
)]
pub fn not_sendable(error: InvalidHeaderValue) -> Verdict {
    Verdict::failed(
        Class::Permanent,
        "bad_request",
        format!("nothing was sent: a header of ours cannot be written: {error}"),
    )
}

pub fn timed_out(origin: &str, timeout: Duration, left: Left) -> Verdict {
    let timeout = duration::format(timeout);
    match left {
        Left::Not => Verdict::failed(
            Class::Retry,
            "connect",
            format!("nothing was sent: no connection to {origin} within {timeout}"),
        ),
        Left::Perhaps => Verdict::failed(
            Class::Unknown,
            "timeout",
            format!("{origin} was called and did not answer within {timeout}; it may have acted"),
        ),
    }
}

pub fn broken(origin: &str, error: &reqwest::Error, left: Left) -> Verdict {
    if let Some(refused) = find::<Refused>(error) {
        return not_allowed(refused);
    }
    match left {
        Left::Not => not_sent(origin, error),
        Left::Perhaps => in_doubt(origin, error),
    }
}

fn not_sent(origin: &str, error: &reqwest::Error) -> Verdict {
    let (class, code, what) = if error.is_builder() {
        (
            Class::Permanent,
            "bad_request",
            "the request cannot be made",
        )
    } else if error.is_dns() {
        (Class::Retry, "dns", "the name cannot be resolved")
    } else if is_tls(origin, error) {
        (Class::Retry, "tls", "the TLS handshake failed")
    } else {
        (Class::Retry, "connect", "the connection failed")
    };
    let cause = if error.is_timeout() {
        "it took too long".to_owned()
    } else {
        root(error)
    };
    let message = format!("nothing was sent to {origin}: {what}: {cause}");
    Verdict::failed(class, code, message)
}

fn in_doubt(origin: &str, error: &reqwest::Error) -> Verdict {
    let is_nonsense = find::<hyper::Error>(error).is_some_and(hyper::Error::is_parse);
    let (code, what) = if is_nonsense {
        ("protocol", "its answer was not HTTP")
    } else {
        ("reset", "the connection broke before it answered")
    };
    let message = format!(
        "{origin} was called and {what}: {}; it may have acted",
        root(error)
    );
    Verdict::failed(Class::Unknown, code, message)
}

/// Whether a connection failed in its handshake: by what was said, or by an end in the middle of it. A
/// connection that is merely opened is refused or times out; it cannot end yet.
fn is_tls(origin: &str, error: &reqwest::Error) -> bool {
    use io::ErrorKind::{BrokenPipe, ConnectionReset, UnexpectedEof};
    let has_ended = |cause: &(dyn Error + 'static)| {
        cause.downcast_ref().is_some_and(|cause: &io::Error| {
            [UnexpectedEof, ConnectionReset, BrokenPipe].contains(&cause.kind())
        })
    };
    find::<rustls::Error>(error).is_some()
        || (origin.starts_with("https:") && causes(error).any(has_ended))
}

fn find<E: Error + 'static>(error: &reqwest::Error) -> Option<&E> {
    causes(error).find_map(|cause| cause.downcast_ref())
}

fn root(error: &reqwest::Error) -> String {
    causes(error)
        .filter(|cause| !cause.is::<reqwest::Error>() && !cause.is::<Withdrawn>())
        .last()
        .map_or_else(|| "no cause is known".to_owned(), ToString::to_string)
}

/// An error and what caused it. An I/O error hides the error it wraps from `source`.
fn causes(error: &reqwest::Error) -> impl Iterator<Item = &(dyn Error + 'static)> {
    let first: &(dyn Error + 'static) = error;
    std::iter::successors(Some(first), |error| cause(*error))
}

fn cause<'a>(error: &'a (dyn Error + 'static)) -> Option<&'a (dyn Error + 'static)> {
    match error
        .downcast_ref::<io::Error>()
        .and_then(io::Error::get_ref)
    {
        Some(inner) => Some(inner),
        None => error.source(),
    }
}
