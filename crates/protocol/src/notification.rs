//! Notifications: one or a few recipients are told something at once.

use baton_domain::NotificationId;
pub use baton_domain::{
    message::MessageSpec as Message,
    notification::{NotificationSpec as Notify, Sent},
};
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
