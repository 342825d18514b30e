//! A database that is opened again: what its former owner held.

use baton_domain::WorkerId;
use baton_ports::store::{Atomicity, Jobs, Work};

use crate::{
    databases,
    hands::{DAWN, LEASE, claim, jobs},
};

#[tokio::test]
async fn what_was_held_when_an_sqlite_database_was_opened_is_abandoned() {
    let folder = databases::empty_folder();
    let (before, after) = (WorkerId::new(DAWN), WorkerId::new(DAWN + LEASE));
    let store = databases::open(&folder.url()).await;
    store.enqueue(jobs(2, DAWN), Atomicity::All).await.unwrap();
    let lost = store.claim(&claim(before, 1, DAWN + LEASE), DAWN).await;
    drop(store);

    let store = databases::open(&folder.url()).await;
    store
        .claim(&claim(after, 1, DAWN + LEASE), DAWN)
        .await
        .unwrap();
    let standings = store.leases(10).await.unwrap();

    let abandoned = standings.iter().filter(|one| one.is_abandoned);
    let abandoned: Vec<_> = abandoned.map(|one| one.lease).collect();
    assert_eq!(standings.len(), 2);
    assert_eq!(abandoned, [lost.unwrap()[0].lease]);
}

#[tokio::test]
async fn what_others_hold_on_postgresql_is_theirs() {
    let (store, database) = databases::postgres().await;
    let worker = WorkerId::new(DAWN);
    store.enqueue(jobs(1, DAWN), Atomicity::All).await.unwrap();
    store
        .claim(&claim(worker, 1, DAWN + LEASE), DAWN)
        .await
        .unwrap();

    let other = databases::open(&database.url()).await;
    let before = other.leases(10).await.unwrap();

    assert_eq!(before.len(), 1);
    assert!(!before[0].is_abandoned);
}
