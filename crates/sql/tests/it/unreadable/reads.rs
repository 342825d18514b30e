//! Each read of the port, and how much it found.

use std::fmt::Display;

use baton_domain::{audience::Audience, page::PageRequest};
use baton_ports::store::{
    AudienceRange, Campaigns, DeadLetters, Error, EventFilter, Events, Fleet, Hinting, Inbox,
    JobFilter, Jobs, Nodes, Notifications, Queues, Recipients, Result, Schedules, Unreached,
    Upkeep, Urgency, Work,
};
use baton_sql::SqlStore;

use super::stock::{Stock, dispatch};
use crate::hands::{DAWN, LEASE};

/// What was read, and how much it gave.
pub struct Read {
    pub what: String,
    /// Whether it was about the one thing, and not about many.
    pub is_of_one: bool,
    pub found: Result<usize>,
}

pub struct Reader(Vec<Read>);

impl Reader {
    pub fn many(&mut self, what: &str, found: Result<usize>) {
        self.add(what.to_owned(), false, found);
    }

    pub fn one<T>(&mut self, what: &str, which: &dyn Display, found: Result<Option<T>>) {
        let what = format!("{what} {which}");
        self.add(what, true, found.map(|found| usize::from(found.is_some())));
    }

    fn add(&mut self, what: String, is_of_one: bool, found: Result<usize>) {
        self.0.push(Read {
            what,
            is_of_one,
            found,
        });
    }
}

/// Asks each read, of everything there is.
pub async fn all(store: &SqlStore, stock: &Stock) -> Vec<Read> {
    let mut reader = Reader(Vec::new());
    let to = &mut reader;
    of_jobs(store, stock, to).await;
    of_events(store, stock, to).await;
    of_people(store, stock, to).await;
    of_campaigns(store, stock, to).await;
    of_schedules(store, stock, to).await;
    of_dead_letters(store, stock, to).await;
    of_the_fixture(store, to).await;
    super::access::read(store, &stock.access, to).await;
    reader.0
}

pub fn page() -> PageRequest {
    PageRequest {
        limit: 500,
        after: None,
    }
}

async fn of_jobs(store: &SqlStore, stock: &Stock, to: &mut Reader) {
    let filter = JobFilter::default();
    to.many(
        "jobs",
        store
            .jobs(&filter, &page())
            .await
            .map(|page| page.items.len()),
    );
    for id in &stock.jobs {
        to.one("job", id, store.job(*id).await);
    }
    to.many(
        "attempts_of",
        store.attempts_of(&stock.jobs).await.map(|all| all.len()),
    );
    to.many(
        "checkpoints",
        store.checkpoints(&stock.jobs).await.map(|all| all.len()),
    );
    for key in &stock.keys {
        to.one("forgotten", key, store.forgotten(key).await);
    }
    let leases = store.leases(100).await;
    to.many("leases", leases.clone().map(|all| all.len()));
    let leases: Vec<_> = leases
        .unwrap_or_default()
        .iter()
        .map(|one| one.lease)
        .collect();
    to.many("held", store.held(&leases, 100).await.map(|all| all.len()));
    let claimable = store.claimable(None, DAWN + LEASE, 100).await;
    to.many("claimable", claimable.map(|all| all.hints.len()));
}

async fn of_events(store: &SqlStore, stock: &Stock, to: &mut Reader) {
    let all = store.events(0, 10_000, &EventFilter::default()).await;
    to.many("events", all.map(|(all, _)| all.len()));
    for id in &stock.jobs {
        let told = store.job_events(*id).await;
        to.add(format!("job_events {id}"), true, told.map(|all| all.len()));
    }
}

async fn of_people(store: &SqlStore, stock: &Stock, to: &mut Reader) {
    let found = store.find_recipients(&stock.people, Urgency::Bulk).await;
    to.many("find_recipients", found.map(|all| all.len()));
    let found = store.recipients_between(0..=i64::MAX - 1).await;
    to.many("recipients_between", found.map(|all| all.len()));
    let people = store.recipients(&page()).await;
    to.many("recipients", people.map(|page| page.items.len()));
    for audience in [
        Audience::All,
        Audience::Topic("news".to_owned()),
        Audience::Platform("ios".to_owned()),
    ] {
        let walk = AudienceRange {
            audience: &audience,
            after: 0,
            until: 100,
        };
        let members = store.members(&walk, 100).await;
        to.many(
            &format!("members {audience:?}"),
            members.map(|all| all.recipients.len()),
        );
        let count = store.count_members(&audience, 100).await;
        to.many(
            &format!("count_members {audience:?}"),
            count.map(|count| usize::try_from(count.members).unwrap()),
        );
    }
    for id in &stock.people {
        to.many(
            &format!("inbox {id}"),
            store
                .inbox(id, &page())
                .await
                .map(|page| page.map_or(0, |page| page.items.len())),
        );
        to.many(
            &format!("news {id}"),
            store
                .news(id, 0, 100)
                .await
                .map(|news| news.map_or(0, |news| news.items.len())),
        );
        to.one("unread", id, store.unread(id).await);
    }
    for number in 0..2 {
        let known = store.notify(&dispatch(number), DAWN).await;
        to.one("notify again", &number, known.map(Some));
    }
}

async fn of_campaigns(store: &SqlStore, stock: &Stock, to: &mut Reader) {
    to.many(
        "campaigns",
        store
            .campaigns(&page(), DAWN)
            .await
            .map(|page| page.items.len()),
    );
    for id in &stock.campaigns {
        to.one("campaign", id, store.campaign(*id, DAWN).await);
        to.many(
            &format!("delivery_failures {id}"),
            store.delivery_failures(*id).await.map(|all| all.len()),
        );
        let walk = Unreached {
            campaign: *id,
            after: 0,
            until: 100,
        };
        to.many(
            &format!("unreached {id}"),
            store
                .unreached(&walk, 100)
                .await
                .map(|all| all.recipients.len()),
        );
        to.one(
            "count_unreached",
            id,
            store.count_unreached(&walk).await.map(Some),
        );
    }
}

async fn of_schedules(store: &SqlStore, stock: &Stock, to: &mut Reader) {
    to.many(
        "schedules",
        store.schedules(&page()).await.map(|page| page.items.len()),
    );
    // Three hours later all of them are due.
    let later = DAWN + LEASE * 2 * 60 * 4;
    to.many(
        "due_schedules",
        store
            .due_schedules(100, later)
            .await
            .map(|due| due.schedules.len()),
    );
    for id in &stock.schedules {
        to.one("find_schedule", id, store.find_schedule(*id).await);
        to.many(
            &format!("fires {id}"),
            store.fires(*id, &page()).await.map(|page| page.items.len()),
        );
    }
}

async fn of_dead_letters(store: &SqlStore, stock: &Stock, to: &mut Reader) {
    to.many(
        "dead_letters",
        store
            .dead_letters(&page())
            .await
            .map(|page| page.items.len()),
    );
    to.many(
        "operations",
        store.operations(&page()).await.map(|page| page.items.len()),
    );
    for id in stock.operations.iter().chain(&stock.erasures) {
        to.one("operation", id, store.operation(*id).await);
    }
}

async fn of_the_fixture(store: &SqlStore, to: &mut Reader) {
    to.many("queues", store.queues(DAWN).await.map(|all| all.len()));
    let queues = store.queue_page(&page(), DAWN).await;
    to.many("queue_page", queues.map(|page| page.items.len()));
    to.many(
        "ready_queues",
        store.ready_queues().await.map(|all| all.len()),
    );
    let names = store.queues(DAWN).await.unwrap_or_default();
    let names: Vec<_> = names.into_iter().map(|queue| queue.name).collect();
    to.many(
        "worked_by",
        store.worked_by(&names).await.map(|all| all.len()),
    );
    to.many(
        "workers",
        store.workers(DAWN - LEASE).await.map(|all| all.len()),
    );
    to.many(
        "nodes",
        store.nodes(DAWN - LEASE).await.map(|all| all.len()),
    );
    to.one("leader", &"", store.leader(DAWN).await.map(Some));
    to.one("outstanding", &"", store.outstanding(DAWN).await.map(Some));
    to.one("backlog", &"", store.backlog(1_000).await.map(Some));
}

/// Whether an error says which cell cannot be read.
pub fn is_clear(error: &Error) -> bool {
    matches!(error, Error::Corrupt { .. })
}
