//! Notifications: one or a few recipients are told something.

use baton_protocol::notification::{Notification, Notify};
use reqwest::Method;

use crate::{Client, Result, repeat::Repeat};

impl Client {
    /// Tells one or a few recipients something at once.
    pub async fn notify(&self, notify: &Notify) -> Result<Notification> {
        let repeat = match notify.key {
            Some(_) => Repeat::Safe,
            None => Repeat::IfUnsent,
        };
        let url = self.url(&["v1", "notifications"]);
        self.send(Method::POST, url, notify, repeat).await
    }
}
