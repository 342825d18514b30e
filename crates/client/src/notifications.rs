//! Notifications and inboxes: tell, look, read.

use baton_domain::InboxItemId;
use baton_protocol::{
    List, PageQuery,
    inbox::{InboxItem, Unread},
    notification::{Notification, Notify},
};
use reqwest::Method;

use crate::{Client, Result, repeat::Repeat};

impl Client {
    /// Tells one or a few recipients something at once.
    ///
    /// # Errors
    /// When it was refused, or no answer came.
    pub async fn notify(&self, notify: &Notify) -> Result<Notification> {
        let repeat = match notify.key {
            Some(_) => Repeat::Safe,
            None => Repeat::IfUnsent,
        };
        let url = self.url(&["v1", "notifications"]);
        self.send(Method::POST, url, notify, repeat).await
    }

    /// A page of an inbox, the newest first.
    ///
    /// # Errors
    /// When there is no such recipient, or no answer came.
    pub async fn inbox(&self, recipient: &str, page: &PageQuery) -> Result<List<InboxItem>> {
        let url = self.url_with(&["v1", "recipients", recipient, "inbox"], page);
        self.get(url).await
    }

    /// How many items of an inbox are unread.
    ///
    /// # Errors
    /// When there is no such recipient, or no answer came.
    pub async fn unread(&self, recipient: &str) -> Result<Unread> {
        self.get(self.url(&["v1", "recipients", recipient, "inbox", "unread"]))
            .await
    }

    /// Takes note that a recipient has read an item.
    ///
    /// # Errors
    /// When there is no such item, or no answer came.
    pub async fn read_item(&self, recipient: &str, item: InboxItemId) -> Result<Unread> {
        let item = item.to_string();
        let url = self.url(&["v1", "recipients", recipient, "inbox", &item, "read"]);
        self.send(Method::POST, url, &(), Repeat::Safe).await
    }
}
