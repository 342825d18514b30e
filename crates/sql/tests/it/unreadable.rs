//! A row that cannot be read never stops the others: it is passed over, and told.

use std::collections::{BTreeMap, BTreeSet};

use baton_domain::{WorkerId, fleet::Beat, page::PageRequest, recipient::Profile};
use baton_ports::store::{
    Atomicity, DeadLetters, Events, Fleet, JobFilter, Jobs, Recipients, Upkeep, Urgency, Work,
};
use baton_sql::SqlStore;

use crate::{
    databases,
    hands::{DAWN, LEASE, claim, ending, jobs},
};

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

async fn fill(store: &SqlStore) {
    store.enqueue(jobs(3, DAWN), Atomicity::All).await.unwrap();
    let people: Vec<_> = (0..3).map(somebody).collect();
    store.put_recipients(&people, DAWN).await.unwrap();
    for name in ["first", "second"] {
        store.beat(&beat(name), DAWN).await.unwrap();
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
    let found = store.find_recipients(&ids, Urgency::Patient).await.unwrap();
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
    Profile {
        id: format!("r{i}"),
        platform: "ios".to_owned(),
        location: None,
        topics: BTreeSet::new(),
        enabled: true,
        addresses: BTreeMap::new(),
        time_zone: None,
    }
}

fn beat(name: &str) -> Beat {
    Beat {
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
