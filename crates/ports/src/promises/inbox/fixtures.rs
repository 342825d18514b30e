//! Fixtures: the words in which inboxes are spoken of.

use baton_domain::{
    InboxItemId, JobId, NotificationId,
    content::RequestDigest,
    inbox::{Item, Unread},
    job::JobSpec,
    notification::Sent,
    page::PageRequest,
};

use super::super::{
    bench::{Bench, in_queue},
    recipients::fixtures::somebody,
};
use crate::store::{Dispatch, NewItem, NewItems, Notified, Reading};

/// A notification that is written, none of whose jobs is started.
pub(super) const fn accepted() -> Notified {
    Notified::Accepted(Vec::new())
}

impl Bench {
    /// Writes down somebody of each id; their numbers are those of their order.
    pub(super) async fn people(&self, ids: &[&str]) {
        let profiles: Vec<_> = ids.iter().map(|id| somebody(id)).collect();
        let put = self.store.put_recipients(&profiles, self.now()).await;
        put.expect("put");
    }

    /// An item for a recipient, as the store takes it.
    pub(in super::super) fn new_item(&self, recipient: &str, number: i64, title: &str) -> NewItem {
        NewItem {
            id: InboxItemId::new(self.now()),
            number,
            recipient: recipient.to_owned(),
            title: title.to_owned(),
            body: format!("{title}, to be read"),
            data: None,
        }
    }

    /// A notification with these items, and no jobs, as the store takes it.
    pub(in super::super) fn dispatch(&self, items: Vec<NewItem>) -> Dispatch {
        let sent = |item: &NewItem| Sent {
            recipient_id: item.recipient.clone(),
            item_id: Some(item.id),
            job_id: None,
            skipped: None,
        };
        Dispatch {
            id: NotificationId::new(self.now()),
            key: None,
            content: RequestDigest::with_digest("hash"),
            sent: items.iter().map(sent).collect(),
            numbers: items.iter().map(|item| item.number).collect(),
            category: "activity".to_owned(),
            items,
            jobs: Vec::new(),
            start: None,
        }
    }

    /// The same with a job for each item.
    pub(in super::super) fn with_jobs(&self, mut dispatch: Dispatch) -> Dispatch {
        for sent in &mut dispatch.sent {
            let spec = JobSpec {
                kind: "delivery".to_owned(),
                ..in_queue("notifications")
            };
            let job = self.new_job(spec);
            sent.job_id = Some(job.id);
            dispatch.jobs.push(job);
        }
        dispatch
    }

    pub(super) async fn notify(&self, dispatch: &Dispatch) -> Notified {
        let notified = self.store.notify(dispatch, self.now()).await;
        notified.expect("notify")
    }

    /// Tells a recipient something of this title; answers with the item.
    pub(super) async fn tell(&self, recipient: &str, number: i64, title: &str) -> InboxItemId {
        let item = self.new_item(recipient, number, title);
        let dispatch = self.dispatch(vec![item.clone()]);
        assert_eq!(self.notify(&dispatch).await, accepted());
        item.id
    }

    pub(super) async fn unread(&self, recipient: &str) -> Unread {
        let unread = self.store.unread(recipient).await.expect("unread");
        unread.expect("there is such a recipient")
    }

    /// How many items are unread.
    pub(super) async fn unread_count(&self, recipient: &str) -> u64 {
        self.unread(recipient).await.count
    }

    /// The first page of an inbox.
    pub(super) async fn items(&self, recipient: &str) -> Vec<Item> {
        let page = PageRequest::first(500);
        let page = self.store.inbox(recipient, &page).await.expect("inbox");
        page.expect("there is such a recipient").items
    }

    pub(super) async fn news(&self, recipient: &str, after: i64, limit: u32) -> NewItems {
        let news = self.store.news(recipient, after, limit).await;
        news.expect("news").expect("there is such a recipient")
    }

    pub(super) async fn read(&self, recipient: &str, item: InboxItemId) -> Reading {
        let read = self.store.read_item(recipient, item, self.now()).await;
        read.expect("read").expect("there is such a recipient")
    }

    pub(super) async fn read_all(&self, recipient: &str) -> Unread {
        let unread = self.store.read_all(recipient, self.now()).await;
        unread
            .expect("read all")
            .expect("there is such a recipient")
    }

    /// The kinds and subjects of all facts but those of jobs.
    pub(super) async fn post_facts(&self) -> Vec<(String, String)> {
        let facts = self.facts().await.into_iter();
        let facts = facts.filter(|fact| !fact.kind.starts_with("job."));
        facts.map(|fact| (fact.kind, fact.subject)).collect()
    }

    pub(super) async fn is_there(&self, job: JobId) -> bool {
        self.store.job(job).await.expect("job").is_some()
    }
}

/// The titles of items.
pub(super) fn titles(items: &[Item]) -> Vec<&str> {
    items.iter().map(|item| item.title.as_str()).collect()
}
