//! Recipients and their inboxes over a connection that fails.

use async_trait::async_trait;
use baton_domain::{
    InboxItemId, Timestamp, audience::Audience, inbox::Item, inbox::Unread, page::Page,
    page::PageRequest, recipient::Profile, recipient::Recipient,
};

use super::Faulty;
use crate::store::{
    Dispatch, Headcount, Inbox, Members, News, Notified, Put, Reading, Recipients, Result, Store,
    Walk,
};

#[async_trait]
impl<S: Store + ?Sized> Recipients for Faulty<S> {
    async fn put_recipients(&self, profiles: &[Profile], now: Timestamp) -> Result<Vec<Put>> {
        self.write(self.store.put_recipients(profiles, now)).await
    }

    async fn find_recipients(&self, ids: &[String]) -> Result<Vec<Recipient>> {
        self.read(self.store.find_recipients(ids)).await
    }

    async fn recipients(&self, page: &PageRequest) -> Result<Page<Recipient>> {
        self.read(self.store.recipients(page)).await
    }

    async fn delete_recipient(&self, id: &str) -> Result<bool> {
        self.write(self.store.delete_recipient(id)).await
    }

    async fn switch_topic(&self, id: &str, topic: &str, on: bool, now: Timestamp) -> Result<bool> {
        self.write(self.store.switch_topic(id, topic, on, now))
            .await
    }

    async fn bury_address(
        &self,
        id: &str,
        channel: &str,
        address: &str,
        now: Timestamp,
    ) -> Result<bool> {
        self.write(self.store.bury_address(id, channel, address, now))
            .await
    }

    async fn joined(&self) -> Result<i64> {
        self.read(self.store.joined()).await
    }

    async fn members(&self, walk: &Walk<'_>, limit: u32) -> Result<Members> {
        self.read(self.store.members(walk, limit)).await
    }

    async fn count_members(&self, audience: &Audience, until: i64) -> Result<Headcount> {
        self.read(self.store.count_members(audience, until)).await
    }
}

#[async_trait]
impl<S: Store + ?Sized> Inbox for Faulty<S> {
    async fn notify(&self, dispatch: &Dispatch, now: Timestamp) -> Result<Notified> {
        self.write(self.store.notify(dispatch, now)).await
    }

    async fn inbox(&self, recipient: &str, page: &PageRequest) -> Result<Option<Page<Item>>> {
        self.read(self.store.inbox(recipient, page)).await
    }

    async fn news(&self, recipient: &str, after: i64, limit: u32) -> Result<Option<News>> {
        self.read(self.store.news(recipient, after, limit)).await
    }

    async fn unread(&self, recipient: &str) -> Result<Option<Unread>> {
        self.read(self.store.unread(recipient)).await
    }

    async fn read_item(
        &self,
        recipient: &str,
        item: InboxItemId,
        now: Timestamp,
    ) -> Result<Option<Reading>> {
        self.write(self.store.read_item(recipient, item, now)).await
    }

    async fn read_all(&self, recipient: &str, now: Timestamp) -> Result<Option<Unread>> {
        self.write(self.store.read_all(recipient, now)).await
    }
}
