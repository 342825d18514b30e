//! An entry of the audit log stands and falls with the change that it tells of.

use std::time::Duration;

use baton_domain::{audit::AuditFilter, page::PageRequest};
use baton_ports::store::{Access, AuditLog, Error};
use baton_sql::SqlStore;
use baton_testkit::Brand;
use mysql_async::prelude::Queryable;

use crate::{
    brands::on_each_brand,
    databases,
    hands::DAWN,
    unreadable::access::{entry, user},
};

on_each_brand!(mysql_keeps_an_entry_and_its_change_together,);

#[tokio::test]
async fn sqlite_keeps_an_entry_and_its_change_together() {
    let sqlite = databases::sqlite().await;

    refuse_a_change(&sqlite.store).await;
    sqlite.connect().execute_batch(NO_LOG).unwrap();
    refuse_an_entry(&sqlite.store).await;
}

#[tokio::test]
async fn postgresql_keeps_an_entry_and_its_change_together() {
    let (store, database) = databases::postgres().await;
    let client = databases::connect(&database.url()).await;

    refuse_a_change(&store).await;
    client.batch_execute(NO_LOG).await.unwrap();
    refuse_an_entry(&store).await;
}

async fn mysql_keeps_an_entry_and_its_change_together(brand: Brand) {
    let (store, url) = databases::mysql(brand).await;
    let mut session = mysql_async::Conn::from_url(&url).await.unwrap();

    refuse_a_change(&store).await;
    session.query_drop(NO_LOG).await.unwrap();
    refuse_an_entry(&store).await;
}

#[tokio::test]
async fn the_log_goes_on_behind_an_entry_that_a_newer_program_has_written() {
    let sqlite = databases::sqlite().await;
    let kim = user("kim", DAWN);
    let moments = [0, 1, 2].map(|seconds| DAWN + Duration::from_secs(seconds));
    let [first, second, third] = moments.map(|moment| entry(&kim, moment));
    let all = [first.clone(), second.clone(), third.clone()];
    sqlite.store.append_audit(&all).await.unwrap();
    let newer = format!(
        "UPDATE audit_log SET action = 'tide.turn' WHERE at = {}",
        second.at.as_micros()
    );
    sqlite.connect().execute_batch(&newer).unwrap();
    let page = |after| PageRequest { limit: 2, after };

    let filter = AuditFilter::default();
    let newest = sqlite.store.audit_entries(&filter, &page(None)).await;
    let newest = newest.unwrap();
    let oldest = sqlite
        .store
        .audit_entries(&filter, &page(newest.next))
        .await;

    assert_eq!(newest.items, [third]);
    assert_eq!(oldest.unwrap().items, [first]);
}

const NO_LOG: &str = "DROP TABLE audit_log";

/// A change that the database does not take leaves no entry.
async fn refuse_a_change(store: &SqlStore) {
    let kim = user(&"k".repeat(65), DAWN);

    let refused = store.audited(entry(&kim, DAWN)).add_user(&kim).await;

    assert!(matches!(refused, Err(Error::Refused(_))), "{refused:?}");
    let filter = AuditFilter::default();
    let entries = store.audit_entries(&filter, &Default::default()).await;
    assert_eq!(entries.unwrap().items, []);
}

/// What nobody can write down is not done.
async fn refuse_an_entry(store: &SqlStore) {
    let kim = user("kim", DAWN);

    let refused = store.audited(entry(&kim, DAWN)).add_user(&kim).await;

    assert!(refused.is_err(), "{refused:?}");
    assert!(store.user(kim.id).await.unwrap().is_none());
}
