//! Inboxes: look, read, follow, and let an app do so for its own user.

use std::time::Duration;

use baton_domain::InboxItemId;
use baton_protocol::{
    List, PageQuery,
    inbox::{InboxItem, InboxToken, MakeInboxToken, Unread},
};
use futures::Stream;
use reqwest::Method;

use crate::{
    Client, Result,
    follower::{Told, follow},
    repeat::Repeat,
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
        let url = self.url_with(&["v1", "recipients", recipient, "inbox"], page);
        self.get(url).await
    }

    /// How many items of an inbox are unread.
    pub async fn unread(&self, recipient: &str) -> Result<Unread> {
        self.get(self.url(&["v1", "recipients", recipient, "inbox", "unread"]))
            .await
    }

    /// Takes note that a recipient has read an item.
    pub async fn read_item(&self, recipient: &str, item: InboxItemId) -> Result<Unread> {
        let item = item.to_string();
        let url = self.url(&["v1", "recipients", recipient, "inbox", &item, "read"]);
        self.send(Method::POST, url, &(), Repeat::Safe).await
    }

    /// Takes note that a recipient has read everything that lies in its inbox.
    pub async fn read_all_items(&self, recipient: &str) -> Result<Unread> {
        let url = self.url(&["v1", "recipients", recipient, "inbox", "read-all"]);
        self.send(Method::POST, url, &(), Repeat::Safe).await
    }

    /// Makes a token that opens this inbox and nothing else, for 15 minutes if nothing else is asked for.
    pub async fn inbox_token(
        &self,
        recipient: &str,
        expires_in: Option<Duration>,
    ) -> Result<InboxToken> {
        let url = self.url(&["v1", "recipients", recipient, "inbox", "token"]);
        let asked = MakeInboxToken { expires_in };
        self.send(Method::POST, url, &asked, Repeat::Safe).await
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
            self.url(&["v1", "recipients", recipient, "inbox", "stream"]),
        )
        .await
    }
}

impl Told for InboxMessage {
    fn read(event: &str, data: &str) -> serde_json::Result<Option<Self>> {
        Ok(match event {
            "inbox.added" => Some(Self::Added(serde_json::from_str(data)?)),
            "inbox.unread" => Some(Self::Unread(serde_json::from_str(data)?)),
            "reset" => Some(Self::Reset),
            _ => None,
        })
    }
}
