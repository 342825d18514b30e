//! Inboxes: what recipients were told, and what of that they have read.

use async_trait::async_trait;
use baton_domain::{
    InboxItemId, Timestamp,
    inbox::{Item, Unread},
    page::{Page, PageRequest},
};

use super::Result;

/// Inboxes: what recipients were told, and what of that they have read.
///
/// Where a method is about one recipient, `None` means that there is no such recipient.
#[async_trait]
pub trait Inbox: Send + Sync {
    /// What lies in an inbox, the newest first.
    async fn inbox(&self, recipient: &str, page: &PageRequest) -> Result<Option<Page<Item>>>;

    /// What came into an inbox after a version, in order, `limit` items at most, and how many are
    /// unread, as of one moment. Nothing that came before that moment is missing.
    async fn news(&self, recipient: &str, after: i64, limit: u32) -> Result<Option<NewItems>>;

    /// How many items are unread, exactly; it counts none of them.
    async fn unread(&self, recipient: &str) -> Result<Option<Unread>>;

    /// Notes that a recipient has read an item. What is read already stays as it is.
    async fn read_item(
        &self,
        recipient: &str,
        item: InboxItemId,
        now: Timestamp,
    ) -> Result<Option<Reading>>;

    /// Notes that a recipient has read everything that lies in its inbox now.
    async fn read_all(&self, recipient: &str, now: Timestamp) -> Result<Option<Unread>>;
}

/// An item on its way into an inbox.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewItem {
    /// Its id.
    pub id: InboxItemId,
    /// The recipient's number.
    pub number: i64,
    /// The recipient's own id.
    pub recipient: String,
    /// One line.
    pub title: String,
    /// What there is to say.
    pub body: String,
    /// What goes along for the receiving app: the text of a JSON object.
    pub data: Option<String>,
}

/// What is new in an inbox.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewItems {
    /// What came, in order.
    pub items: Vec<Item>,
    /// How many are unread.
    pub unread: Unread,
}

/// What became of an item that was to be marked as read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reading {
    /// It is read; so many are not.
    Read(Box<Item>, Unread),
    /// There is no such item in this inbox.
    NoItem,
}
