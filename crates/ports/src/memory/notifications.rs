//! Notifications: one or a few recipients told something at once.

use std::time::Duration;

use async_trait::async_trait;
use baton_domain::{Timestamp, notification::Sent};

use super::{
    MemoryStore, Tables,
    facts::Fact,
    inbox::{Origin, about_item},
};
use crate::store::{Atomicity, Dispatch, Error, Notifications, Notified, Result};

/// A notification that was accepted, and what became of it.
pub(super) struct Accepted {
    pub(super) key: Option<String>,
    content_hash: String,
    pub(super) sent: Vec<Sent>,
    at: Timestamp,
}

#[async_trait]
impl Notifications for MemoryStore {
    async fn notify(&self, dispatch: &Dispatch, now: Timestamp) -> Result<Notified> {
        let mut tables = self.tables();
        let mut named = dispatch.sent.iter();
        let mut numbers = dispatch.numbers.iter();
        if named.any(|one| tables.is_erasing(&one.recipient_id))
            || numbers.any(|number| tables.erased.contains(number))
        {
            return Err(Error::Erasing);
        }
        Ok(tables.notify(dispatch, now))
    }
}

impl Tables {
    fn notify(&mut self, dispatch: &Dispatch, now: Timestamp) -> Notified {
        let post = &mut self.post;
        if post.notifications.contains_key(&dispatch.id) {
            return Notified::Accepted(Vec::new());
        }
        let mut taken = post.notifications.iter();
        if let Some((id, first)) =
            taken.find(|(_, row)| row.key.is_some() && row.key == dispatch.key)
        {
            return match dispatch.content.digest() == first.content_hash {
                true => Notified::Known(*id, first.sent.clone()),
                false => Notified::Conflict(*id),
            };
        }
        let row = Accepted {
            key: dispatch.key.clone(),
            content_hash: dispatch.content.digest().to_owned(),
            sent: dispatch.sent.clone(),
            at: now,
        };
        post.notifications.insert(dispatch.id, row);
        let fact = Fact::about("notification.accepted", dispatch.id.to_string(), now)
            .with("category", dispatch.category.as_str())
            .with("recipients", dispatch.sent.len());
        let mut facts = vec![fact];
        for item in &dispatch.items {
            let origin = Origin::Notification(dispatch.id);
            if self.lay(item, origin, &dispatch.category, now) {
                let fact = about_item("inbox.added", item.id, &item.recipient, now);
                facts.push(fact.with("notification_id", dispatch.id.to_string()));
            }
        }
        self.ledger.tell(facts);
        let jobs = dispatch.jobs.clone();
        Notified::Accepted(if let Some(start) = &dispatch.start {
            self.enqueue_and_claim(jobs, start).claimed
        } else {
            self.enqueue(jobs, Atomicity::All);
            Vec::new()
        })
    }

    /// Forgets what became of notifications, and so their keys.
    pub(super) fn prune_notifications(
        &mut self,
        kept: Duration,
        limit: usize,
        now: Timestamp,
    ) -> u32 {
        let rows = self.post.notifications.iter();
        let old = rows.filter(|(_, row)| row.at < now - kept);
        let old: Vec<_> = old.map(|(id, _)| *id).take(limit).collect();
        old.iter()
            .for_each(|id| drop(self.post.notifications.remove(id)));
        u32::try_from(old.len()).unwrap_or(u32::MAX)
    }
}
