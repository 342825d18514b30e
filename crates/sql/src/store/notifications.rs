//! Notifications: one or a few recipients told something at once.

use async_trait::async_trait;
use baton_domain::{NotificationId, Timestamp, notification::Sent};
use baton_ports::store::{Dispatch, Error, Notifications, Notified, Result};
use serde_json::json;
use uuid::Uuid;

use super::{SqlStore, first, inbox::columns, start};
use crate::{
    kernel::{CommitIf, ConnectionPool, Unit},
    row::{Row, Rows},
    statement as sql,
    value::{Params, params},
};

#[async_trait]
impl Notifications for SqlStore {
    async fn notify(&self, dispatch: &Dispatch, now: Timestamp) -> Result<Notified> {
        let mut scripts = vec![(&sql::notifications::ACCEPT, self.written(dispatch, now))];
        if !dispatch.items.is_empty() {
            scripts.push((&sql::inbox::ADD, items(dispatch, now)));
        }
        let start = dispatch.start.as_ref();
        let start = start.filter(|start| start::are_fit(&dispatch.jobs, start, now));
        let place = scripts.len();
        if let Some(start) = start {
            scripts.push((
                &sql::work::START,
                start::params_of(&dispatch.jobs, start, now),
            ));
        }
        // What was started is there already, and left alone.
        if !dispatch.jobs.is_empty() {
            scripts.push((&sql::jobs::ENQUEUE, self.columns(&dispatch.jobs, now)));
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
