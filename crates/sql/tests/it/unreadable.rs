//! A row that cannot be read never stops the others: it is passed over, and told.

pub mod access;
pub mod each;
mod reads;
pub mod stock;

use std::collections::BTreeSet;

use baton_domain::{
    WorkerId,
    event::{Event, UNREADABLE},
    fleet::Heartbeat,
    job::Class,
    page::PageRequest,
    recipient::{Profile, RecipientSpec},
};
use baton_ports::store::{
    Atomicity, By, DeadLetters, EventFilter, Events, Fleet, JobFilter, Jobs, Recipients, Upkeep,
    Urgency, Work,
};
use baton_sql::SqlStore;
use baton_testkit::Brand;
use mysql_async::{Conn, prelude::Queryable};

use self::stock::Stock;
use crate::{
    brands::on_each_brand,
    databases,
    hands::{DAWN, LEASE, claim, ending, failure, jobs},
};

on_each_brand!(
    a_damaged_row_of_mysql_never_stops_the_others,
    a_fact_of_mysql_that_is_damaged_before_it_has_a_number_stops_none_behind_it,
    in_the_place_of_a_fact_of_mysql_that_cannot_be_read_the_feed_tells_that_it_cannot,
);

/// One row of each table, by what another version or a bad disk could have left there.
const DAMAGE: &str = "
    UPDATE jobs SET backoff = '{\"strategy\":\"tidal\"}' WHERE id = (SELECT id FROM jobs ORDER BY id LIMIT 1);
    UPDATE recipients SET topics = 'no list' WHERE id = 'r1';
    UPDATE workers SET slots = 'none' WHERE name = 'second';";

#[tokio::test]
async fn a_damaged_row_of_sqlite_never_stops_the_others() {
    let sqlite = databases::sqlite().await;
    fill(&sqlite.store).await;
    sqlite.connect().execute_batch(DAMAGE).unwrap();

    never_stops_the_others(&sqlite.store).await;
}

#[tokio::test]
async fn a_damaged_row_of_postgresql_never_stops_the_others() {
    let (store, database) = databases::postgres().await;
    fill(&store).await;
    let client = databases::connect(&database.url()).await;
    client.batch_execute(DAMAGE).await.unwrap();

    never_stops_the_others(&store).await;
}

async fn a_damaged_row_of_mysql_never_stops_the_others(brand: Brand) {
    let (store, url) = databases::mysql(brand).await;
    fill(&store).await;
    let mut session = Conn::from_url(&url).await.unwrap();
    // There a table that is written to is not read beside it.
    let first = "WHERE id = (SELECT id FROM jobs ORDER BY id LIMIT 1)";
    let damage = DAMAGE.replace(first, "ORDER BY id LIMIT 1");
    session.query_drop(damage).await.unwrap();

    never_stops_the_others(&store).await;
}

async fn fill(store: &SqlStore) {
    store.enqueue(jobs(3, DAWN), Atomicity::All).await.unwrap();
    let people: Vec<_> = (0..3).map(somebody).collect();
    store.put_recipients(&people, DAWN).await.unwrap();
    for name in ["first", "second"] {
        store.heartbeat(&heartbeat(name), DAWN).await.unwrap();
    }
}

async fn never_stops_the_others(store: &SqlStore) {
    lists_go_on(store).await;
    a_page_with_it_has_a_next_one(store).await;
    what_was_claimed_with_it_is_run_and_rescued(store).await;

    let told = store.unreadable().await.unwrap();
    let told: BTreeSet<_> = told.iter().map(|row| (row.table, row.column)).collect();
    let damaged = [
        ("jobs", "backoff"),
        ("recipients", "topics"),
        ("workers", "slots"),
    ];
    assert_eq!(told, damaged.into());
}

async fn lists_go_on(store: &SqlStore) {
    let page = PageRequest {
        limit: 10,
        after: None,
    };

    let jobs = store.jobs(&JobFilter::default(), &page).await.unwrap();
    let people = store.recipients(&page).await.unwrap();
    let ids = ["r0", "r1", "r2"].map(str::to_owned);
    let found = store.find_recipients(&ids, Urgency::Bulk).await.unwrap();
    let workers = store.workers(DAWN - LEASE).await.unwrap();

    assert_eq!(jobs.items.len(), 2);
    assert_eq!((people.items.len(), found.len()), (2, 2));
    assert_eq!(workers.len(), 1);
}

async fn a_page_with_it_has_a_next_one(store: &SqlStore) {
    let first = PageRequest {
        limit: 2,
        after: None,
    };

    // Of r2 and r1, the damaged one.
    let first = store.recipients(&first).await.unwrap();
    let second = PageRequest {
        limit: 2,
        after: first.next.clone(),
    };
    let second = store.recipients(&second).await.unwrap();

    let id = |profile: &baton_domain::recipient::Recipient| profile.profile.id.clone();
    assert_eq!(first.items.iter().map(id).collect::<Vec<_>>(), ["r2"]);
    assert_eq!(second.items.iter().map(id).collect::<Vec<_>>(), ["r0"]);
}

async fn what_was_claimed_with_it_is_run_and_rescued(store: &SqlStore) {
    let until = DAWN + LEASE;

    let claimed = store
        .claim(&claim(WorkerId::new(DAWN), 10, until), DAWN)
        .await
        .unwrap();
    let again = store
        .claim(&claim(WorkerId::new(DAWN), 10, until), DAWN)
        .await
        .unwrap();
    let held = ending(store, until + LEASE, 10).await;
    store.sequence(100, DAWN).await.unwrap();
    let groups = store
        .dead_letters(&PageRequest {
            limit: 10,
            after: None,
        })
        .await
        .unwrap();

    assert_eq!((claimed.len(), again.len()), (2, 0));
    assert_eq!(held.len(), 2, "what is damaged is held by nobody");
    let groups: Vec<_> = groups
        .items
        .iter()
        .map(|group| {
            (
                group.reason.as_str(),
                group.sample.code.as_str(),
                group.count,
            )
        })
        .collect();
    assert_eq!(groups, [("misconfigured", "unreadable", 1)]);
}

fn somebody(i: usize) -> Profile {
    Profile::from_spec(format!("r{i}"), RecipientSpec::on("ios")).unwrap()
}

fn heartbeat(name: &str) -> Heartbeat {
    Heartbeat {
        remote: None,
        worker: WorkerId::new(DAWN),
        name: name.to_owned(),
        version: "0.1.0".to_owned(),
        lease: Some(LEASE),
        slots: Default::default(),
        running: 0,
        draining: false,
        started_at: DAWN,
    }
}

#[tokio::test]
async fn in_the_place_of_a_fact_that_cannot_be_read_the_feed_tells_that_it_cannot() {
    let sqlite = databases::sqlite().await;
    let (postgres, database) = databases::postgres().await;
    let client = databases::connect(&database.url()).await;
    let (first, second) = (
        stock::fill(&sqlite.store).await,
        stock::fill(&postgres).await,
    );
    let whole = [told(&sqlite.store).await, told(&postgres).await];

    sqlite.connect().execute_batch(ITEMS).unwrap();
    client.batch_execute(ITEMS).await.unwrap();

    let stores = [(&sqlite.store, first), (&postgres, second)];
    for ((store, stock), whole) in stores.iter().zip(whole) {
        tells_that_it_cannot(store, stock, &whole).await;
    }
}

async fn in_the_place_of_a_fact_of_mysql_that_cannot_be_read_the_feed_tells_that_it_cannot(
    brand: Brand,
) {
    let (store, url) = databases::mysql(brand).await;
    let stock = stock::fill(&store).await;
    let whole = told(&store).await;
    let mut session = Conn::from_url(&url).await.unwrap();

    each::uncheck_mysql(&mut session, brand).await;
    session.query_drop(ITEMS).await.unwrap();

    tells_that_it_cannot(&store, &stock, &whole).await;
}

async fn tells_that_it_cannot(store: &SqlStore, stock: &Stock, whole: &[Event]) {
    let damaged = told(store).await;
    let ids = |events: &[Event]| events.iter().map(|event| event.id).collect::<Vec<_>>();
    assert_eq!(ids(&damaged), ids(whole), "the numbers stay dense");
    let differ: Vec<_> = (damaged.iter().zip(whole))
        .filter(|(is, was)| is != was)
        .collect();
    assert_eq!(differ.len(), 2, "of two jobs that failed in one row");
    for (is, was) in differ {
        assert_eq!((is.kind.as_str(), &is.subject), (UNREADABLE, &was.subject));
        assert_eq!(is.data["column"], "items");
    }
    who_asks_for_some_is_told_of_what_may_be_among_them(store, stock).await;
}

const ITEMS: &str = "UPDATE facts SET items = '[{' WHERE to_state = 'failed'";

async fn who_asks_for_some_is_told_of_what_may_be_among_them(store: &SqlStore, stock: &Stock) {
    let of = async |filter: EventFilter| {
        let (events, _) = store.events(0, 10_000, &filter).await.unwrap();
        let told = events.iter().filter(|event| event.kind == UNREADABLE);
        told.count()
    };
    let of_type = EventFilter {
        types: vec!["campaign.".to_owned()],
        ..EventFilter::default()
    };
    let of_subject = |subject: String| EventFilter {
        subject: Some(subject),
        ..EventFilter::default()
    };
    let campaign = of_subject(stock.campaigns[0].to_string());
    let mut failed = 0;
    for job in &stock.jobs {
        failed += of(of_subject(job.to_string())).await;
    }

    assert_eq!(
        of(of_type).await,
        2,
        "nobody can say that they were not meant"
    );
    assert_eq!(of(campaign).await, 0);
    assert_eq!(failed, 2);
}

async fn told(store: &SqlStore) -> Vec<Event> {
    let all = EventFilter::default();
    store.events(0, 10_000, &all).await.unwrap().0
}

/// A store takes JSON in rows apart while it numbers facts.
#[tokio::test]
async fn a_fact_of_sqlite_that_is_damaged_before_it_has_a_number_stops_none_behind_it() {
    for items in BROKEN {
        let sqlite = databases::sqlite().await;
        fail_and_go_on(&sqlite.store, async || {
            sqlite.connect().execute_batch(&broken(items)).unwrap();
        })
        .await;
    }
}

#[tokio::test]
async fn a_fact_of_postgresql_that_is_damaged_before_it_has_a_number_stops_none_behind_it() {
    for items in BROKEN {
        let (store, database) = databases::postgres().await;
        let client = databases::connect(&database.url()).await;
        fail_and_go_on(&store, async || {
            client.batch_execute(&broken(items)).await.unwrap();
        })
        .await;
    }
}

async fn a_fact_of_mysql_that_is_damaged_before_it_has_a_number_stops_none_behind_it(brand: Brand) {
    for items in BROKEN {
        let (store, url) = databases::mysql(brand).await;
        fail_and_go_on(&store, async || {
            let mut session = Conn::from_url(&url).await.unwrap();
            each::uncheck_mysql(&mut session, brand).await;
            // There a backslash in a text is one only if it is doubled.
            let items = items.replace('\\', "\\\\");
            session.query_drop(broken(&items)).await.unwrap();
        })
        .await;
    }
}

/// No JSON, JSON of another shape, and JSON that only some readers take.
const BROKEN: [&str; 4] = ["[{", r#"{"a b":1}"#, "7", r#"[{"message":"\u0000\ud800"}]"#];

fn broken(items: &str) -> String {
    format!("UPDATE facts SET items = '{items}' WHERE to_state = 'failed'")
}

/// Of three jobs the second one fails, and its fact is damaged before it has a number.
async fn fail_and_go_on(store: &SqlStore, damage: impl AsyncFn()) {
    let add = async || {
        store.enqueue(jobs(1, DAWN), Atomicity::All).await.unwrap();
    };
    add().await;
    fail_one(store).await;
    damage().await;
    add().await;
    fail_one(store).await;

    let mut numbered = 0;
    loop {
        let sequenced = store.sequence(100, DAWN).await.unwrap();
        if sequenced.count == 0 {
            break;
        }
        numbered += usize::try_from(sequenced.count).unwrap();
    }

    let events = told(store).await;
    assert_eq!(events.len(), numbered);
    let kinds: Vec<_> = events.iter().map(|event| event.kind.as_str()).collect();
    let rest = ["job.queued", "job.running", "job.failed"];
    assert_eq!(kinds[..2], rest[..2]);
    assert_eq!(kinds[2], UNREADABLE);
    assert_eq!(kinds[3..], rest);
    let letters = store.dead_letters(&PageRequest::default()).await.unwrap();
    assert_eq!(letters.items.len(), 1, "of the one that can be read");
    assert_eq!(letters.items[0].count, 1);
}

async fn fail_one(store: &SqlStore) {
    let worker = WorkerId::new(DAWN);
    let claimed = store.claim(&claim(worker, 1, DAWN + LEASE), DAWN).await;
    let failed = failure(&claimed.unwrap()[0], Class::Permanent, DAWN);
    store
        .settle(By::Worker(worker), &[failed], DAWN)
        .await
        .unwrap();
}
