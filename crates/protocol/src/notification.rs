//! Notifications: one or a few recipients are told something at once.

use baton_domain::{InboxItemId, JobId, NotificationId, notification};
pub use baton_domain::{message::MessageSpec as Message, notification::NotificationSpec as Notify};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

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
