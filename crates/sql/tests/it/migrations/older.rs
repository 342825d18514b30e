//! Older programs on newer schemas: above the line of each step they go on, below it they say what to do.

use baton_sql::{GENERATION, OpenError, OpenOptions};

use crate::databases;

/// What a newer program writes down of a step that this one may run on, and what of one that it may not.
const WIDER: &str =
    "INSERT INTO schema_migrations (name, digest, oldest_program) VALUES ('0998_wider', '00', 1)";
const NARROWER: &str = "INSERT INTO schema_migrations (name, digest, oldest_program) VALUES ('0999_narrower', '00', 998)";

#[tokio::test]
async fn a_program_above_the_line_opens_and_migrates_a_newer_postgresql() {
    let (_store, database) = databases::postgres().await;
    let client = databases::connect(&database.url()).await;
    client.batch_execute(WIDER).await.unwrap();

    let migrated = baton_sql::migrate(&database.url()).await.unwrap();
    databases::open(&database.url()).await;
    let schema = baton_sql::schema(&database.url()).await.unwrap();

    assert_eq!(migrated, [""; 0]);
    assert_eq!((schema.generation, schema.program), (998, GENERATION));
    assert_eq!(schema.newer, ["0998_wider"]);
    assert!(schema.is_fit());
}

#[tokio::test]
async fn a_program_above_the_line_opens_a_newer_sqlite() {
    let folder = databases::empty_folder();
    baton_sql::migrate(&folder.url()).await.unwrap();
    folder.connect().execute_batch(WIDER).unwrap();

    databases::open(&folder.url()).await;
    let schema = baton_sql::schema(&folder.url()).await.unwrap();

    assert_eq!(schema.generation, 998);
    assert!(schema.is_fit());
}

#[tokio::test]
async fn a_program_below_the_line_is_told_what_to_do() {
    let folder = databases::empty_folder();
    baton_sql::migrate(&folder.url()).await.unwrap();
    folder.connect().execute_batch(NARROWER).unwrap();

    let refusal = baton_sql::open(&folder.url(), &OpenOptions::default()).await;

    let refusal = refusal.err().unwrap();
    let said = refusal.to_string();
    assert!(
        matches!(&refusal, OpenError::NewerSchema { step, oldest: 998, .. } if step == "0999_narrower"),
        "{said}"
    );
    for word in [
        "998 or newer",
        "Start the Baton that applied",
        "restore the backup",
    ] {
        assert!(said.contains(word), "{said}");
    }
}

#[tokio::test]
async fn a_running_server_hears_of_a_step_that_it_may_not_run_on() {
    use baton_ports::store::Upkeep;
    let (store, database) = databases::postgres().await;
    let client = databases::connect(&database.url()).await;
    let before = store.schema().await.unwrap().unwrap();

    client.batch_execute(NARROWER).await.unwrap();

    let after = store.schema().await.unwrap().unwrap();
    assert!(before.is_fit(), "{before:?}");
    assert!(!after.is_fit(), "{after:?}");
    assert_eq!(after.oldest, 998);
}

#[tokio::test]
async fn views_that_a_newer_program_made_are_not_made_as_they_were() {
    let (_store, database) = databases::postgres().await;
    let client = databases::connect(&database.url()).await;
    client.batch_execute(NEWER_VIEWS).await.unwrap();

    let migrated = baton_sql::migrate(&database.url()).await.unwrap();
    let schema = baton_sql::schema(&database.url()).await.unwrap();

    assert_eq!(migrated, [""; 0]);
    assert_eq!(schema.newer, ["0998_views"]);
    assert!(schema.is_fit());
}

#[tokio::test]
async fn views_that_an_older_program_made_are_made_anew() {
    let (_store, database) = databases::postgres().await;
    let client = databases::connect(&database.url()).await;
    let before = baton_sql::schema(&database.url()).await.unwrap();
    client.batch_execute(OLDER_VIEWS).await.unwrap();

    let migrated = baton_sql::migrate(&database.url()).await.unwrap();
    let schema = baton_sql::schema(&database.url()).await.unwrap();

    assert_eq!(migrated, ["0002_views"]);
    assert_eq!(schema.newer, [""; 0]);
    assert_eq!(schema.generation, before.generation);
}

/// What the ledger says where another program has made the views.
const NEWER_VIEWS: &str =
    "UPDATE schema_migrations SET name = '0998_views', digest = '00' WHERE name LIKE '%\\_views'";
const OLDER_VIEWS: &str =
    "UPDATE schema_migrations SET name = '0001_views', digest = '00' WHERE name LIKE '%\\_views'";
