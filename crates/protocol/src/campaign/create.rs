//! Asking for a campaign.

use std::time::Duration;

use baton_domain::{
    Timestamp,
    campaign::CampaignSpec,
    duration,
    job::{Backoff, DeliveryGuarantee},
    message::MessageSpec,
    notification::Action,
    strict,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_with::skip_serializing_none;
use utoipa::ToSchema;

use crate::audience::AudienceSchema;

/// A message to an audience.
#[skip_serializing_none]
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CreateCampaign {
    /// What people call it.
    #[schema(example = "Daily quiz")]
    pub name: String,
    /// `popular`, `question`, `notice`, `activity`, or a word of your own.
    #[schema(example = "question")]
    pub category: String,
    /// What becomes of each recipient: `inbox`, `push` or `both`.
    #[schema(value_type = Action, example = "push")]
    pub action: String,
    /// Whom it is for.
    #[schema(value_type = AudienceSchema)]
    pub audience: Value,
    /// What is said.
    #[serde(deserialize_with = "strict::read")]
    pub message: MessageSpec,
    /// Who delivers: the name of a configured provider.
    pub provider: Option<String>,
    /// By which of a recipient's addresses; `push` if none is given.
    pub channel: Option<String>,
    /// The topic that a recipient must still be opted in to when it is sent; the audience's, if that is
    /// a topic.
    pub topic: Option<String>,
    /// At which moment; at once if nothing is given.
    pub send_at: Option<Timestamp>,
    /// Or when the clock of each recipient shows this time.
    #[schema(example = "2026-01-31T09:00")]
    pub send_at_local: Option<String>,
    /// The zone of recipients who have none; UTC if none is given.
    #[schema(example = "Asia/Seoul")]
    pub time_zone: Option<String>,
    /// How long before that its deliveries are written.
    #[serde(default, with = "duration::option")]
    #[schema(value_type = Option<duration::Span>)]
    pub lead: Option<Duration>,
    /// How many deliveries may start each second; as many as can if nothing is given.
    pub rate: Option<f64>,
    /// One campaign of a lane is walked at a time, the others wait; `default` if none is given.
    pub lane: Option<String>,
    /// How many recipients are written in one transaction at most; as many as take 50 ms if nothing is
    /// given.
    #[schema(minimum = 1, maximum = 10_000)]
    pub chunk: Option<i64>,
    /// How long after its due moment a delivery still makes sense.
    #[serde(default, with = "duration::option")]
    #[schema(value_type = Option<duration::Span>)]
    pub expires_after: Option<Duration>,
    /// What to do when the outcome of a call is in doubt; `at_least_once` if nothing is given.
    pub delivery: Option<DeliveryGuarantee>,
    /// How many tries a delivery has; 4 if none is given.
    #[schema(minimum = 1, maximum = 100)]
    pub max_attempts: Option<i64>,
    /// How long one try may take; 30s if none is given.
    #[serde(default, with = "duration::option")]
    #[schema(value_type = Option<duration::Span>)]
    pub timeout: Option<Duration>,
    /// When to try again.
    #[serde(default, deserialize_with = "strict::read")]
    pub backoff: Option<Backoff>,
    /// Your own key. The same key with the same content is the same campaign, with other content a
    /// conflict.
    pub key: Option<String>,
}

impl From<CreateCampaign> for CampaignSpec {
    fn from(create: CreateCampaign) -> Self {
        Self {
            name: create.name,
            category: create.category,
            action: create.action,
            audience: create.audience,
            message: create.message,
            provider: create.provider,
            channel: create.channel,
            topic: create.topic,
            send_at: create.send_at,
            send_at_local: create.send_at_local,
            time_zone: create.time_zone,
            lead: create.lead,
            rate: create.rate,
            lane: create.lane,
            chunk: create.chunk,
            expires_after: create.expires_after,
            delivery: create.delivery,
            max_attempts: create.max_attempts,
            timeout: create.timeout,
            backoff: create.backoff,
            key: create.key,
        }
    }
}
