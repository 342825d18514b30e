//! Inboxes: look, read, follow, and let an app do so for its own user.

use std::time::Duration;

use baton_domain::InboxItemId;
use baton_protocol::{
    List, PageQuery,
    inbox::{InboxItem, InboxToken, MakeInboxToken, Unread},
};
use futures::Stream;

use crate::{
    Client, Result,
    follower::{StreamItem, follow},
};

/// What the stream of an inbox tells.
#[derive(Debug, Clone, PartialEq)]
pub enum InboxMessage {
    /// An item came.
    Added(InboxItem),
    /// How many items are unread now.
    Unread(Unread),
    /// The stream cannot go on where the reader was: read the inbox, then follow.
    Reset,
}

impl Client {
    /// A page of an inbox, the newest first.
    pub async fn inbox(&self, recipient: &str, page: &PageQuery) -> Result<List<InboxItem>> {
        self.get_with(&["recipients", recipient, "inbox"], page)
            .await
    }

    /// How many items of an inbox are unread.
    pub async fn unread(&self, recipient: &str) -> Result<Unread> {
        self.get(&["recipients", recipient, "inbox", "unread"])
            .await
    }

    /// Takes note that a recipient has read an item.
    pub async fn read_item(&self, recipient: &str, item: InboxItemId) -> Result<Unread> {
        let item = item.to_string();
        self.post(&["recipients", recipient, "inbox", &item, "read"], &())
            .await
    }

    /// Takes note that a recipient has read everything that lies in its inbox.
    pub async fn read_all_items(&self, recipient: &str) -> Result<Unread> {
        self.post(&["recipients", recipient, "inbox", "read-all"], &())
            .await
    }

    /// Makes a token that opens this inbox and nothing else, for 15 minutes if nothing else is asked for.
    pub async fn inbox_token(
        &self,
        recipient: &str,
        expires_in: Option<Duration>,
    ) -> Result<InboxToken> {
        let asked = MakeInboxToken { expires_in };
        self.post(&["recipients", recipient, "inbox", "token"], &asked)
            .await
    }

    /// Follows an inbox from now: how many items are unread, then what comes. A lost connection is made again, from where it was
    /// lost, for as long as the stream is read.
    ///
    /// # Errors
    /// When the first connection cannot be made; later only when the server refuses to go on, as when the recipient is deleted.
    pub async fn follow_inbox(
        &self,
        recipient: &str,
    ) -> Result<impl Stream<Item = Result<InboxMessage>> + Send + use<>> {
        follow(
            self,
            self.url(&["recipients", recipient, "inbox", "stream"]),
        )
        .await
    }
}

impl StreamItem for InboxMessage {
    fn read(event: &str, data: &str) -> serde_json::Result<Option<Self>> {
        Ok(match event {
            "inbox.added" => Some(Self::Added(serde_json::from_str(data)?)),
            "inbox.unread" => Some(Self::Unread(serde_json::from_str(data)?)),
            "reset" => Some(Self::Reset),
            _ => None,
        })
    }
}
