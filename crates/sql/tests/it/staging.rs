//! Jobs that programs beside the server ask for, in transactions of their own.

use std::{sync::Arc, time::Duration};

use baton_domain::{JobId, job::NewJob};
use baton_ports::{
    Wakeup, Wakeups,
    store::{Atomicity, Enqueued, Events, Jobs, Staging, Upkeep},
};
use baton_sql::{SqlStore, inside::Kernel};
use baton_testkit::{Brand, Database, eventually};
use mysql_async::prelude::Queryable;
use tokio::time::timeout;
use tokio_postgres::{Client, error::SqlState};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::{
    brands::on_each_brand,
    databases,
    hands::{DAWN, job, spec},
};

on_each_brand!(what_is_staged_in_mysql_becomes_a_job_once,);

const ID: &str = "018bcfe6-0440-776b-a11e-d957ff8d05f7";
const OTHER: &str = "018bcfe6-0440-776b-a11e-d957ff8d05f8";

const TIMEOUT: Duration = Duration::from_secs(30);

/// Stages two jobs, the second one first.
fn staging() -> String {
    format!(
        r#"INSERT INTO staged_jobs (id, job, at) VALUES ('{OTHER}', '{{"kind":"mail"}}', 6), ('{ID}', '{{"kind":"mail"}}', 5)"#
    )
}

#[tokio::test]
async fn what_is_staged_in_postgresql_becomes_a_job_once() {
    let (store, database) = databases::postgres().await;
    let client = databases::connect(&database.url()).await;
    client.batch_execute(&staging()).await.unwrap();

    becomes_a_job_once(&store).await;
}

#[tokio::test]
async fn what_is_staged_in_sqlite_becomes_a_job_once() {
    let sqlite = databases::sqlite().await;
    sqlite.connect().execute_batch(&staging()).unwrap();

    becomes_a_job_once(&sqlite.store).await;
}

async fn what_is_staged_in_mysql_becomes_a_job_once(brand: Brand) {
    let (store, _) = databases::mysql(brand).await;
    let Kernel::Mysql(mysql) = store.kernel() else {
        unreachable!()
    };
    let mut session = mysql.session().await.unwrap();
    session.query_drop(staging()).await.unwrap();

    becomes_a_job_once(&store).await;
}

async fn becomes_a_job_once(store: &SqlStore) {
    let ids: Vec<_> = store.staged(10).await.unwrap();
    let ids: Vec<_> = ids.iter().map(|one| one.id).collect();
    assert!(store.outstanding(DAWN).await.unwrap().staged);
    let both = || vec![staged(ID, None), staged(OTHER, None)];

    // As two servers do that looked at the same moment.
    let (one, two) = tokio::join!(
        store.enqueue_staged(both(), DAWN),
        store.enqueue_staged(both(), DAWN)
    );

    assert_eq!(ids, [id(ID), id(OTHER)]);
    for enqueued in [one, two] {
        let expected = [ID, OTHER].map(|text| Enqueued::Created(id(text)));
        assert_eq!(enqueued.unwrap(), expected);
    }
    assert_eq!(store.staged(10).await.unwrap(), []);
    assert!(!store.outstanding(DAWN).await.unwrap().staged);
    assert!(store.job(id(ID)).await.unwrap().is_some());
    let facts = Events::sequence(store, 100, DAWN).await.unwrap();
    assert_eq!(facts.count, 2);
}

#[tokio::test]
async fn one_whose_key_belongs_to_another_stays_until_it_is_refused() {
    let sqlite = databases::sqlite().await;
    let store = &sqlite.store;
    sqlite.connect().execute_batch(&staging()).unwrap();
    let holder = NewJob {
        kind: "other".to_owned(),
        ..staged("018bcfe6-0440-776b-a11e-d957ff8d0000", Some("k"))
    };
    store
        .enqueue(vec![holder.clone()], Atomicity::Each)
        .await
        .unwrap();

    let enqueued = store
        .enqueue_staged(vec![staged(ID, Some("k")), staged(OTHER, None)], DAWN)
        .await
        .unwrap();
    store.refuse_staged(id(ID), "taken").await.unwrap();

    let expected = [Enqueued::Known(holder.id), Enqueued::Created(id(OTHER))];
    assert_eq!(enqueued, expected);
    assert_eq!(store.staged(10).await.unwrap(), []);
    let left = store.staged_job(id(ID)).await.unwrap().unwrap();
    assert_eq!(left.refused.as_deref(), Some("taken"));
    assert!(store.job(id(ID)).await.unwrap().is_none());
}

fn id(text: &str) -> JobId {
    JobId::from_uuid(Uuid::parse_str(text).unwrap())
}

fn staged(text: &str, key: Option<&str>) -> NewJob {
    let mut spec = spec();
    spec.key = key.map(str::to_owned);
    NewJob {
        id: id(text),
        ..job(spec, DAWN)
    }
}

async fn with_the_function() -> (SqlStore, Database, Client) {
    let (store, database) = databases::postgres().await;
    let client = databases::connect(&database.url()).await;
    (store, database, client)
}

async fn ask(client: &Client, job: &str) -> Result<String, (SqlState, String)> {
    let call = format!("SELECT baton_enqueue('{job}')");
    match client.query_one(&call, &[]).await {
        Ok(row) => Ok(row.get(0)),
        Err(error) => {
            let error = error.as_db_error().unwrap();
            Err((error.code().clone(), error.message().to_owned()))
        }
    }
}

#[tokio::test]
async fn a_job_is_staged_with_the_transaction_that_asks_for_it_or_not_at_all() {
    let (store, _database, mut client) = with_the_function().await;
    let undone = client.transaction().await.unwrap();
    undone
        .query_one(r#"SELECT baton_enqueue('{"kind":"mail"}')"#, &[])
        .await
        .unwrap();
    undone.rollback().await.unwrap();

    let asked = ask(
        &client,
        r#"{"kind":"mail","payload":{"n":  1.10},"delay":"5s"}"#,
    )
    .await
    .unwrap();

    let staged = store.staged(10).await.unwrap();
    assert_eq!(staged.len(), 1);
    assert_eq!(staged[0].id.to_string(), asked);
    assert_eq!(
        staged[0].job,
        r#"{"kind":"mail","payload":{"n":  1.10},"delay":"5s"}"#
    );
    assert_eq!(staged[0].id.uuid().get_version_num(), 7);
}

#[tokio::test]
async fn the_same_key_is_the_same_job_and_with_other_content_a_conflict() {
    let (store, _database, client) = with_the_function().await;
    let asked = ask(&client, r#"{"kind":"mail","key":"k","payload":{"n":1}}"#)
        .await
        .unwrap();

    let again = ask(&client, r#"{"kind":"mail","key":"k","payload":{"n":1}}"#)
        .await
        .unwrap();
    let other = ask(&client, r#"{"kind":"mail","key":"k","payload":{"n":2}}"#)
        .await
        .unwrap_err();
    let mut spec = spec();
    (spec.key, spec.payload) = (Some("k".to_owned()), r#"{"n":1}"#.to_owned());
    let made = NewJob {
        id: store.staged(1).await.unwrap()[0].id,
        ..job(spec, DAWN)
    };
    store
        .enqueue_staged(vec![made.clone()], DAWN)
        .await
        .unwrap();
    let kind = &made.kind;
    let later = ask(
        &client,
        &format!(r#"{{"kind":"{kind}","key":"k","payload":{{"n":1}}}}"#),
    )
    .await
    .unwrap();
    let too_late = ask(&client, r#"{"kind":"another","key":"k","payload":{"n":1}}"#)
        .await
        .unwrap_err();

    assert_eq!([&again, &later], [&asked, &asked]);
    for (code, message) in [other, too_late] {
        assert_eq!(code, SqlState::UNIQUE_VIOLATION);
        assert!(message.contains(&asked), "{message}");
    }
}

#[tokio::test]
async fn a_key_that_is_taken_over_while_somebody_asks_for_it_is_the_same_job_or_a_conflict() {
    for (payload, is_the_same) in [(r#"{"n":1}"#, true), (r#"{"n":2}"#, false)] {
        let (store, database, client) = with_the_function().await;
        let mut spec = spec();
        (spec.key, spec.payload) = (Some("k".to_owned()), r#"{"n":1}"#.to_owned());
        let ask_for = |payload: &str| {
            format!(
                r#"{{"kind":"{}","key":"k","payload":{payload}}}"#,
                spec.kind
            )
        };
        let first = ask(&client, &ask_for(&spec.payload)).await.unwrap();
        let staged = NewJob {
            id: store.staged(1).await.unwrap()[0].id,
            ..job(spec.clone(), DAWN)
        };
        let gate = CommitsHeldBack::of(&client, &database).await;
        let taking = {
            let store = databases::open(&database.url()).await;
            tokio::spawn(async move { store.enqueue_staged(vec![staged], DAWN).await })
        };
        gate.is_waited_for("advisory").await;

        let asker = databases::connect(&database.url()).await;
        let asked = ask_for(payload);
        let asking = tokio::spawn(async move { ask(&asker, &asked).await });
        gate.is_waited_for("transactionid").await;
        gate.open().await;
        taking.await.unwrap().unwrap();
        let answer = asking.await.unwrap();

        match answer {
            Ok(id) => assert!(is_the_same && id == first, "{id} beside {first}"),
            Err((code, _)) => assert!(!is_the_same && code == SqlState::UNIQUE_VIOLATION),
        }
        assert_eq!(store.staged(10).await.unwrap(), []);
    }
}

/// Transactions that make jobs wait before they commit, until the gate is opened.
struct CommitsHeldBack {
    holder: Client,
}

impl CommitsHeldBack {
    async fn of(client: &Client, database: &Database) -> Self {
        let gate = "CREATE FUNCTION wait_at_the_gate() RETURNS trigger LANGUAGE plpgsql AS
                'BEGIN PERFORM pg_advisory_xact_lock(1); RETURN NULL; END';
            CREATE CONSTRAINT TRIGGER gate AFTER INSERT ON jobs DEFERRABLE INITIALLY DEFERRED
                FOR EACH ROW EXECUTE FUNCTION wait_at_the_gate()";
        client.batch_execute(gate).await.unwrap();
        let holder = databases::connect(&database.url()).await;
        holder
            .batch_execute("SELECT pg_advisory_lock(1)")
            .await
            .unwrap();
        Self { holder }
    }

    /// Waits until somebody waits for a lock of this sort.
    async fn is_waited_for(&self, sort: &str) {
        let waiting = format!(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event = '{sort}'"
        );
        let waits = async || databases::number(&self.holder, &waiting).await == 1;
        eventually("somebody waits", TIMEOUT, waits).await;
    }

    async fn open(self) {
        let open = "SELECT pg_advisory_unlock(1)";
        self.holder.batch_execute(open).await.unwrap();
    }
}

#[tokio::test]
async fn what_can_never_be_a_job_is_refused_where_it_is_asked_for() {
    let (store, _database, client) = with_the_function().await;

    let mut met = Vec::new();
    for job in [
        "7",
        "null",
        "[]",
        "{}",
        r#"{"kind":7}"#,
        r#"{"kind":"no spaces"}"#,
        r#"{"kind":"m","key":7}"#,
        r#"{"kind":"m","key":""}"#,
    ] {
        met.push(ask(&client, job).await.map_err(|(code, _)| code));
    }
    let long = format!(r#"{{"kind":"m","payload":"{}"}}"#, "x".repeat(600_000));
    met.push(ask(&client, &long).await.map_err(|(code, _)| code));
    let nothing = client.query_one("SELECT baton_enqueue(NULL)", &[]).await;

    assert_eq!(met, vec![Err(SqlState::INVALID_PARAMETER_VALUE); 9]);
    assert!(nothing.is_err());
    assert_eq!(store.staged(10).await.unwrap(), []);
}

#[tokio::test]
async fn a_program_needs_the_right_to_ask_and_no_other() {
    let (store, database, client) = with_the_function().await;
    client
        .batch_execute("DROP ROLE IF EXISTS shop; CREATE ROLE shop LOGIN; CREATE SCHEMA AUTHORIZATION shop; ALTER ROLE shop SET search_path = shop, public")
        .await
        .unwrap();
    let url = database.url().replacen("postgres@", "shop@", 1);
    assert_ne!(url, database.url());
    let shop = databases::connect(&url).await;
    let (before, _) = ask(&shop, r#"{"kind":"mail"}"#).await.unwrap_err();

    client
        .batch_execute("GRANT EXECUTE ON FUNCTION baton_enqueue(json) TO shop")
        .await
        .unwrap();
    // A table of its own by the same name changes nothing.
    shop.batch_execute(
        "CREATE TABLE shop.staged_jobs (id uuid); CREATE TEMP TABLE staged_jobs (id uuid)",
    )
    .await
    .unwrap();
    let asked = ask(&shop, r#"{"kind":"mail"}"#).await.unwrap();
    let read = shop
        .query_one("SELECT count(*) FROM public.staged_jobs", &[])
        .await;

    assert_eq!(before, SqlState::INSUFFICIENT_PRIVILEGE);
    assert_eq!(store.staged(10).await.unwrap()[0].id.to_string(), asked);
    assert!(read.is_err());
}

#[tokio::test]
async fn who_stages_wakes_the_servers_with_the_commit() {
    let (store, _database, client) = with_the_function().await;
    let wakeups = Arc::new(Wakeups::default());
    let mut staged = wakeups.subscribe(Wakeup::Staged);
    store.relay(Arc::clone(&wakeups), CancellationToken::new());
    // Whoever begins to listen has everybody look once.
    timeout(TIMEOUT, staged.recv()).await.unwrap();

    ask(&client, r#"{"kind":"mail"}"#).await.unwrap();

    timeout(TIMEOUT, staged.recv()).await.unwrap();
}
