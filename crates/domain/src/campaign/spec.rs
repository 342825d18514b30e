//! A campaign as a client asks for it, and what may be asked.

use std::time::Duration;

use jiff::civil::DateTime;
use serde::Deserialize;
use serde_json::Value;

use super::{SendAt, is_zone};
use crate::{
    Timestamp, duration,
    job::{Backoff, DeliveryGuarantee, FieldError, KEY_RULE, is_key},
    message::MessageSpec,
    queue::{NAME_RULE, is_name},
    time::zone,
};

/// How many recipients a chunk can hold.
const LARGEST_CHUNK: i64 = 10_000;

/// A campaign as a client asks for it; what is `None` takes its default.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct CampaignSpec {
    /// What people call it.
    pub name: String,
    /// What sort of message it is.
    pub category: String,
    /// `inbox`, `push` or `both`.
    pub action: String,
    /// Whom it is for, as [`Audience::read`](crate::audience::Audience::read) takes it.
    pub audience: Value,
    /// What is said.
    pub message: MessageSpec,
    /// Who delivers.
    pub provider: Option<String>,
    /// By which address.
    pub channel: Option<String>,
    /// The topic that a recipient must still be opted in to when it is sent.
    pub topic: Option<String>,
    /// At which moment.
    pub send_at: Option<Timestamp>,
    /// Or at which time on each recipient's clock: `2026-01-31T09:00`.
    pub send_at_local: Option<String>,
    /// The zone of those who have none.
    pub time_zone: Option<String>,
    /// How long before that its deliveries are written.
    #[serde(with = "duration::option")]
    pub lead: Option<Duration>,
    /// How many deliveries may start each second.
    pub rate: Option<f64>,
    /// Where it waits for others.
    pub lane: Option<String>,
    /// How many recipients a chunk holds at most.
    pub chunk: Option<i64>,
    /// How long after its due moment a delivery still makes sense.
    #[serde(with = "duration::option")]
    pub expires_after: Option<Duration>,
    /// What to do in doubt.
    pub delivery: Option<DeliveryGuarantee>,
    /// How many tries a delivery has.
    pub max_attempts: Option<i64>,
    /// How long one try may take.
    #[serde(with = "duration::option")]
    pub timeout: Option<Duration>,
    /// When to try again.
    pub backoff: Option<Backoff>,
    /// The caller's own key.
    pub key: Option<String>,
}

impl CampaignSpec {
    /// Everything that is wrong but the audience, the message, the action and the moment.
    pub(super) fn errors(&self) -> Vec<FieldError> {
        let mut errors = Vec::new();
        let mut check = |ok: bool, field: &str, message: &str| {
            if !ok {
                errors.push(FieldError::new(field, message));
            }
        };
        let is_some_name = |name: &Option<String>| name.as_deref().is_none_or(is_name);
        let is_title = |text: &str| {
            (1..=200).contains(&text.chars().count()) && !text.chars().any(char::is_control)
        };
        let is_span =
            |span: Duration| (Duration::from_millis(1)..=duration::LONGEST).contains(&span);
        check(
            is_title(&self.name),
            "name",
            "must have 1 to 200 characters, none of them a control character",
        );
        check(is_name(&self.category), "category", NAME_RULE);
        check(is_some_name(&self.provider), "provider", NAME_RULE);
        check(is_some_name(&self.channel), "channel", NAME_RULE);
        check(is_some_name(&self.topic), "topic", NAME_RULE);
        check(is_some_name(&self.lane), "lane", NAME_RULE);
        check(
            self.lead
                .is_none_or(|lead| lead <= Duration::from_hours(168)),
            "lead",
            "can be 7d at most",
        );
        check(
            self.lead.is_none() || self.send_at.is_some() || self.send_at_local.is_some(),
            "lead",
            "says how long before send_at deliveries are written; give send_at or send_at_local as well",
        );
        check(
            self.rate
                .is_none_or(|rate| rate.is_finite() && (0.001..=1_000_000.0).contains(&rate)),
            "rate",
            "must lie between 0.001 and 1000000 deliveries a second",
        );
        check(
            self.chunk
                .is_none_or(|chunk| (1..=LARGEST_CHUNK).contains(&chunk)),
            "chunk",
            "must lie between 1 and 10000 recipients",
        );
        check(
            self.expires_after.is_none_or(is_span),
            "expires_after",
            "must be 1ms at least and ten years at most",
        );
        check(
            self.max_attempts.is_none_or(|n| (1..=100).contains(&n)),
            "max_attempts",
            "must lie between 1 and 100",
        );
        check(
            self.timeout
                .is_none_or(|t| is_span(t) && t <= Duration::from_hours(24)),
            "timeout",
            "must lie between 1ms and 24h",
        );
        check(
            self.backoff
                .as_ref()
                .is_none_or(|b| is_span(b.base) && b.cap >= b.base),
            "backoff",
            "base must be 1ms at least, and cap not smaller than base",
        );
        check(self.key.as_deref().is_none_or(is_key), "key", KEY_RULE);
        errors
    }

    /// The moment it names; what is wrong with it is added.
    pub(super) fn send_at(&self, errors: &mut Vec<FieldError>) -> SendAt {
        let mut refuse = |field: &str, message: &str| errors.push(FieldError::new(field, message));
        if self.time_zone.as_deref().is_some_and(|text| !is_zone(text)) {
            refuse("time_zone", zone::RULE);
        }
        match (self.send_at, &self.send_at_local) {
            (Some(_), Some(_)) => {
                refuse(
                    "send_at_local",
                    "give either send_at or send_at_local, not both",
                );
                SendAt::Now
            }
            (None, None) => SendAt::Now,
            (Some(at), None) => SendAt::At(at),
            (None, Some(text)) => {
                if let Ok(time) = text.parse::<DateTime>() {
                    SendAt::Local {
                        time,
                        zone: self.time_zone.clone().unwrap_or_else(|| "UTC".to_owned()),
                    }
                } else {
                    refuse(
                        "send_at_local",
                        "must be a time on the wall, without a zone, such as 2026-01-31T09:00",
                    );
                    SendAt::Now
                }
            }
        }
    }
}
