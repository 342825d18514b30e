//! Digests of the first version, which were taken over what Rust's `Debug` writes.
//!
//! They stand beside the keys of jobs, notifications and campaigns that were accepted before the second
//! version, and are made only when such a key is asked for again. The types here are frozen as they were
//! then, names and order included: whoever asks for what they do not have cannot have asked for it then.
//! When no such key can be left, this file can go.

use std::time::Duration;

use ring::digest::{Context, SHA256};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::Value;

use super::short;
use crate::{
    Timestamp, duration,
    job::{DeliveryGuarantee, Jitter, Strategy},
    notification::Action,
};

/// Of a job.
pub fn job(asked: &str, payload: &str) -> Option<String> {
    let JobSpec {
        kind,
        queue,
        priority,
        run_at,
        delay,
        max_attempts,
        backoff,
        timeout,
        expires_at,
        delivery,
        tags,
    } = read(asked)?;
    Some(digest(&format!(
        "{kind:?}{payload:?}{queue:?}{priority:?}{run_at:?}{delay:?}{max_attempts:?}{backoff:?}{timeout:?}{expires_at:?}{delivery:?}{tags:?}"
    )))
}

/// Of a notification.
pub fn notification(asked: &str, _: &str) -> Option<String> {
    let NotificationSpec {
        recipients,
        message,
        action,
        category,
        topic,
        provider,
        channel,
        expires_after,
        delivery,
    } = read(asked)?;
    Some(digest(&format!(
        "{recipients:?}{message:?}{action:?}{category:?}{topic:?}{provider:?}{channel:?}{expires_after:?}{delivery:?}"
    )))
}

/// Of a campaign.
pub fn campaign(asked: &str, _: &str) -> Option<String> {
    Some(digest(&format!("{:?}", read::<CampaignSpec>(asked)?)))
}

fn read<T: DeserializeOwned>(asked: &str) -> Option<T> {
    serde_json::from_str(asked).ok()
}

fn digest(text: &str) -> String {
    let mut context = Context::new(&SHA256);
    context.update(text.as_bytes());
    short(context)
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct JobSpec {
    kind: String,
    queue: Option<String>,
    priority: Option<i64>,
    run_at: Option<Timestamp>,
    #[serde(with = "duration::option")]
    delay: Option<Duration>,
    max_attempts: Option<i64>,
    backoff: Option<Backoff>,
    #[serde(with = "duration::option")]
    timeout: Option<Duration>,
    expires_at: Option<Timestamp>,
    delivery: Option<DeliveryGuarantee>,
    tags: Vec<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct NotificationSpec {
    recipients: Vec<String>,
    message: MessageSpec,
    action: Option<Action>,
    category: Option<String>,
    topic: Option<String>,
    provider: Option<String>,
    channel: Option<String>,
    #[serde(with = "duration::option")]
    expires_after: Option<Duration>,
    delivery: Option<DeliveryGuarantee>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct CampaignSpec {
    name: String,
    category: String,
    action: String,
    audience: Value,
    message: MessageSpec,
    provider: Option<String>,
    channel: Option<String>,
    topic: Option<String>,
    send_at: Option<Timestamp>,
    send_at_local: Option<String>,
    time_zone: Option<String>,
    #[serde(with = "duration::option")]
    lead: Option<Duration>,
    rate: Option<f64>,
    lane: Option<String>,
    chunk: Option<i64>,
    #[serde(with = "duration::option")]
    expires_after: Option<Duration>,
    delivery: Option<DeliveryGuarantee>,
    max_attempts: Option<i64>,
    #[serde(with = "duration::option")]
    timeout: Option<Duration>,
    backoff: Option<Backoff>,
    key: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct MessageSpec {
    title: String,
    body: String,
    data: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "it is read by Debug only")]
struct Backoff {
    strategy: Strategy,
    #[serde(with = "duration")]
    base: Duration,
    #[serde(with = "duration")]
    cap: Duration,
    jitter: Jitter,
}
