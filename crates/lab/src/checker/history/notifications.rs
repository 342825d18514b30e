//! What is known of notifications: who was to be told what, and what lies in the inboxes at the end.

use serde::{Deserialize, Serialize};

use super::Posted;

/// What is known of notifications.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Notifications {
    /// Each notification that a client posted, each time it did.
    pub asked: Vec<Notified>,
    /// What notifications had left in the inboxes of those who were told, as the API showed it at the end.
    pub items: Vec<InboxItem>,
}

/// A notification that was posted; it is for the inbox alone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Notified {
    /// When it was sent, in microseconds since 1970.
    pub start_us: i64,
    /// When its answer had come, or was given up.
    pub end_us: i64,
    /// Its key, which is its title as well.
    pub key: String,
    /// Who is told.
    pub recipients: Vec<String>,
    /// What came of it.
    pub answer: Posted,
}

/// What a notification has left in an inbox.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InboxItem {
    /// In whose.
    pub recipient: String,
    /// Of which notification.
    pub notification: String,
    /// Its title.
    pub title: String,
}
