//! Inboxes: look, and take note of what is read.

use std::{ops::RangeInclusive, time::Duration};

use baton_domain::{
    InboxItemId,
    access::{InboxToken, Permission, Principal},
    audit::{AuditAction, recipient_object},
    inbox::{Item, Unread},
    job::FieldError,
    page::{Page, PageRequest},
};
use baton_ports::{
    Wakeup,
    store::{NewItems, Reading},
};

use crate::{
    Caller, Error, Result,
    caller::Particulars,
    recipients::{could_be, missing},
};

/// How long an inbox token can last.
const LASTS: RangeInclusive<Duration> = Duration::from_secs(1)..=Duration::from_hours(24);

impl Caller {
    /// What lies in an inbox, the newest first.
    pub async fn inbox(&self, recipient: &str, page: &PageRequest) -> Result<Page<Item>> {
        self.needs_a_look(recipient)?;
        could_be(recipient)?;
        let inbox = self.store().inbox(recipient, page).await?;
        let inbox = inbox.ok_or_else(|| missing(recipient))?;
        let count = inbox.items.len() as u64;
        self.note_inbox(recipient, Some(count)).await?;
        Ok(inbox)
    }

    /// How many items of an inbox are unread, for whoever follows it from now on: what they are going to see is written down here, once.
    pub async fn unread_to_follow(&self, recipient: &str) -> Result<Unread> {
        self.needs_inbox(recipient)?;
        let unread = self.unread(recipient).await?;
        self.note_inbox(recipient, None).await?;
        Ok(unread)
    }

    /// Writes down that somebody looked into an inbox; its recipient's own app is nobody else.
    async fn note_inbox(&self, recipient: &str, count: Option<u64>) -> Result<()> {
        if self.actor().recipient.is_some() {
            return Ok(());
        }
        let particulars = Particulars {
            count,
            ..Particulars::default()
        };
        let (action, object) = (AuditAction::InboxRead, recipient_object(recipient));
        self.note_reading(action, object, particulars).await
    }

    /// What came into an inbox after a version, in order, and how many items are unread.
    pub async fn inbox_news(&self, recipient: &str, after: i64, limit: u32) -> Result<NewItems> {
        self.needs_inbox(recipient)?;
        could_be(recipient)?;
        let news = self.store().news(recipient, after, limit).await?;
        news.ok_or_else(|| missing(recipient))
    }

    /// How many items of an inbox are unread.
    pub async fn unread(&self, recipient: &str) -> Result<Unread> {
        self.needs_a_look(recipient)?;
        could_be(recipient)?;
        let unread = self.store().unread(recipient).await?;
        unread.ok_or_else(|| missing(recipient))
    }

    /// Takes note that a recipient has read an item; answers with how many it has not.
    pub async fn read_item(&self, recipient: &str, item: InboxItemId) -> Result<Unread> {
        self.needs_inbox(recipient)?;
        could_be(recipient)?;
        let reading = self.store().read_item(recipient, item, self.now()).await?;
        match reading.ok_or_else(|| missing(recipient))? {
            Reading::Read(_, unread) => {
                self.wakeups().send(Wakeup::Facts);
                Ok(unread)
            }
            Reading::NoItem => Err(Error::NotFound {
                what: "inbox item",
                id: item.to_string(),
            }),
        }
    }

    /// Takes note that a recipient has read everything that lies in its inbox.
    pub async fn read_all(&self, recipient: &str) -> Result<Unread> {
        self.needs_inbox(recipient)?;
        could_be(recipient)?;
        let unread = self.store().read_all(recipient, self.now()).await?;
        self.wakeups().send(Wakeup::Facts);
        unread.ok_or_else(|| missing(recipient))
    }

    /// Signs a token that opens the inbox of a recipient and nothing else, for a while, in the name of the key that asks.
    pub async fn inbox_token(&self, recipient: &str, lasts: Duration) -> Result<InboxToken> {
        self.needs_inbox(recipient)?;
        if !LASTS.contains(&lasts) {
            let rule = "must lie between 1s and 24h";
            return Err(Error::Invalid(vec![FieldError::new("expires_in", rule)]));
        }
        let actor = self.actor();
        if actor.recipient.is_some() {
            // A token would never end that could make the next one.
            return Err(Error::NothingToSignWith);
        }
        self.unread(recipient).await?;
        let Principal::Key(id) = actor.principal else {
            return Err(Error::NothingToSignWith);
        };
        let key = self.store().key(id).await?;
        let key = key.ok_or(Error::NothingToSignWith)?;
        let end = self.now() + lasts;
        Ok(InboxToken::sign(key.id, &key.digest, recipient, end))
    }

    /// Whoever sees recipients and what is sent to them may look into their inboxes, and marks nothing there.
    fn needs_a_look(&self, recipient: &str) -> Result<()> {
        match self.sees_inboxes() {
            true => Ok(()),
            false => self.needs_inbox(recipient),
        }
    }

    /// Whether they see what is sent to recipients, whoever these are.
    #[must_use]
    pub fn sees_inboxes(&self) -> bool {
        let needed = [Permission::RecipientsRead, Permission::PayloadsRead];
        let is_bounded = self.actor().recipient.is_some();
        !is_bounded && needed.into_iter().all(|one| self.may(one))
    }

    fn needs_inbox(&self, recipient: &str) -> Result<()> {
        self.needs(Permission::Inbox)?;
        match self.actor().may_open_inbox(recipient) {
            true => Ok(()),
            false => Err(self.refused(Error::OtherInbox)),
        }
    }
}
