//! A program enqueues in a transaction of its own, by SQL alone.

use std::time::Duration;

use baton_testkit::{Database, Postgres, eventually};
use serde_json::Value;
use tokio_postgres::NoTls;

use crate::support::Served;

const TIMEOUT: Duration = Duration::from_secs(20);

#[tokio::test]
async fn a_job_of_a_committed_transaction_runs_and_one_that_is_refused_says_why() {
    let (served, mut client, _database) = beside_a_server().await;

    let order = client.transaction().await.unwrap();
    order
        .batch_execute("CREATE TABLE orders (id int); INSERT INTO orders VALUES (4711)")
        .await
        .unwrap();
    let ask = "SELECT baton_enqueue($1::text::json)";
    let sent: String = order
        .query_one(ask, &[&r#"{"kind":"simulate"}"#])
        .await
        .unwrap()
        .get(0);
    let bad: String = order
        .query_one(ask, &[&r#"{"kind":"simulate","priority":4711}"#])
        .await
        .unwrap()
        .get(0);
    let early = served.run(&["jobs", "show", &sent]);
    order.commit().await.unwrap();
    let job = eventually_shown(&served, &sent).await;
    eventually("the other one is refused", TIMEOUT, async || {
        served
            .run(&["jobs", "show", &bad])
            .err()
            .contains("priority: must lie between")
    })
    .await;

    assert_ne!(early.code(), 0);
    assert_eq!(job["state"], "succeeded");
}

#[tokio::test]
async fn a_walk_whose_jobs_would_stand_where_nobody_runs_them_is_refused() {
    let (served, client, _database) = beside_a_server().await;
    let known = served.run(&["jobs", "enqueue", "simulate", "--wait", "20s"]);
    let walk = r#"{"kind": "baton.walk", "payload": {
        "url": "http://localhost/rows", "next": "link", "job": {"kind": "label", "queue": "default"}
    }}"#;

    let ask = "SELECT baton_enqueue($1::text::json)";
    let sent: String = client.query_one(ask, &[&walk]).await.unwrap().get(0);

    assert_eq!(known.code(), 0);
    eventually("it is refused", TIMEOUT, async || {
        let shown = served.run(&["jobs", "show", &sent]);
        shown
            .err()
            .contains("payload.job.queue: \"default\" is worked off by the servers")
    })
    .await;
}

/// A server on a database of its own, and a program's connection to that.
async fn beside_a_server() -> (Served, tokio_postgres::Client, Database) {
    let database = Postgres::shared().database();
    let flags = [
        "--database",
        &database.url(),
        "--migrate",
        "--allow-unsafe-durability",
    ];
    let served = Served::start(&flags);
    let connected = tokio_postgres::connect(&database.url(), NoTls).await;
    let (client, connection) = connected.unwrap();
    tokio::spawn(connection);
    (served, client, database)
}

async fn eventually_shown(served: &Served, id: &str) -> Value {
    let mut shown = Value::Null;
    eventually("the job has run", TIMEOUT, async || {
        let ran = served.run(&["jobs", "show", id, "--json"]);
        if ran.code() == 0 {
            shown = ran.json()["job"].take();
        }
        shown["state"] == "succeeded"
    })
    .await;
    shown
}
