//! Erasing a person on real databases: every column of every table is searched for them.

mod damaged;
mod search;

use std::{sync::Arc, time::Duration};

use baton_domain::OperationId;
use baton_ports::{
    promises::{Bench, CANARY, Canary},
    store::{Dispatch, Erasures, Error, Notifications, Recipients},
};
use baton_sql::SqlStore;
use baton_testkit::{Brand, eventually};
use mysql_async::{Conn, prelude::Queryable};
use tokio::{task::JoinSet, time::timeout};

use self::search::{places_of_mysql, places_of_postgres, places_of_sqlite};
use crate::{brands::on_each_brand, databases, hands::DAWN};

on_each_brand!(
    no_column_of_mysql_holds_a_person_who_was_erased,
    nothing_survives_in_mysql_that_is_written_at_the_same_moment,
    two_nodes_that_take_the_same_step_on_mysql_take_it_once,
);

/// Where a person's data can be, at the least: what is planted has to be there, or nothing is shown.
const PLACES: [&str; 11] = [
    "attempts",
    "campaigns",
    "dead_letter_groups",
    "facts",
    "inbox",
    "job_keys",
    "jobs",
    "notifications",
    "recipients",
    "schedules",
    "staged_jobs",
];
/// A delivery that was asked for in a transaction of another program, and refused.
const REFUSED: &str = r#"
    INSERT INTO staged_jobs (id, job, at, refused) VALUES (
      {id}, '{"kind": "delivery", "payload": {"recipient_id": "canary-4711"}}', 1, 'key: "canary-4711" is taken'
    )
"#;
/// How many rows a step looks at: many steps for little data.
const FEW: u32 = 60;

fn bench(store: &SqlStore) -> Bench {
    Bench::new(Arc::new(store.clone()))
}

fn assert_planted(places: &[String]) {
    for place in PLACES {
        assert!(places.iter().any(|one| one == place), "{place}: {places:?}");
    }
}

#[tokio::test]
async fn no_column_of_sqlite_holds_a_person_who_was_erased() {
    let sqlite = databases::sqlite().await;
    let bench = bench(&sqlite.store);
    let canary = bench.plant().await;
    let refused = REFUSED.replace("{id}", "zeroblob(16)");
    sqlite.connect().execute(&refused, []).unwrap();
    assert_planted(&places_of_sqlite(&sqlite.connect()));

    bench.erase_canary(&canary, FEW).await;

    assert_eq!(places_of_sqlite(&sqlite.connect()), Vec::<String>::new());
}

#[tokio::test]
async fn no_column_of_postgresql_holds_a_person_who_was_erased() {
    let (store, database) = databases::postgres().await;
    let bench = bench(&store);
    let canary = bench.plant().await;
    let refused = REFUSED.replace("{id}", "gen_random_uuid()");
    let client = databases::connect(&database.url()).await;
    client.batch_execute(&refused).await.unwrap();
    let planted = places_of_postgres(&database.url()).await;
    assert_planted(&planted);
    for together in ["ready_batches", "success_batches", "late_results"] {
        assert!(planted.iter().any(|place| place == together), "{together}");
    }

    bench.erase_canary(&canary, FEW).await;

    let left = places_of_postgres(&database.url()).await;
    assert_eq!(left, Vec::<String>::new());
}

async fn no_column_of_mysql_holds_a_person_who_was_erased(brand: Brand) {
    let (store, url) = databases::mysql(brand).await;
    let bench = bench(&store);
    let canary = bench.plant().await;
    let mut session = Conn::from_url(&url).await.unwrap();
    let refused = REFUSED.replace("{id}", "uuid()");
    session.query_drop(refused).await.unwrap();
    let planted = places_of_mysql(&url).await;
    assert_planted(&planted);
    for alone in ["late_results", "success_blocks"] {
        assert!(planted.iter().any(|place| place == alone), "{alone}");
    }

    bench.erase_canary(&canary, FEW).await;

    assert_eq!(places_of_mysql(&url).await, Vec::<String>::new());
}

#[tokio::test]
async fn an_erasure_goes_on_where_a_server_that_died_has_left_it() {
    let (store, database) = databases::postgres().await;
    let bench = bench(&store);
    let canary = bench.plant().await;
    let whole = whole_erasure(&databases::postgres().await.0).await;
    bench.begin_to_erase().await;
    let waits = bench.erase(FEW).await.unwrap();
    bench.end_what_runs(&canary).await;
    for _ in 0..3 {
        bench.step_erasure(FEW).await.unwrap();
    }
    drop(store);

    let again = databases::open(&database.url()).await;
    let ended = Bench::new(Arc::new(again)).erase(FEW).await.unwrap();

    assert_eq!(waits.running, 1);
    assert!(ended.operation.finished_at.is_some());
    assert_eq!(ended.operation.done, whole, "nothing is changed twice");
    let left = places_of_postgres(&database.url()).await;
    assert_eq!(left, Vec::<String>::new());
}

/// How many rows an erasure changes that nothing breaks off.
async fn whole_erasure(store: &SqlStore) -> u64 {
    let bench = bench(store);
    let canary = bench.plant().await;
    bench.erase_canary(&canary, FEW).await.done
}

#[tokio::test]
async fn two_nodes_that_take_the_same_step_take_it_once() {
    let (store, database) = databases::postgres().await;
    let bench = bench(&store);
    let canary = bench.plant().await;
    let whole = whole_erasure(&databases::postgres().await.0).await;
    bench.begin_to_erase().await;
    bench.erase(FEW).await.unwrap();
    bench.end_what_runs(&canary).await;

    let mut nodes = JoinSet::new();
    for _ in 0..4 {
        let node = Bench::new(Arc::new(databases::open(&database.url()).await));
        nodes.spawn(async move { while node.step_erasure(FEW).await.is_some() {} });
    }
    while let Some(ended) = nodes.join_next().await {
        ended.unwrap();
    }

    let page = baton_ports::store::DeadLetters::operations(&store, &Default::default()).await;
    let operation = page.unwrap().items.remove(0);
    assert_eq!(
        (operation.done, operation.finished_at.is_some()),
        (whole, true)
    );
    let left = places_of_postgres(&database.url()).await;
    assert_eq!(left, Vec::<String>::new());
}

async fn two_nodes_that_take_the_same_step_on_mysql_take_it_once(brand: Brand) {
    let (store, url) = databases::mysql(brand).await;
    let bench = bench(&store);
    let canary = bench.plant().await;
    let whole = whole_erasure(&databases::mysql(brand).await.0).await;
    bench.begin_to_erase().await;
    bench.erase(FEW).await.unwrap();
    bench.end_what_runs(&canary).await;

    let mut nodes = JoinSet::new();
    for _ in 0..4 {
        let node = Bench::new(Arc::new(databases::open(&url).await));
        nodes.spawn(async move { while node.step_erasure(FEW).await.is_some() {} });
    }
    while let Some(ended) = nodes.join_next().await {
        ended.unwrap();
    }

    let page = baton_ports::store::DeadLetters::operations(&store, &Default::default()).await;
    let operation = page.unwrap().items.remove(0);
    assert_eq!(
        (operation.done, operation.finished_at.is_some()),
        (whole, true)
    );
    assert_eq!(places_of_mysql(&url).await, Vec::<String>::new());
}

#[tokio::test]
async fn a_mark_is_set_once_all_who_have_looked_for_marks_are_done_and_holds_up_no_reader() {
    let (store, database) = databases::postgres().await;
    let writer = databases::connect(&database.url()).await;
    let reader = databases::connect(&database.url()).await;
    let looks = "BEGIN; SELECT 1 FROM erasures e WHERE e.recipient = 'a' FOR KEY SHARE";
    writer.batch_execute(looks).await.unwrap();

    let begins = tokio::spawn(async move {
        let id = OperationId::new(DAWN);
        store.begin_erasure(id, "a", DAWN).await
    });
    let waits = "SELECT 1 FROM pg_locks l JOIN pg_class c ON c.oid = l.relation WHERE c.relname = 'erasures' AND NOT l.granted";
    eventually("the erasure waits", Duration::from_secs(10), async || {
        !reader.query(waits, &[]).await.unwrap().is_empty()
    })
    .await;
    let read = timeout(
        Duration::from_secs(5),
        reader.query("SELECT * FROM erasures", &[]),
    );
    let read = read.await.expect("a dump reads on").unwrap();
    writer.batch_execute("COMMIT").await.unwrap();

    assert!(read.is_empty());
    begins.await.unwrap().unwrap();
    assert_eq!(
        reader
            .query("SELECT * FROM erasures", &[])
            .await
            .unwrap()
            .len(),
        1
    );
}

#[tokio::test]
async fn nothing_survives_in_postgresql_that_is_written_at_the_same_moment() {
    let (store, database) = databases::postgres().await;
    let bench = bench(&store);
    let canary = bench.plant().await;

    let tellers = tell_all_the_time(&store, &bench, &canary);
    bench.erase_canary(&canary, FEW).await;
    let refused = ended(tellers).await;

    assert!(refused > 0, "somebody came too late");
    bench.sequence_all().await;
    let left = places_of_postgres(&database.url()).await;
    assert_eq!(left, Vec::<String>::new());
}

#[tokio::test]
async fn nothing_survives_in_sqlite_that_is_written_at_the_same_moment() {
    let sqlite = databases::sqlite().await;
    let bench = bench(&sqlite.store);
    let canary = bench.plant().await;

    let tellers = tell_all_the_time(&sqlite.store, &bench, &canary);
    bench.erase_canary(&canary, FEW).await;
    let refused = ended(tellers).await;

    assert!(refused > 0, "somebody came too late");
    bench.sequence_all().await;
    assert_eq!(places_of_sqlite(&sqlite.connect()), Vec::<String>::new());
}

async fn nothing_survives_in_mysql_that_is_written_at_the_same_moment(brand: Brand) {
    let (store, url) = databases::mysql(brand).await;
    let bench = bench(&store);
    let canary = bench.plant().await;

    let tellers = tell_all_the_time(&store, &bench, &canary);
    bench.erase_canary(&canary, FEW).await;
    let refused = ended(tellers).await;

    assert!(refused > 0, "somebody came too late");
    bench.sequence_all().await;
    assert_eq!(places_of_mysql(&url).await, Vec::<String>::new());
}

/// Has callers who have read the canary before write notifications to it, until they are refused.
fn tell_all_the_time(store: &SqlStore, bench: &Bench, canary: &Canary) -> JoinSet<u32> {
    let mut tellers = JoinSet::new();
    for _ in 0..4 {
        let (store, bench, item) = (
            store.clone(),
            bench.clone(),
            canary.dispatch.items[0].clone(),
        );
        tellers.spawn(async move {
            loop {
                let dispatch = bench.dispatch_with_job(item.clone());
                match told(&store, &dispatch).await {
                    Ok(()) => {}
                    Err(Error::Erasing) => return 1,
                    Err(error) => panic!("{error}"),
                }
            }
        });
    }
    tellers
}

async fn told(store: &SqlStore, dispatch: &Dispatch) -> Result<(), Error> {
    store.notify(dispatch, DAWN).await.map(drop)
}

async fn ended(mut tellers: JoinSet<u32>) -> u32 {
    let mut refused = 0;
    while let Some(one) = tellers.join_next().await {
        refused += one.unwrap();
    }
    refused
}

#[tokio::test]
async fn an_erasure_leaves_a_number_that_nobody_else_is_given() {
    let (store, _database) = databases::postgres().await;
    let bench = bench(&store);
    let canary = bench.plant().await;
    let before = store.joined().await.unwrap();

    bench.erase_canary(&canary, 1_000).await;

    assert_eq!(store.joined().await.unwrap(), before);
    let ids = [CANARY.to_owned()];
    let found = store.find_recipients(&ids, baton_ports::store::Urgency::Interactive);
    assert!(found.await.unwrap().is_empty());
}
