//! Inboxes: look, and take note of what is read.

use baton_domain::{
    InboxItemId,
    access::Permission,
    inbox::{Item, Unread},
    page::{Page, PageRequest},
};
use baton_ports::{
    Wakeup,
    store::{NewItems, Reading},
};

use crate::{
    Caller, Error, Result,
    recipients::{could_be, missing},
};

impl Caller {
    /// What lies in an inbox, the newest first.
    pub async fn inbox(&self, recipient: &str, page: &PageRequest) -> Result<Page<Item>> {
        self.needs(Permission::Inbox)?;
        could_be(recipient)?;
        let inbox = self.store().inbox(recipient, page).await?;
        inbox.ok_or_else(|| missing(recipient))
    }

    /// What came into an inbox after a version, in order, and how many items are unread.
    pub async fn inbox_news(&self, recipient: &str, after: i64, limit: u32) -> Result<NewItems> {
        self.needs(Permission::Inbox)?;
        could_be(recipient)?;
        let news = self.store().news(recipient, after, limit).await?;
        news.ok_or_else(|| missing(recipient))
    }

    /// How many items of an inbox are unread.
    pub async fn unread(&self, recipient: &str) -> Result<Unread> {
        self.needs(Permission::Inbox)?;
        could_be(recipient)?;
        let unread = self.store().unread(recipient).await?;
        unread.ok_or_else(|| missing(recipient))
    }

    /// Takes note that a recipient has read an item; answers with how many it has not.
    pub async fn read_item(&self, recipient: &str, item: InboxItemId) -> Result<Unread> {
        self.needs(Permission::Inbox)?;
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
        self.needs(Permission::Inbox)?;
        could_be(recipient)?;
        let unread = self.store().read_all(recipient, self.now()).await?;
        self.wakeups().send(Wakeup::Facts);
        unread.ok_or_else(|| missing(recipient))
    }
}
