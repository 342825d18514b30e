//! Inboxes: what recipients were told, and what of that they have read.

use std::time::Duration;

pub use baton_domain::inbox::Unread;
use baton_domain::{CampaignId, InboxItemId, NotificationId, Timestamp, duration, inbox};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::Json;

/// One thing a recipient was told.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct InboxItem {
    /// Its id.
    #[schema(value_type = String, example = "inb_0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b")]
    pub id: InboxItemId,
    /// The campaign it came from.
    #[schema(value_type = Option<String>)]
    pub campaign_id: Option<CampaignId>,
    /// The notification it came from.
    #[schema(value_type = Option<String>)]
    pub notification_id: Option<NotificationId>,
    /// What sort of thing it is.
    pub category: String,
    /// One line.
    pub title: String,
    /// What there is to say.
    pub body: String,
    /// What goes along for the receiving app, to the letter.
    #[schema(value_type = Json, required = false)]
    pub data: Option<Json>,
    /// When it came.
    pub created_at: Timestamp,
    /// When it was read; null until then.
    pub read_at: Option<Timestamp>,
}

impl From<inbox::Item> for InboxItem {
    fn from(item: inbox::Item) -> Self {
        Self {
            id: item.id,
            campaign_id: item.campaign,
            notification_id: item.notification,
            category: item.category,
            title: item.title,
            body: item.body,
            data: item.data.as_deref().map(Json::from_text),
            created_at: item.created_at,
            read_at: item.read_at,
        }
    }
}

/// How long an inbox token is to last.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MakeInboxToken {
    /// How long it is worth something, 24h at most; 15m if that is not given.
    #[serde(
        default,
        with = "duration::option",
        skip_serializing_if = "Option::is_none"
    )]
    #[schema(value_type = Option<String>, example = "15m")]
    pub expires_in: Option<Duration>,
}

impl MakeInboxToken {
    /// How long one lasts that says nothing of it.
    pub const LASTS: Duration = Duration::from_mins(15);
}

/// What opens the inbox of one recipient for a while.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct InboxToken {
    /// The token, for `Authorization: Bearer`.
    pub token: String,
    /// From when on it opens nothing.
    pub expires_at: Timestamp,
}

impl std::fmt::Debug for InboxToken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "InboxToken(until {})", self.expires_at)
    }
}
