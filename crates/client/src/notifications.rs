//! Notifications: one or a few recipients are told something.

use baton_protocol::notification::{Notification, Notify};
use reqwest::Method;

use crate::{Client, Result, repeat::Repeat};

impl Client {
    /// Tells one or a few recipients something at once.
    pub async fn notify(&self, notify: &Notify) -> Result<Notification> {
        let repeat = Repeat::if_keyed(notify.key.is_some());
        self.send(Method::POST, &["notifications"], notify, repeat)
            .await
    }
}
