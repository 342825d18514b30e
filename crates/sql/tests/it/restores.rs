//! A database that is another copy than it was: its readers are told, once, and nothing else begins anew.

mod copies;
mod holding;
mod losses;

use std::{fs, path::Path, process::Command, time::Duration};

use baton_domain::WorkerId;
use baton_ports::store::{Access, Atomicity, Events, Fleet, Hinting, Jobs};
use baton_sql::SqlStore;
use baton_testkit::{Brand, Database, Postgres, eventually};

use crate::{
    databases::{self, connect, open},
    hands::{DAWN, LEASE, jobs},
    unreadable::access::{session, user},
};

#[tokio::test]
async fn a_dump_that_is_restored_begins_another_history_once_among_many_nodes() {
    let postgres = Postgres::shared();
    let (store, database) = databases::postgres().await;
    let before = written(&store).await;
    let (copy, second) = (postgres.database(), postgres.database());
    copied(postgres, &database, &copy);
    copied(postgres, &database, &second);

    let url = copy.url();
    let nodes = futures::future::join_all((0..6).map(|_| open(&url))).await;
    let epochs = futures::future::join_all(nodes.iter().map(epoch)).await;
    let again = epoch(&open(&second.url()).await).await;

    assert!(epochs[0] > before);
    assert!(epochs.iter().all(|one| *one == epochs[0]), "{epochs:?}");
    assert_ne!(again, epochs[0], "the same copy, put back twice");
    assert_eq!(epoch(&store).await, before, "the first one is what it was");
    let (old, new) = (store.generation().await, nodes[0].generation().await);
    assert_eq!(new.unwrap().number, old.unwrap().number + 1, "of hints");
}

#[tokio::test]
async fn a_new_timeline_is_noticed_by_a_node_that_stayed_and_a_crash_is_none() {
    let mut postgres = Postgres::start_with(&["restore_command=false"]);
    let url = postgres.url();
    baton_sql::migrate(&url).await.unwrap();
    let store = open(&url).await;
    let before = written(&store).await;
    let sql = "SHOW data_directory";
    let data: String = connect(&url)
        .await
        .query_one(sql, &[])
        .await
        .unwrap()
        .get(0);

    postgres.kill();
    postgres.restart();
    let after_a_crash = epoch_once_up(&store).await;
    postgres.stop();
    fs::write(Path::new(&data).join("recovery.signal"), "").unwrap();
    postgres.restart();
    let client = connect(&url).await;
    eventually("the recovery has ended", TIMEOUT, async || {
        let sql = "SELECT NOT pg_is_in_recovery()";
        client.query_one(sql, &[]).await.unwrap().get(0)
    })
    .await;
    let after_a_recovery = epoch_once_up(&store).await;

    assert_eq!(after_a_crash, before);
    assert!(after_a_recovery > before);
    assert_eq!(epoch(&open(&url).await).await, after_a_recovery);
}

#[tokio::test]
async fn an_ordinary_user_recognises_a_copy_and_one_who_may_not_ask_goes_on() {
    let postgres = Postgres::start();
    let admin = connect(&postgres.url()).await;
    for make in [
        "CREATE ROLE plain LOGIN",
        "CREATE DATABASE mine OWNER plain",
    ] {
        admin.batch_execute(make).await.unwrap();
    }
    let url = postgres.url().replacen("postgres@", "plain@", 1);
    let url = format!("{}/mine", url.rsplit_once('/').unwrap().0);
    baton_sql::migrate(&url).await.unwrap();
    let store = open(&url).await;
    let mine = connect(&url.replacen("plain@", "postgres@", 1)).await;
    let sql = "SELECT incarnation IS NOT NULL FROM stream";

    let is_known: bool = mine.query_one(sql, &[]).await.unwrap().get(0);
    mine.batch_execute(
        "UPDATE stream SET incarnation = 'another';
         REVOKE EXECUTE ON FUNCTION pg_control_system() FROM PUBLIC",
    )
    .await
    .unwrap();

    assert!(is_known);
    assert_eq!(epoch(&store).await, 1, "it cannot know, and goes on");
    mine.batch_execute("GRANT EXECUTE ON FUNCTION pg_control_system() TO PUBLIC")
        .await
        .unwrap();
    assert!(epoch(&store).await > 1);
}

const TIMEOUT: Duration = Duration::from_mins(1);

#[tokio::test]
async fn a_database_that_is_said_to_be_put_back_begins_another_history_each_time() {
    let sqlite = databases::sqlite().await;
    let (postgres, _database) = databases::postgres().await;

    for store in [&sqlite.store, &postgres] {
        let before = written(store).await;
        let node = WorkerId::new(DAWN);
        store.lead(node, LEASE, DAWN).await.unwrap();

        let first = store.begin_anew_after_restore().await.unwrap();
        let second = store.begin_anew_after_restore().await.unwrap();

        assert!(
            before < first && first < second,
            "{before} {first} {second}"
        );
        assert_eq!(epoch(store).await, second);
        assert_eq!(store.leader(DAWN).await.unwrap(), None);
        assert_eq!(store.generation().await.unwrap().number, 2);
    }
}

#[tokio::test]
async fn a_copy_lets_nobody_in_who_had_signed_in_when_it_was_made() {
    let sqlite = databases::sqlite().await;
    let (postgres, _database) = databases::postgres().await;
    let (mysql, _url) = databases::mysql(Brand::Mariadb).await;

    for store in [&sqlite.store, &postgres, &mysql] {
        let ann = user("ann", DAWN);
        let session = session(&ann, DAWN);
        store.add_user(&ann).await.unwrap();
        store.begin_session(&session, None).await.unwrap();
        assert!(
            store
                .session(&session.digest, DAWN)
                .await
                .unwrap()
                .is_some()
        );

        store.begin_anew_after_restore().await.unwrap();

        assert!(
            store
                .session(&session.digest, DAWN)
                .await
                .unwrap()
                .is_none()
        );
        assert!(
            store.user(ann.id).await.unwrap().is_some(),
            "whoever was there stays"
        );
    }
}

/// Writes some events, and says of which history they are.
async fn written(store: &SqlStore) -> i64 {
    store.enqueue(jobs(3, DAWN), Atomicity::All).await.unwrap();
    store.sequence(100, DAWN).await.unwrap();
    epoch(store).await
}

async fn epoch(store: &SqlStore) -> i64 {
    store.bounds().await.unwrap().epoch
}

/// Asks over connections that may have broken.
async fn epoch_once_up(store: &SqlStore) -> i64 {
    for _ in 0..50 {
        if let Ok(bounds) = store.bounds().await {
            return bounds.epoch;
        }
    }
    epoch(store).await
}

/// Copies a database as an operator does by hand.
fn copied(postgres: &Postgres, from: &Database, to: &Database) {
    let bin = postgres.bin_dir().display();
    let script = format!("set -e; {bin}/pg_dump \"$0\" | {bin}/psql -q -v ON_ERROR_STOP=1 \"$1\"");
    let copied = Command::new("bash")
        .args(["-o", "pipefail", "-c", &script, &from.url(), &to.url()])
        .output()
        .unwrap();
    assert!(copied.status.success(), "{copied:?}");
}
