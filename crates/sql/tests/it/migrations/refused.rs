//! Refused: a schema that this program's steps do not lead to.

use baton_sql::{
    OpenError, OpenOptions, SqlStore,
    inside::{POSTGRES, SQLITE},
};
use baton_testkit::{Database, Postgres};

use super::{all, apply_first_to_postgres, apply_first_to_sqlite};
use crate::databases;

const CHANGE: &str = "UPDATE schema_migrations SET digest = '00' WHERE name = '0001_schema'";
/// The ledger as it was before the first release.
const UNRELEASED: &str =
    "CREATE TABLE schema_migrations (name text PRIMARY KEY, digest text NOT NULL);
INSERT INTO schema_migrations (name, digest) VALUES ('0001_jobs', '00');";
const FROM_THE_FUTURE: &str = "INSERT INTO schema_migrations (name, digest, oldest_program) VALUES ('0999_time_travel', '00', 999)";

#[tokio::test]
async fn a_step_of_postgresql_whose_text_changed_is_refused() {
    let database = migrated_and(CHANGE).await;

    let refusals = refusals(&database.url()).await;

    for refusal in refusals {
        assert!(
            matches!(&refusal, OpenError::ChangedSchema { step } if step == "0001_schema"),
            "{refusal}"
        );
    }
}

#[tokio::test]
async fn a_step_of_sqlite_whose_text_changed_is_refused() {
    let folder = databases::empty_folder();
    baton_sql::migrate(&folder.url()).await.unwrap();
    folder.connect().execute_batch(CHANGE).unwrap();

    let refusals = refusals(&folder.url()).await;

    for refusal in refusals {
        assert!(
            matches!(&refusal, OpenError::ChangedSchema { step } if step == "0001_schema"),
            "{refusal}"
        );
    }
}

#[tokio::test]
async fn a_postgresql_with_an_unknown_step_is_refused_as_newer() {
    let database = migrated_and(FROM_THE_FUTURE).await;

    let refusals = refusals(&database.url()).await;

    for refusal in refusals {
        assert!(
            matches!(&refusal, OpenError::NewerSchema { step, oldest: 999, .. } if step == "0999_time_travel"),
            "{refusal}"
        );
    }
}

#[tokio::test]
async fn an_sqlite_with_an_unknown_step_is_refused_as_newer() {
    let folder = databases::empty_folder();
    baton_sql::migrate(&folder.url()).await.unwrap();
    folder.connect().execute_batch(FROM_THE_FUTURE).unwrap();

    let refusals = refusals(&folder.url()).await;

    for refusal in refusals {
        assert!(
            matches!(&refusal, OpenError::NewerSchema { step, oldest: 999, .. } if step == "0999_time_travel"),
            "{refusal}"
        );
    }
}

#[tokio::test]
async fn a_postgresql_from_before_the_first_release_is_refused_and_left_as_it_is() {
    let database = Postgres::shared().database();
    let client = databases::connect(&database.url()).await;
    client.batch_execute(UNRELEASED).await.unwrap();

    let refusals = refusals(&database.url()).await;

    for refusal in refusals {
        assert!(matches!(&refusal, OpenError::UnreleasedSchema), "{refusal}");
    }
    let tables = "SELECT count(*) FROM pg_tables WHERE schemaname = current_schema()";
    assert_eq!(databases::number(&client, tables).await, 1);
}

#[tokio::test]
async fn an_sqlite_from_before_the_first_release_is_refused_and_left_as_it_is() {
    let folder = databases::empty_folder();
    folder.connect().execute_batch(UNRELEASED).unwrap();

    let refusals = refusals(&folder.url()).await;

    for refusal in refusals {
        assert!(matches!(&refusal, OpenError::UnreleasedSchema), "{refusal}");
    }
    let tables = "SELECT count(*) FROM sqlite_master WHERE type = 'table'";
    let tables: i64 = folder
        .connect()
        .query_row(tables, [], |row| row.get(0))
        .unwrap();
    assert_eq!(tables, 1);
}

#[tokio::test]
async fn an_old_postgresql_is_not_opened_and_the_missing_steps_are_named() {
    let database = Postgres::shared().database();
    let mut client = databases::connect(&database.url()).await;
    apply_first_to_postgres(&mut client, 1).await;

    let refusal = open(&database.url()).await.err().unwrap();

    let said = refusal.to_string();
    let OpenError::OldSchema { pending } = refusal else {
        panic!("{said}")
    };
    assert_eq!(pending, all(&POSTGRES[1..]));
    assert_eq!(baton_sql::pending(&database.url()).await.unwrap(), pending);
    assert!(pending.iter().all(|step| said.contains(step)), "{said}");
}

#[tokio::test]
async fn an_old_sqlite_is_migrated_when_it_is_opened() {
    let folder = databases::empty_folder();
    apply_first_to_sqlite(&mut folder.connect(), 1);

    let opened = open(&folder.url()).await;

    assert!(opened.is_ok(), "{:?}", opened.err());
    assert!(baton_sql::pending(&folder.url()).await.unwrap().is_empty());
    assert_eq!(rows_of_the_ledger(&folder.connect()), SQLITE.len());
}

async fn migrated_and(sql: &str) -> Database {
    let database = Postgres::shared().database();
    baton_sql::migrate(&database.url()).await.unwrap();
    let client = databases::connect(&database.url()).await;
    client.batch_execute(sql).await.unwrap();
    database
}

/// What each way to the database says of it.
async fn refusals(url: &str) -> [OpenError; 3] {
    [
        open(url).await.err().expect("open refuses"),
        baton_sql::migrate(url).await.expect_err("migrate refuses"),
        baton_sql::pending(url).await.expect_err("pending refuses"),
    ]
}

async fn open(url: &str) -> Result<SqlStore, OpenError> {
    let options = OpenOptions {
        allow_unsafe: true,
        ..OpenOptions::default()
    };
    baton_sql::open(url, &options).await
}

fn rows_of_the_ledger(connection: &rusqlite::Connection) -> usize {
    let mut names = connection
        .prepare("SELECT name FROM schema_migrations")
        .unwrap();
    names.query_map([], |_| Ok(())).unwrap().count()
}
