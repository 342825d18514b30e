//! A database file that is taken away under its server, or was never ours.

use std::{fs, time::Duration};

use baton_ports::store::{Atomicity, Error, Jobs, Queues, Upkeep};
use baton_sql::OpenError;
use baton_testkit::eventually;

use crate::{
    databases,
    hands::{DAWN, jobs},
};

const TIMEOUT: Duration = Duration::from_secs(20);

#[tokio::test]
async fn nothing_is_written_or_read_while_the_file_is_away_and_all_goes_on_when_it_is_back() {
    let folder = databases::empty_folder();
    let store = databases::open(&folder.url()).await;
    let elsewhere = folder.file().with_extension("elsewhere");

    fs::rename(folder.file(), &elsewhere).unwrap();
    let written = store.enqueue(jobs(1, DAWN), Atomicity::All).await;
    let read = store.queues(DAWN).await;
    fs::write(folder.file(), "another file").unwrap();
    let beside = store.enqueue(jobs(1, DAWN), Atomicity::All).await;
    fs::rename(&elsewhere, folder.file()).unwrap();
    let back = store.enqueue(jobs(1, DAWN), Atomicity::All).await;

    for refused in [written.err(), read.err(), beside.err()] {
        let Some(Error::Unavailable(why)) = refused else {
            panic!("{refused:?}")
        };
        assert!(why.contains("was moved, removed or replaced"), "{why}");
    }
    assert_eq!(back.unwrap().len(), 1);
}

#[tokio::test]
async fn a_store_that_nothing_can_be_written_to_is_not_well() {
    let folder = databases::empty_folder();
    let store = databases::open(&folder.url()).await;
    let shell = folder.connect();
    shell.execute_batch("BEGIN IMMEDIATE").unwrap();
    let written = store.enqueue(jobs(1, DAWN), Atomicity::All);
    let told = async || store.time().await.is_err();

    let (written, ()) = tokio::join!(written, eventually("it is told", TIMEOUT, told));
    shell.execute_batch("ROLLBACK").unwrap();
    let after = store.enqueue(jobs(1, DAWN), Atomicity::All).await;

    assert!(matches!(written, Err(Error::Unavailable(_))), "{written:?}");
    assert_eq!(after.unwrap().len(), 1);
    assert!(store.time().await.is_ok());
}

#[tokio::test]
async fn a_file_of_another_program_is_refused_and_left_as_it_is() {
    let folder = databases::empty_folder();
    let table = "CREATE TABLE jobs (id integer); INSERT INTO jobs VALUES (7)";
    folder.connect().execute_batch(table).unwrap();

    let opened = baton_sql::open(&folder.url(), &databases::tolerant()).await;
    let migrated = baton_sql::migrate(&folder.url()).await;
    let looked_at = baton_sql::schema(&folder.url()).await;

    for refused in [opened.err(), migrated.err(), looked_at.err()] {
        assert!(
            matches!(&refused, Some(OpenError::NotOurs { .. })),
            "{refused:?}"
        );
    }
    let tables = "SELECT count(*) FROM sqlite_master";
    let tables: i64 = folder
        .connect()
        .query_row(tables, [], |row| row.get(0))
        .unwrap();
    assert_eq!(tables, 1);
}

#[tokio::test]
async fn a_file_that_is_no_database_is_refused_and_left_as_it_is() {
    let folder = databases::empty_folder();
    let noise = "no database at all ".repeat(1_000);
    fs::write(folder.file(), &noise).unwrap();

    let opened = baton_sql::open(&folder.url(), &databases::tolerant()).await;

    let refused = opened.err();
    assert!(
        matches!(&refused, Some(OpenError::NotOurs { .. })),
        "{refused:?}"
    );
    assert_eq!(fs::read_to_string(folder.file()).unwrap(), noise);
}

#[tokio::test]
async fn what_stands_behind_the_name_of_a_file_is_no_part_of_it() {
    for url in ["sqlite://baton.db?mode=rwc", "sqlite://:memory:"] {
        let refused = baton_sql::migrate(url).await.err();

        assert!(
            matches!(&refused, Some(OpenError::BadUrl { .. })),
            "{url}: {refused:?}"
        );
    }
}
