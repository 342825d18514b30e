//! Notifications: one or a few recipients are told something at once.

use std::time::Duration;

use baton_domain::{
    InboxItemId, JobId, NotificationId, duration,
    job::DeliveryGuarantee,
    message::MessageSpec,
    notification::{self, Action, NotificationSpec},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{Json, schemas};

/// What recipients are told. Each reads its own values where the text has places such as `{{id}}`,
/// `{{platform}}`, `{{time_zone}}`, `{{addresses.push}}` or `{{data.order}}`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Message {
    /// One line, 500 characters at most.
    #[schema(example = "Kim liked your answer")]
    pub title: String,
    /// What there is to say, 10,000 characters at most.
    pub body: String,
    /// What goes along for the receiving app: an object, kept to the letter; 32 KiB at most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<Json>,
}

impl From<Message> for MessageSpec {
    fn from(message: Message) -> Self {
        Self {
            title: message.title,
            body: message.body,
            data: message.data.map(Json::into_text),
        }
    }
}

/// Something that one or a few recipients are to be told at once.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Notify {
    /// Who is told, by your own ids.
    #[schema(min_items = 1, max_items = 100)]
    pub recipients: Vec<String>,
    /// What they are told.
    pub message: Message,
    /// Whether it lies in the inbox, is brought to the recipient, or both; both if nothing is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<schemas::MessageAction>)]
    pub action: Option<Action>,
    /// What sort of thing it is: any word of your own; `activity` if none is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(example = "activity")]
    pub category: Option<String>,
    /// What a recipient has to have opted in to; who has not is skipped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub topic: Option<String>,
    /// Who brings it, as the configuration names it; the only one there is if none is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider: Option<String>,
    /// Which address of the recipient is used; `push` if none is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub channel: Option<String>,
    /// Your own key. The same key with the same content is the same notification, with other content a
    /// conflict.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(example = "like-4711")]
    pub key: Option<String>,
    /// How long it is of use: a delivery that has not been made by then fails with the reason `expired`.
    #[serde(
        default,
        with = "duration::option",
        skip_serializing_if = "Option::is_none"
    )]
    #[schema(value_type = Option<schemas::Span>)]
    pub expires_after: Option<Duration>,
    /// What to do when the outcome of a call is in doubt; `at_least_once` if nothing is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<schemas::Delivery>)]
    pub delivery: Option<DeliveryGuarantee>,
}

impl From<Notify> for NotificationSpec {
    fn from(notify: Notify) -> Self {
        Self {
            recipients: notify.recipients,
            message: notify.message.into(),
            action: notify.action,
            category: notify.category,
            topic: notify.topic,
            provider: notify.provider,
            channel: notify.channel,
            key: notify.key,
            expires_after: notify.expires_after,
            delivery: notify.delivery,
        }
    }
}

/// What became of a notification.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Notification {
    /// Its id.
    #[schema(value_type = String, example = "ntf_0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b")]
    pub id: NotificationId,
    /// Whether this request made it.
    pub created: bool,
    /// What became of it for each recipient, in the order of the request.
    pub items: Vec<Sent>,
}

/// What became of a notification for one recipient.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Sent {
    /// Who.
    pub recipient_id: String,
    /// What lies in the inbox.
    #[schema(value_type = Option<String>)]
    pub item_id: Option<InboxItemId>,
    /// The job that brings it.
    #[schema(value_type = Option<String>)]
    pub job_id: Option<JobId>,
    /// Why there is neither: `disabled` or `opted_out`.
    pub skipped: Option<String>,
}

impl From<notification::Sent> for Sent {
    fn from(sent: notification::Sent) -> Self {
        Self {
            recipient_id: sent.recipient_id,
            item_id: sent.item_id,
            job_id: sent.job_id,
            skipped: sent.skipped,
        }
    }
}
