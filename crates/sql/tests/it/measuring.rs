//! What a measurement is given: a database of its own, and a history like the real one.

use std::time::Duration;

use baton_domain::{Timestamp, job::State, page::PageRequest};
use baton_ports::{
    Store,
    store::{EventFilter, Events, JobFilter},
};
use baton_sql::{
    OpenError, SqlStore,
    bench::{History, Scratch, Tools},
};
use baton_testkit::Postgres;

use crate::databases;

const NOON: Timestamp = Timestamp::from_micros(1_700_000_040_000_000);

#[tokio::test]
async fn a_written_history_looks_like_finished_work_on_postgresql() {
    let (store, _database) = databases::postgres().await;

    write_history(&store).await;

    looks_like_finished_work(&store).await;
}

#[tokio::test]
async fn a_written_history_looks_like_finished_work_on_sqlite() {
    let sqlite = databases::sqlite().await;

    write_history(&sqlite.store).await;

    looks_like_finished_work(&sqlite.store).await;
}

#[tokio::test]
async fn a_search_of_events_takes_no_more_rows_apart_than_it_has_to_on_postgresql() {
    let (store, _database) = databases::postgres().await;
    write_history(&store).await;

    let searched = search_events(&store).await;

    assert_eq!(searched, (0, 20_000));
}

#[tokio::test]
async fn a_search_of_events_takes_no_more_rows_apart_than_it_has_to_on_sqlite() {
    let sqlite = databases::sqlite().await;
    write_history(&sqlite.store).await;

    let searched = search_events(&sqlite.store).await;

    assert_eq!(searched, (0, 20_000));
}

/// How many events of a type that there is none of are found, and how far it was looked for them. The 36,000 facts
/// lie in 36 rows.
async fn search_events(store: &SqlStore) -> (usize, i64) {
    let filter = EventFilter {
        types: vec!["job.failed".to_owned()],
        ..EventFilter::default()
    };
    let (found, looked) = store.events(0, 50, &filter).await.unwrap();
    (found.len(), looked)
}

async fn write_history(store: &SqlStore) {
    let history = History {
        jobs: 12_000,
        until: NOON,
        queue: "old".to_owned(),
        kind: "noop".to_owned(),
        payload: "{}".to_owned(),
    };
    let tools = Tools::of(store);
    tools.write_history(&history, |_| {}).await.unwrap();
    tools.vacuum().await.unwrap();
    tools.checkpoint().await.unwrap();
}

async fn looks_like_finished_work(store: &impl Store) {
    let filter = JobFilter {
        state: Some(State::Succeeded),
        ..JobFilter::default()
    };
    let page = PageRequest {
        limit: 10,
        after: None,
    };

    let newest = store.jobs(&filter, &page).await.unwrap().items;
    let attempts = store.attempts(newest[0].id).await.unwrap();
    let facts = store.job_events(newest[0].id).await.unwrap();
    let queues = store.queues(NOON).await.unwrap();
    let drifts = store.reconcile(NOON).await.unwrap();

    assert_eq!(newest.len(), 10);
    assert!(newest[0].finished_at.unwrap() <= NOON);
    assert!(newest[0].finished_at.unwrap() > NOON - Duration::from_secs(1));
    assert_eq!(attempts.len(), 1);
    let told: Vec<_> = facts.iter().map(|fact| &*fact.kind).collect();
    assert_eq!(told, ["job.queued", "job.running", "job.succeeded"]);
    assert_eq!(queues[0].succeeded, 12_000);
    assert_eq!(drifts, []);
}

#[tokio::test]
async fn a_scratch_database_is_made_beside_the_others_and_dropped_under_its_users() {
    let server = Postgres::shared().url();
    let scratch = Scratch::choose(&server).unwrap();

    scratch.make().await.unwrap();
    let store = databases::open(scratch.url()).await;
    let snapshot = Tools::of(&store).snapshot().await.unwrap();
    scratch.drop_it().await.unwrap();
    scratch.drop_it().await.unwrap();

    let gone = baton_sql::pending(scratch.url()).await;
    assert!(
        matches!(gone, Err(OpenError::Unreachable { .. })),
        "{gone:?}"
    );
    drop(snapshot);
}

#[tokio::test]
async fn a_user_who_may_not_create_databases_is_told_which_right_is_missing() {
    let server = Postgres::start();
    let client = databases::connect(&server.url()).await;
    client
        .batch_execute("CREATE ROLE poor LOGIN")
        .await
        .unwrap();
    let url = as_user(&server.url(), "poor");

    let refused = Scratch::choose(&url).unwrap().make().await.unwrap_err();

    assert!(
        refused.to_string().contains("ALTER ROLE poor CREATEDB"),
        "{refused}"
    );
}

#[tokio::test]
async fn a_scratch_file_is_made_beside_a_name_that_is_free_and_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let asked = folder.path().join("bench.db");
    let url = format!("sqlite://{}", asked.display());
    let scratch = Scratch::choose(&url).unwrap();

    scratch.make().await.unwrap();
    let store = databases::open(scratch.url()).await;
    let commits = Tools::of(&store).commits("{}").await.unwrap();
    let took = commits.one().await.unwrap();
    drop((store, commits));
    scratch.drop_it().await.unwrap();

    assert!(took > Duration::ZERO);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    std::fs::write(&asked, "").unwrap();
    let refused = Scratch::choose(&url).unwrap().make().await;
    assert!(
        matches!(refused, Err(OpenError::Exists { .. })),
        "{refused:?}"
    );
}

fn as_user(url: &str, user: &str) -> String {
    let (scheme, rest) = url.split_once("://").unwrap();
    let host = rest.split_once('@').map_or(rest, |(_, host)| host);
    format!("{scheme}://{user}@{host}")
}
