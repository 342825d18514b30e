//! Forward: from nothing, again, from each earlier step, and by many at once.

use baton_domain::job::State;
use baton_ports::store::Jobs;
use baton_sql::inside::{POSTGRES, SQLITE};
use baton_testkit::Postgres;
use futures::future::join_all;

use super::{JOB, all, apply_first_to_postgres, apply_first_to_sqlite};
use crate::{databases, schema};

const ID: &str = "job_018bcfe6-0440-776b-a11e-d957ff8d05f7";

#[tokio::test]
async fn an_empty_postgresql_gets_every_step_once() {
    let database = Postgres::shared().database();

    let first = baton_sql::migrate(&database.url()).await.unwrap();
    let second = baton_sql::migrate(&database.url()).await.unwrap();

    assert_eq!(first, all(POSTGRES));
    assert!(second.is_empty(), "{second:?}");
    assert!(
        baton_sql::pending(&database.url())
            .await
            .unwrap()
            .is_empty()
    );
}

#[tokio::test]
async fn an_empty_sqlite_gets_every_step_once() {
    let folder = databases::empty_folder();
    let before = baton_sql::pending(&folder.url()).await.unwrap();

    let first = baton_sql::migrate(&folder.url()).await.unwrap();
    let second = baton_sql::migrate(&folder.url()).await.unwrap();

    assert_eq!(before, all(SQLITE));
    assert_eq!(first, all(SQLITE));
    assert!(second.is_empty(), "{second:?}");
    assert!(baton_sql::pending(&folder.url()).await.unwrap().is_empty());
}

#[tokio::test]
async fn every_earlier_step_of_postgresql_leads_to_the_same_schema_and_keeps_its_jobs() {
    for count in 0..POSTGRES.len() {
        let database = Postgres::shared().database();
        let mut client = databases::connect(&database.url()).await;
        apply_first_to_postgres(&mut client, count).await;
        if count > 0 {
            client.batch_execute(JOB).await.unwrap();
        }

        let applied = baton_sql::migrate(&database.url()).await.unwrap();

        assert_eq!(applied, all(&POSTGRES[count..]));
        schema::assert_committed("postgres", &schema::of_postgres(&database.url()));
        let store = databases::open(&database.url()).await;
        assert_eq!(state(&store).await, (count > 0).then_some(State::Queued));
    }
}

#[tokio::test]
async fn every_earlier_step_of_sqlite_leads_to_the_same_schema_and_keeps_its_jobs() {
    for count in 0..SQLITE.len() {
        let folder = databases::empty_folder();
        let mut connection = folder.connect();
        apply_first_to_sqlite(&mut connection, count);
        if count > 0 {
            connection.execute_batch(JOB).unwrap();
        }

        let applied = baton_sql::migrate(&folder.url()).await.unwrap();

        assert_eq!(applied, all(&SQLITE[count..]));
        schema::assert_committed("sqlite", &schema::of_sqlite(&connection));
        let store = databases::open(&folder.url()).await;
        assert_eq!(state(&store).await, (count > 0).then_some(State::Queued));
    }
}

#[tokio::test]
async fn of_eight_that_migrate_at_once_one_works_and_all_succeed() {
    let database = Postgres::shared().database();
    let url = database.url();

    let applied = join_all((0..8).map(|_| baton_sql::migrate(&url))).await;

    let applied: Vec<_> = applied.into_iter().map(Result::unwrap).collect();
    let worked: Vec<_> = applied.iter().filter(|steps| !steps.is_empty()).collect();
    assert_eq!(worked, [&all(POSTGRES)]);
}

async fn state(store: &impl Jobs) -> Option<State> {
    let job = store.job(ID.parse().unwrap()).await.unwrap();
    job.map(|job| job.state)
}
