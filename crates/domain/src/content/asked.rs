//! The JSON that a digest is made of: members in the order of the alphabet, only those that were given.

use std::time::Duration;

use serde::Serialize;
use serde_json::Value;

use super::{Content, former};
use crate::{
    Timestamp,
    campaign::CampaignSpec,
    duration,
    job::{self, Backoff, Delivery, JobSpec},
    message::MessageSpec,
    notification::{Action, NotificationSpec},
};

#[derive(Serialize)]
struct Job<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    backoff: Option<Growth>,
    #[serde(skip_serializing_if = "Option::is_none", with = "duration::option")]
    delay: Option<Duration>,
    #[serde(skip_serializing_if = "Option::is_none")]
    delivery: Option<Delivery>,
    #[serde(skip_serializing_if = "Option::is_none")]
    expires_at: Option<Timestamp>,
    kind: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_attempts: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    priority: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    queue: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    run_at: Option<Timestamp>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    tags: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none", with = "duration::option")]
    timeout: Option<Duration>,
}

#[derive(Serialize)]
struct Notification<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    action: Option<Action>,
    #[serde(skip_serializing_if = "Option::is_none")]
    category: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    channel: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    delivery: Option<Delivery>,
    #[serde(skip_serializing_if = "Option::is_none", with = "duration::option")]
    expires_after: Option<Duration>,
    message: Message<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    provider: Option<&'a str>,
    recipients: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    topic: Option<&'a str>,
}

#[derive(Serialize)]
struct Campaign<'a> {
    action: &'a str,
    audience: &'a Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    backoff: Option<Growth>,
    category: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    channel: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    chunk: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    delivery: Option<Delivery>,
    #[serde(skip_serializing_if = "Option::is_none", with = "duration::option")]
    expires_after: Option<Duration>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lane: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none", with = "duration::option")]
    lead: Option<Duration>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_attempts: Option<i64>,
    message: Message<'a>,
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    provider: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rate: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    send_at: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    send_at_local: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    time_zone: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none", with = "duration::option")]
    timeout: Option<Duration>,
    #[serde(skip_serializing_if = "Option::is_none")]
    topic: Option<&'a str>,
}

#[derive(Serialize)]
struct Message<'a> {
    body: &'a str,
    /// The text of a JSON object, to the letter: `1.10` is not `1.1`.
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<&'a str>,
    title: &'a str,
}

#[derive(Serialize)]
struct Growth {
    #[serde(with = "duration")]
    base: Duration,
    #[serde(with = "duration")]
    cap: Duration,
    jitter: job::Jitter,
    strategy: job::Strategy,
}

// The specs are taken apart field by field, so that none that is added is forgotten here.

impl JobSpec {
    /// What was asked, the moment of asking left out.
    pub(crate) fn content(&self) -> Content {
        let Self {
            kind,
            payload,
            key: _,
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
        } = self;
        let asked = Job {
            backoff: backoff.as_ref().map(growth),
            delay: *delay,
            delivery: *delivery,
            expires_at: *expires_at,
            kind,
            max_attempts: *max_attempts,
            priority: *priority,
            queue: queue.as_deref(),
            run_at: *run_at,
            tags,
            timeout: *timeout,
        };
        Content::of(&asked, payload, former::job)
    }
}

impl NotificationSpec {
    /// What was asked.
    pub(crate) fn content(&self) -> Content {
        let Self {
            recipients,
            message,
            action,
            category,
            topic,
            provider,
            channel,
            key: _,
            expires_after,
            delivery,
        } = self;
        let asked = Notification {
            action: *action,
            category: category.as_deref(),
            channel: channel.as_deref(),
            delivery: *delivery,
            expires_after: *expires_after,
            message: said(message),
            provider: provider.as_deref(),
            recipients,
            topic: topic.as_deref(),
        };
        Content::of(&asked, "", former::notification)
    }
}

impl CampaignSpec {
    /// What was asked, the moment of asking left out.
    pub(crate) fn content(&self) -> Content {
        let Self {
            name,
            category,
            action,
            audience,
            message,
            provider,
            channel,
            topic,
            send_at,
            send_at_local,
            time_zone,
            lead,
            rate,
            lane,
            chunk,
            expires_after,
            delivery,
            max_attempts,
            timeout,
            backoff,
            key: _,
        } = self;
        let asked = Campaign {
            action,
            audience,
            backoff: backoff.as_ref().map(growth),
            category,
            channel: channel.as_deref(),
            chunk: *chunk,
            delivery: *delivery,
            expires_after: *expires_after,
            lane: lane.as_deref(),
            lead: *lead,
            max_attempts: *max_attempts,
            message: said(message),
            name,
            provider: provider.as_deref(),
            rate: *rate,
            send_at: *send_at,
            send_at_local: send_at_local.as_deref(),
            time_zone: time_zone.as_deref(),
            timeout: *timeout,
            topic: topic.as_deref(),
        };
        Content::of(&asked, "", former::campaign)
    }
}

fn said(message: &MessageSpec) -> Message<'_> {
    let MessageSpec { title, body, data } = message;
    Message {
        body,
        data: data.as_deref(),
        title,
    }
}

fn growth(backoff: &Backoff) -> Growth {
    let Backoff {
        strategy,
        base,
        cap,
        jitter,
    } = backoff;
    Growth {
        base: *base,
        cap: *cap,
        jitter: *jitter,
        strategy: *strategy,
    }
}
