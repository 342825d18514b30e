//! Inboxes: what recipients were told, and what of that they have read.

use std::{collections::BTreeMap, time::Duration};

use async_trait::async_trait;
use baton_domain::{
    CampaignId, InboxItemId, NotificationId, Timestamp,
    inbox::{Item, Unread},
    page::{Page, PageRequest},
};

use super::{MemoryStore, Tables, facts::Fact, notifications::Accepted};
use crate::store::{Inbox, NewItem, NewItems, Reading, Result};

/// Inboxes by the number of the recipient, and notifications with what became of them.
#[derive(Default)]
pub(super) struct Post {
    boxes: BTreeMap<i64, RecipientInbox>,
    pub(super) notifications: BTreeMap<NotificationId, Accepted>,
}

/// Where an item comes from.
#[derive(Clone, Copy)]
pub(super) enum Origin {
    Campaign(CampaignId),
    Notification(NotificationId),
}

#[derive(Default)]
struct RecipientInbox {
    items: BTreeMap<i64, Item>,
    unread: Unread,
}

#[async_trait]
impl Inbox for MemoryStore {
    async fn inbox(&self, recipient: &str, page: &PageRequest) -> Result<Option<Page<Item>>> {
        let before = page.cursor()?.unwrap_or(i64::MAX);
        let limit = page.limit as usize;
        Ok(self.tables().look(recipient, |inbox| {
            let newest_first = inbox.items.range(..before).rev();
            let mut items: Vec<_> = newest_first
                .take(limit + 1)
                .map(|(_, i)| i.clone())
                .collect();
            let has_more = items.len() > limit;
            items.truncate(limit);
            let next = items.last().filter(|_| has_more);
            Page {
                next: next.map(|last| last.seq.to_string()),
                items,
            }
        }))
    }

    async fn news(&self, recipient: &str, after: i64, limit: u32) -> Result<Option<NewItems>> {
        Ok(self.tables().look(recipient, |inbox| {
            let news = inbox.items.range(after.saturating_add(1)..);
            NewItems {
                items: news.take(limit as usize).map(|(_, i)| i.clone()).collect(),
                unread: inbox.unread,
            }
        }))
    }

    async fn unread(&self, recipient: &str) -> Result<Option<Unread>> {
        Ok(self.tables().look(recipient, |inbox| inbox.unread))
    }

    async fn read_item(
        &self,
        recipient: &str,
        item: InboxItemId,
        now: Timestamp,
    ) -> Result<Option<Reading>> {
        Ok(self.tables().read_item(recipient, item, now))
    }

    async fn read_all(&self, recipient: &str, now: Timestamp) -> Result<Option<Unread>> {
        Ok(self.tables().read_all(recipient, now))
    }
}

impl Tables {
    /// Lays an item into an inbox; `false` if its recipient has gone.
    pub(super) fn lay(
        &mut self,
        new: &NewItem,
        origin: Origin,
        category: &str,
        now: Timestamp,
    ) -> bool {
        let number = self.recipients.number_of(&new.recipient);
        if number != Some(new.number) {
            return false;
        }
        let inbox = self.post.boxes.entry(new.number).or_default();
        let seq = inbox.change(1);
        let item = Item {
            id: new.id,
            seq,
            campaign: match origin {
                Origin::Campaign(id) => Some(id),
                Origin::Notification(_) => None,
            },
            notification: match origin {
                Origin::Campaign(_) => None,
                Origin::Notification(id) => Some(id),
            },
            category: category.to_owned(),
            title: new.title.clone(),
            body: new.body.clone(),
            data: new.data.clone(),
            created_at: now,
            read_at: None,
        };
        inbox.items.insert(seq, item);
        true
    }

    /// Looks into the inbox of a recipient, an empty one if nothing ever came.
    fn look<T>(&self, recipient: &str, look: impl FnOnce(&RecipientInbox) -> T) -> Option<T> {
        let number = self.recipients.number_of(recipient)?;
        let empty = RecipientInbox::default();
        Some(look(self.post.boxes.get(&number).unwrap_or(&empty)))
    }

    fn read_item(&mut self, recipient: &str, item: InboxItemId, now: Timestamp) -> Option<Reading> {
        let number = self.recipients.number_of(recipient)?;
        let inbox = self.post.boxes.entry(number).or_default();
        let Some(known) = inbox.items.values_mut().find(|known| known.id == item) else {
            return Some(Reading::NoItem);
        };
        if known.read_at.is_some() {
            return Some(Reading::Read(Box::new(known.clone()), inbox.unread));
        }
        known.read_at = Some(now);
        let known = known.clone();
        inbox.change(-1);
        let unread = inbox.unread;
        self.ledger
            .tell(vec![about_item("inbox.read", item, recipient, now)]);
        Some(Reading::Read(Box::new(known), unread))
    }

    fn read_all(&mut self, recipient: &str, now: Timestamp) -> Option<Unread> {
        let number = self.recipients.number_of(recipient)?;
        let inbox = self.post.boxes.entry(number).or_default();
        let unread = inbox
            .items
            .values_mut()
            .filter(|item| item.read_at.is_none());
        let mut facts = Vec::new();
        for item in unread {
            item.read_at = Some(now);
            facts.push(about_item("inbox.read", item.id, recipient, now));
        }
        if !facts.is_empty() {
            inbox.change(-i64::try_from(facts.len()).unwrap_or(i64::MAX));
        }
        let unread = inbox.unread;
        self.ledger.tell(facts);
        Some(unread)
    }

    /// Forgets the inbox of a recipient.
    pub(super) fn forget_inbox(&mut self, number: i64) {
        self.post.boxes.remove(&number);
    }

    /// Forgets items that came long ago; who had not read them has fewer to read.
    pub(super) fn prune_inbox(&mut self, kept: Duration, limit: usize, now: Timestamp) -> u32 {
        let mut left = limit;
        for inbox in self.post.boxes.values_mut() {
            let old = inbox
                .items
                .values()
                .filter(|item| item.created_at < now - kept);
            let old: Vec<_> = old
                .map(|item| (item.seq, item.read_at))
                .take(left)
                .collect();
            left -= old.len();
            let unread = old.iter().filter(|(_, read_at)| read_at.is_none()).count();
            old.iter()
                .for_each(|(seq, _)| drop(inbox.items.remove(seq)));
            if unread > 0 {
                inbox.change(-i64::try_from(unread).unwrap_or(i64::MAX));
            }
        }
        u32::try_from(limit - left).unwrap_or(u32::MAX)
    }
}

impl RecipientInbox {
    /// Notes a change, and so many more or fewer unread ones; answers with the version.
    fn change(&mut self, unread: i64) -> i64 {
        self.unread.count = self.unread.count.saturating_add_signed(unread);
        self.unread.version += 1;
        self.unread.version
    }
}

pub(super) fn about_item(kind: &str, item: InboxItemId, recipient: &str, now: Timestamp) -> Fact {
    Fact::about(kind, item.to_string(), now).with("recipient_id", recipient)
}
