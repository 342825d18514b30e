//! What it means that there is no answer: nothing was sent, or nobody knows.

use std::time::Duration;

use super::{connection::Broken, connector::NoConnection, exchange::NoAnswer};
use baton_domain::{
    duration,
    job::{Class, Failure, Verdict},
};

/// The verdict on a call to an origin that brought no answer.
pub fn verdict(no_answer: &NoAnswer, origin: &str, timeout: Duration) -> Verdict {
    match no_answer {
        NoAnswer::Canceled => Verdict::Canceled,
        NoAnswer::Full(after) => put_off(origin, *after),
        NoAnswer::NotSent(why) => not_sent(origin, why),
        NoAnswer::NotSentInTime => Verdict::failed(
            Class::Retry,
            "connect",
            format!(
                "nothing was sent: no connection to {origin} within {}",
                duration::format(timeout)
            ),
        ),
        NoAnswer::TimedOut => Verdict::failed(
            Class::Unknown,
            "timeout",
            format!(
                "{origin} was called and did not answer within {}; it may have acted",
                duration::format(timeout)
            ),
        ),
        NoAnswer::Broken(broken) => in_doubt(origin, broken),
    }
}

/// Uses no try: nothing is wrong with the job or, as far as we know, with where it goes.
fn put_off(origin: &str, after: Duration) -> Verdict {
    let message = format!(
        "nothing was sent: as many calls to {origin} are under way as http.connections_per_origin allows; it comes back in {} at the earliest",
        duration::format(after)
    );
    Verdict::Failed {
        failure: Failure::new(Class::Throttled, "origin_busy", message),
        retry_after: Some(after),
    }
}

fn not_sent(origin: &str, why: &NoConnection) -> Verdict {
    let code = match why {
        NoConnection::Refused(refused) => {
            return Verdict::failed(
                Class::Permanent,
                "address_not_allowed",
                format!("nothing was sent: {refused}"),
            );
        }
        NoConnection::Name(_) => "dns",
        NoConnection::Tls(_) => "tls",
        NoConnection::Broken(_) | NoConnection::TookTooLong => "connect",
    };
    let message = format!("nothing was sent to {origin}: {why}");
    Verdict::failed(Class::Retry, code, message)
}

fn in_doubt(origin: &str, broken: &Broken) -> Verdict {
    let (code, what) = match broken {
        Broken::NotHttp(_) => ("protocol", "its answer was not HTTP"),
        Broken::Ended | Broken::Io(_) => ("reset", "the connection broke before it answered"),
    };
    let message = format!("{origin} was called and {what}: {broken}; it may have acted");
    Verdict::failed(Class::Unknown, code, message)
}
