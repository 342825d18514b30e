//! Inboxes: what recipients were told, and what of that they have read.

use async_trait::async_trait;
use baton_domain::{
    CampaignId, InboxItemId, NotificationId, Timestamp,
    inbox::{Item, Unread},
    notification::Sent,
    page::{Page, PageRequest},
};
use baton_ports::store::{Dispatch, Error, Inbox, NewItem, NewItems, Notified, Reading, Result};
use serde_json::json;
use uuid::Uuid;

use super::{SqlStore, first, jobs, start};
use crate::{
    kernel::{CommitIf, ConnectionPool, Unit},
    row::{Cells, Row, Rows},
    statement::{
        INBOX_ADD, INBOX_LIST, INBOX_NEWS, INBOX_READ, INBOX_READ_ALL, INBOX_UNREAD, JOBS_ENQUEUE,
        NOTIFICATIONS_ACCEPT, WORK_START,
    },
    value::{Params, column, params},
};

#[async_trait]
impl Inbox for SqlStore {
    async fn notify(&self, dispatch: &Dispatch, now: Timestamp) -> Result<Notified> {
        let mut scripts = vec![(&NOTIFICATIONS_ACCEPT, self.written(dispatch, now))];
        if !dispatch.items.is_empty() {
            scripts.push((&INBOX_ADD, items(dispatch, now)));
        }
        let start = dispatch.start.as_ref();
        let start = start.filter(|start| start::are_fit(&dispatch.jobs, start, now));
        let place = scripts.len();
        if let Some(start) = start {
            scripts.push((&WORK_START, start::params_of(&dispatch.jobs, start, now)));
        }
        // What was started is there already, and left alone.
        if !dispatch.jobs.is_empty() {
            scripts.push((&JOBS_ENQUEUE, jobs::columns(&dispatch.jobs, now)));
        }
        let unit = Unit {
            scripts,
            keep: keeper(dispatch),
        };
        let interactive = self.admission.interactive();
        let written = self.kernel.transact(ConnectionPool::Queue, unit).await;
        drop(interactive);
        let mut rows = match written {
            Err(Error::Refused(_))
                if self
                    .are_erasing(&recipients(dispatch), &dispatch.numbers)
                    .await? =>
            {
                return Err(Error::Erasing);
            }
            written => written?,
        };
        let started = match start {
            Some(start) => start::claimed_of(&dispatch.jobs, rows.remove(place), start, now)?,
            None => Vec::new(),
        };
        let holders = rows.into_iter().next().unwrap_or_default();
        let holder = self.the_one("notifications", holders, holder)?;
        // The key was taken when it was asked for and forgotten before we looked: ask again.
        let holder =
            holder.ok_or_else(|| Error::Unconfirmed("a key was forgotten meanwhile".to_owned()))?;
        Ok(match holder {
            holder if holder.id == dispatch.id => Notified::Accepted(started),
            holder if dispatch.content.digest() == holder.hash => {
                Notified::Known(holder.id, holder.sent)
            }
            holder => Notified::Conflict(holder.id),
        })
    }

    async fn inbox(&self, recipient: &str, page: &PageRequest) -> Result<Option<Page<Item>>> {
        let before = match &page.after {
            Some(cursor) => cursor.parse().map_err(|_| Error::BadCursor)?,
            None => i64::MAX,
        };
        let params = params! { recipient: recipient, before: before, limit: page.limit + 1 };
        let rows = self.read(&INBOX_LIST, params).await?;
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
        let rows = self.read(&INBOX_NEWS, params).await?;
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
            .read(&INBOX_UNREAD, params! { recipient: recipient })
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
        let Some(row) = first(self.operate(&INBOX_READ, params).await?) else {
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
        let row = first(self.operate(&INBOX_READ_ALL, params).await?);
        row.map(|row| unread(&mut row.cells("inboxes"))).transpose()
    }
}

/// The items of a notification, each of them a fact.
fn items(dispatch: &Dispatch, now: Timestamp) -> Params {
    let mut params = columns(&dispatch.items, &dispatch.category, now);
    params.extend(params! {
        campaign: None::<Uuid>,
        notification: dispatch.id.uuid(),
        common: json!({ "notification_id": dispatch.id }).to_string(),
        is_told: true,
    });
    params
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
    fn written(&self, dispatch: &Dispatch, now: Timestamp) -> Params {
        let common = json!({ "category": dispatch.category, "recipients": dispatch.sent.len() });
        params! {
            id: dispatch.id.uuid(), key: dispatch.key.clone(), hash: dispatch.content.digest(),
            sent: serde_json::to_string(&dispatch.sent).unwrap_or_default(),
            recipients: self.list(&recipients(dispatch)), numbers: self.list(&dispatch.numbers),
            subject: dispatch.id.to_string(), common: common.to_string(), now: now,
        }
    }

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
        let row = first(self.write(&INBOX_ADD, params).await?);
        row.map_or(Ok(0), |row| row.cells("inbox").count("count"))
    }
}

/// A batch of items as the statement takes it, column by column: one for a recipient.
fn columns(new: &[NewItem], category: &str, now: Timestamp) -> Params {
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

fn recipients(dispatch: &Dispatch) -> Vec<String> {
    let ids = dispatch.sent.iter().map(|one| one.recipient_id.clone());
    ids.collect()
}

/// Decides whether a notification stands: its key may belong to another one. Without a key nothing can.
fn keeper(dispatch: &Dispatch) -> Option<CommitIf> {
    let id = dispatch.id;
    let is_ours = move |rows: &[Rows]| {
        let holder = rows.first().cloned().and_then(first).map(holder);
        holder.is_some_and(|holder| holder.is_ok_and(|holder| holder.id == id))
    };
    dispatch.key.as_ref().map(|_| Box::new(is_ours) as CommitIf)
}

/// The notification that has an id or a key.
struct Holder {
    id: NotificationId,
    hash: String,
    sent: Vec<Sent>,
}

fn holder(row: Row) -> Result<Holder> {
    let mut cells = row.cells("notifications");
    Ok(Holder {
        id: NotificationId::from_uuid(cells.uuid("id")?),
        hash: cells.text("content_hash")?,
        sent: cells.json("sent")?,
    })
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
