//! The inbox of a recipient: what it was told, and what of that it has read.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{CampaignId, InboxItemId, NotificationId, Timestamp};

/// One thing a recipient was told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// Its id.
    pub id: InboxItemId,
    /// Its number in this inbox: whoever comes later has a higher one, and commits later.
    pub seq: i64,
    /// The campaign it came from.
    pub campaign: Option<CampaignId>,
    /// The notification it came from.
    pub notification: Option<NotificationId>,
    /// What sort of thing it is: `activity`, `notice`.
    pub category: String,
    /// One line.
    pub title: String,
    /// What there is to say.
    pub body: String,
    /// What goes along for the receiving app: the text of a JSON object.
    pub data: Option<String>,
    /// When it came.
    pub created_at: Timestamp,
    /// When it was read; `None` until then.
    pub read_at: Option<Timestamp>,
}

/// How many items of an inbox are unread.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Unread {
    /// How many.
    #[serde(rename = "unread")]
    pub count: u64,
    /// Higher with each change of the inbox: of two answers, drop the one with the lower version.
    pub version: i64,
}
