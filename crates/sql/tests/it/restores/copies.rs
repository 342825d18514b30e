//! Copies that were made by other programs than this one, older and newer.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use baton_ports::store::{Atomicity, Jobs};
use baton_sql::{
    OpenError, RestoreOptions,
    inside::{POSTGRES, apply_to_postgres},
};
use baton_testkit::{Database, Postgres};

use super::epoch;
use crate::{
    databases::{self, connect, open},
    hands::{DAWN, jobs},
};

#[tokio::test]
async fn a_copy_of_an_older_program_is_brought_up_to_date_as_it_is_put_back() {
    let postgres = Postgres::shared();
    let (from, to) = (postgres.database(), postgres.database());
    let mut client = connect(&from.url()).await;
    apply_to_postgres(&mut client, &POSTGRES[..1])
        .await
        .unwrap();
    let (_folder, file) = dumped(&from);

    let restored = put_back(&file, &to).await.unwrap();

    let store = open(&to.url()).await;
    store.enqueue(jobs(2, DAWN), Atomicity::All).await.unwrap();
    assert_eq!((restored.contents.jobs, restored.before), (0, None));
    assert_eq!(epoch(&store).await, restored.epoch);
}

#[tokio::test]
async fn a_copy_of_a_newer_program_is_refused_before_anything_is_done() {
    let (_store, from) = databases::postgres().await;
    let to = Postgres::shared().database();
    let client = connect(&from.url()).await;
    let newer = "INSERT INTO schema_migrations (name, digest, oldest_program) VALUES ('9000_later', 'x', 9000)";
    client.batch_execute(newer).await.unwrap();
    let (_folder, file) = dumped(&from);

    let refused = put_back(&file, &to).await;

    assert!(
        matches!(&refused, Err(OpenError::NewerSchema { step, .. }) if step == "9000_later"),
        "{refused:?}"
    );
    let client = connect(&to.url()).await;
    let tables = "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'";
    assert_eq!(databases::number(&client, tables).await, 0);
}

async fn put_back(file: &Path, to: &Database) -> Result<baton_sql::Restored, OpenError> {
    baton_sql::restore(file, &to.url(), RestoreOptions::default(), DAWN).await
}

/// A copy as an operator makes it by hand.
fn dumped(from: &Database) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("copy.dump");
    let dump = Postgres::shared().bin_dir().join("pg_dump");
    let dumped = Command::new(dump)
        .args(["--format=custom", "--dbname", &from.url(), "--file"])
        .arg(&file)
        .output()
        .unwrap();
    assert!(dumped.status.success(), "{dumped:?}");
    (folder, file)
}
