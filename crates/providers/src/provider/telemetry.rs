//! What the metrics say of providers: how long their answers took, and what they were like.

use std::time::Duration;

use baton_domain::{delivery::CHANNEL, job::Verdict};
use baton_ports::labels;

use crate::http::HttpResponse;

/// What answers can be like, by the first digit of their status.
const CLASSES: [&str; 5] = ["2xx", "3xx", "4xx", "5xx", NONE];
/// No answer came.
const NONE: &str = "none";

/// Has what is told of these providers begin at zero.
pub fn begin<'a>(providers: impl IntoIterator<Item = &'a str>) {
    for provider in providers {
        for class in CLASSES {
            drop(histogram(provider, CHANNEL, class));
        }
    }
}

/// Tells how long a provider took to answer. What was canceled says nothing of it.
pub fn answered(
    provider: &str,
    channel: &str,
    answer: &Result<HttpResponse, Verdict>,
    took: Duration,
) {
    let class = match answer {
        Err(Verdict::Canceled) => return,
        Err(_) => NONE,
        Ok(answer) => match answer.status() {
            200..=299 => "2xx",
            300..=399 => "3xx",
            400..=499 => "4xx",
            _ => "5xx",
        },
    };
    histogram(provider, channel, class).record(took);
}

fn histogram(provider: &str, channel: &str, class: &'static str) -> metrics::Histogram {
    let channel = labels::of_channel(channel).to_owned();
    let provider = provider.to_owned();
    metrics::histogram!(
        "baton_provider_request_seconds",
        "channel" => channel, "provider" => provider, "status_class" => class
    )
}
