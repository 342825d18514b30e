//! Inboxes: what recipients were told, and what of that they have read.

use async_trait::async_trait;
use baton_domain::{
    CampaignId, InboxItemId, NotificationId, Timestamp,
    inbox::{Item, Unread},
    page::{Page, PageRequest},
};
use baton_ports::store::{Inbox, NewItem, NewItems, Reading, Result};
use uuid::Uuid;

use super::{SqlStore, first};
use crate::{
    row::{Cells, Row},
    statement as sql,
    value::{Params, column, params},
};

#[async_trait]
impl Inbox for SqlStore {
    async fn inbox(&self, recipient: &str, page: &PageRequest) -> Result<Option<Page<Item>>> {
        let before = page.cursor()?.unwrap_or(i64::MAX);
        let params = params! { recipient: recipient, before: before, limit: page.limit + 1 };
        let rows = self.read(&sql::inbox::LIST, params).await?;
        if rows.is_empty() {
            return Ok(None);
        }
        let cursor = |row: &Row| {
            let mut cells = row.clone().cells("inbox");
            cells.skip();
            Ok(cells.int("seq")?.to_string())
        };
        let page = self.page("inbox", rows, page.limit, item_of, cursor);
        Ok(Some(Page {
            items: page.items.into_iter().flatten().collect(),
            next: page.next,
        }))
    }

    async fn news(&self, recipient: &str, after: i64, limit: u32) -> Result<Option<NewItems>> {
        let params = params! { recipient: recipient, after: after, limit: limit };
        let rows = self.read(&sql::inbox::NEWS, params).await?;
        let mut news = None;
        for row in rows {
            let (unread, item) = counted(row)?;
            let item = self.readable_one("inbox", item, item_of);
            let news = news.get_or_insert(NewItems {
                items: Vec::new(),
                unread,
            });
            news.items.extend(item.flatten());
        }
        Ok(news)
    }

    async fn unread(&self, recipient: &str) -> Result<Option<Unread>> {
        let rows = self
            .read(&sql::inbox::UNREAD, params! { recipient: recipient })
            .await?;
        self.the_one("inboxes", rows, |row| unread(&mut row.cells("inboxes")))
    }

    async fn read_item(
        &self,
        recipient: &str,
        item: InboxItemId,
        now: Timestamp,
    ) -> Result<Option<Reading>> {
        let params = params! { recipient: recipient, item: item.uuid(), now: now };
        let Some(row) = first(self.operate(&sql::inbox::READ, params).await?) else {
            return Ok(None);
        };
        let (unread, item) = counted(row)?;
        Ok(Some(match self.told("inbox", item, item_of)? {
            Some(item) => Reading::Read(Box::new(item), unread),
            None => Reading::NoItem,
        }))
    }

    async fn read_all(&self, recipient: &str, now: Timestamp) -> Result<Option<Unread>> {
        let params = params! { recipient: recipient, now: now };
        let row = first(self.operate(&sql::inbox::READ_ALL, params).await?);
        row.map(|row| unread(&mut row.cells("inboxes"))).transpose()
    }
}

/// The items of a chunk of a campaign, for the transaction that makes the chunk: what is there already
/// stays as it is, so that the chunk can be made again. The chunk is the fact, not each item.
pub(super) fn of_campaign(
    new: &[NewItem],
    campaign: CampaignId,
    category: &str,
    now: Timestamp,
) -> Params {
    let mut params = columns(new, category, now);
    params.extend(params! {
        campaign: campaign.uuid(),
        notification: None::<Uuid>,
        common: None::<String>,
        is_told: false,
    });
    params
}

impl SqlStore {
    /// Puts the items of a chunk into inboxes, in a transaction of their own; for the tests of this crate.
    #[doc(hidden)]
    pub async fn put_chunk(
        &self,
        new: &[NewItem],
        campaign: CampaignId,
        category: &str,
        now: Timestamp,
    ) -> Result<u64> {
        let params = of_campaign(new, campaign, category, now);
        let row = first(self.write(&sql::inbox::ADD, params).await?);
        row.map_or(Ok(0), |row| row.cells("inbox").count("count"))
    }
}

/// A batch of items as the statement takes it, column by column: one for a recipient.
pub(super) fn columns(new: &[NewItem], category: &str, now: Timestamp) -> Params {
    let nths = 0..i64::try_from(new.len()).unwrap_or(i64::MAX);
    params! {
        nths: nths.collect::<Vec<_>>(),
        ids: column(new, |item| item.id.uuid()),
        numbers: column(new, |item| item.number),
        recipients: column(new, |item| item.recipient.clone()),
        titles: column(new, |item| item.title.clone()),
        bodies: column(new, |item| item.body.clone()),
        datas: column(new, |item| item.data.clone()),
        category: category,
        now: now,
    }
}

/// The counter, and the row of the item that stands beside it.
fn counted(mut row: Row) -> Result<(Unread, Row)> {
    let item = row.0.split_off(row.0.len().min(COUNTER));
    Ok((unread(&mut row.cells("inboxes"))?, Row(item)))
}

fn item_of(row: Row) -> Result<Option<Item>> {
    item(&mut row.cells("inbox"))
}

/// How many cells a counter has.
const COUNTER: usize = 2;

fn unread(cells: &mut Cells) -> Result<Unread> {
    Ok(Unread {
        count: cells.count("unread")?,
        version: cells.int("version")?,
    })
}

/// An item; `None` in a row without one.
fn item(cells: &mut Cells) -> Result<Option<Item>> {
    let Some(id) = cells.maybe_uuid("id")? else {
        return Ok(None);
    };
    let seq = cells.int("seq")?;
    let campaign = cells.maybe_uuid("campaign_id")?;
    let notification = cells.maybe_uuid("notification_id")?;
    Ok(Some(Item {
        id: InboxItemId::from_uuid(id),
        seq,
        campaign: campaign.map(CampaignId::from_uuid),
        notification: notification.map(NotificationId::from_uuid),
        category: cells.text("category")?,
        title: cells.text("title")?,
        body: cells.text("body")?,
        data: cells.maybe_text("data")?,
        created_at: cells.time("created_at")?,
        read_at: cells.maybe_time("read_at")?,
    }))
}
