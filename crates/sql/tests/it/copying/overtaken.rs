//! A copy that slept while somebody gave it up, or another run finished it, changes nothing any more; nor does one that goes astray.

use std::{fs, sync::Mutex, thread};

use baton_ports::store::{JobFilter, Jobs};
use baton_sql::{Copied, CopyProgress, OpenError};
use baton_testkit::{Brand, Mysql, Postgres};

use super::{ALL, Place, copied, copied_for, filled::filled};
use crate::databases::{self, empty_folder};

#[tokio::test(flavor = "multi_thread")]
async fn a_copy_that_is_given_up_while_it_runs_releases_nothing() {
    for from in ["postgres", "mysql"] {
        let (source, target) = (filled(from, 10).await, Place::new("sqlite"));
        let url = source.url();
        let is_compared = |told: &CopyProgress| matches!(told, CopyProgress::Same(..));

        let given_up = copied_while(&source, &target, is_compared, move || async move {
            baton_sql::reopen(&url, false).await.unwrap();
        });

        let said = given_up.await.unwrap_err().to_string();
        assert!(said.contains("given up"), "{said}");
        databases::open(&source.url()).await;
        let served = baton_sql::open(&target.url(), &databases::tolerant()).await;
        assert!(matches!(served, Err(OpenError::Sealed(_))));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_slept_while_another_one_finished_writes_nothing_more() {
    for (from, to) in [("postgres", "mysql"), ("mysql", "postgres")] {
        let (source, target) = (filled(from, 10).await, Place::new(to));
        let (there, here) = (source.url(), target.url());
        let is_under_way = |told: &CopyProgress| matches!(told, CopyProgress::Copied("jobs", _));

        let overtaken = copied_while(&source, &target, is_under_way, move || async move {
            baton_sql::copy(&there, &here, &|_| {}).await.unwrap();
        });

        let said = overtaken.await.unwrap_err().to_string();
        assert!(said.contains("finished by another run"), "{said}");
        let served = databases::open(&target.url()).await;
        let (all, page) = (JobFilter::default(), Default::default());
        assert!(!served.jobs(&all, &page).await.unwrap().items.is_empty());
    }
}

/// Copies, and has something else done at the first word of a kind.
async fn copied_while<F: Future<Output = ()> + Send + 'static>(
    from: &Place,
    to: &Place,
    is_time: impl Fn(&CopyProgress) -> bool + Send + Sync,
    meanwhile: impl FnOnce() -> F + Send + 'static,
) -> Result<Copied, OpenError> {
    let meanwhile = Mutex::new(Some(meanwhile));
    let runtime = tokio::runtime::Handle::current();
    let tell = |progress: CopyProgress| {
        if !is_time(&progress) {
            return;
        }
        if let Some(meanwhile) = meanwhile.lock().unwrap().take() {
            let runtime = runtime.clone();
            let done = thread::spawn(move || runtime.block_on(meanwhile()));
            done.join().unwrap();
        }
    };
    baton_sql::copy(&from.url(), &to.url(), &tell).await
}

#[tokio::test]
async fn a_source_that_is_not_there_is_neither_copied_nor_made() {
    for to in ALL {
        let (nowhere, target) = (empty_folder(), Place::new(to));

        let copied = baton_sql::copy(&nowhere.url(), &target.url(), &|_| {}).await;
        let reopened = baton_sql::reopen(&nowhere.url(), false).await;

        for refused in [copied.map(drop), reopened] {
            let said = refused.unwrap_err().to_string();
            assert!(said.contains("there is no installation at"), "{said}");
        }
        assert!(!nowhere.file().exists());
        assert_eq!(
            baton_sql::schema(&target.url()).await.unwrap().generation,
            0
        );
    }
}

#[tokio::test]
async fn a_database_of_another_program_is_left_as_it_is() {
    let source = filled("sqlite", 10).await;
    let postgres = Postgres::shared().database();
    let mysql = Mysql::shared(Brand::Mariadb).database();
    let client = databases::connect(&postgres.url()).await;
    client
        .batch_execute("CREATE TABLE theirs (id integer)")
        .await
        .unwrap();
    let name = mysql.rsplit('/').next().unwrap();
    Mysql::shared(Brand::Mariadb).execute(&format!("CREATE TABLE {name}.theirs (id integer)"));

    for target in [postgres.url(), mysql] {
        let said = baton_sql::copy(&source.url(), &target, &|_| {}).await;

        let said = said.unwrap_err().to_string();
        assert!(
            said.contains("another program's: it has a table theirs"),
            "{said}"
        );
        assert_eq!(baton_sql::schema(&target).await.unwrap().generation, 0);
        databases::open(&source.url()).await.close().await;
    }
}

#[tokio::test]
async fn another_database_at_the_same_address_is_not_taken_for_the_target() {
    let (source, target) = (filled("postgres", 10).await, empty_folder());
    let target = Place::Sqlite(target);
    copied_for(2, &source, &target).await;
    let Place::Sqlite(folder) = &target else {
        unreachable!()
    };
    let moved = folder.file().with_extension("moved");
    fs::rename(folder.file(), &moved).unwrap();

    let astray = copied(&source, &target).await.unwrap_err().to_string();
    fs::rename(&moved, folder.file()).unwrap();

    assert!(astray.contains("goes by the same address"), "{astray}");
    copied(&source, &target).await.unwrap();
}
