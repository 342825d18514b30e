//! Notifications: one or a few recipients told something at once.

use async_trait::async_trait;
use baton_domain::{
    NotificationId, Timestamp, content::RequestDigest, job::NewJob, notification::Sent,
};

use super::{Claimed, InlineStart, NewItem, Result};

/// Notifications: one or a few recipients told something at once.
#[async_trait]
pub trait Notifications: Send + Sync {
    /// Writes a notification in one transaction: what lies in inboxes, the jobs that bring it, and the
    /// facts. A notification whose key is taken writes nothing; one that is here already comes from a
    /// call whose answer was lost, and is answered as before.
    async fn notify(&self, dispatch: &Dispatch, now: Timestamp) -> Result<Notified>;
}

/// A notification, ready to be written.
#[derive(Debug, Clone, PartialEq)]
pub struct Dispatch {
    /// Its id.
    pub id: NotificationId,
    /// The caller's own key.
    pub key: Option<String>,
    /// What was asked: the same key with other content is a conflict.
    pub content: RequestDigest,
    /// What becomes of it for each recipient: what the caller is told, now and when it asks again.
    pub sent: Vec<Sent>,
    /// The numbers of those it is for, as they were read.
    pub numbers: Vec<i64>,
    /// What sort of thing it is.
    pub category: String,
    /// What lies in inboxes; one item for a recipient.
    pub items: Vec<NewItem>,
    /// The jobs that bring it, all in one queue; they have no keys.
    pub jobs: Vec<NewJob>,
    /// Under what they are leased to a worker at once, if their queue is open; otherwise they are queued.
    pub start: Option<InlineStart>,
}

/// What became of a notification.
#[derive(Debug, Clone, PartialEq)]
pub enum Notified {
    /// It is written; these of its jobs are started.
    Accepted(Vec<Claimed>),
    /// Its key was taken, with the same content: this is what became of that one.
    Known(NotificationId, Vec<Sent>),
    /// Its key was taken, with other content, by this notification.
    Conflict(NotificationId),
}
