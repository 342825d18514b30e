//! Inboxes: what recipients were told, and what of that they have read.

pub use baton_domain::inbox::Unread;
use baton_domain::{CampaignId, InboxItemId, NotificationId, Timestamp, inbox};
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
