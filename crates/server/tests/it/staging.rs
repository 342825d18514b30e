//! A program enqueues in a transaction of its own, by SQL alone.

use std::time::Duration;

use baton_testkit::{Postgres, eventually};
use serde_json::Value;
use tokio_postgres::NoTls;

use crate::support::Served;

const PATIENCE: Duration = Duration::from_secs(20);

#[tokio::test]
async fn a_job_of_a_committed_transaction_runs_and_one_that_is_refused_says_why() {
    let database = Postgres::shared().database();
    let flags = [
        "--database",
        &database.url(),
        "--migrate",
        "--allow-unsafe-durability",
    ];
    let served = Served::start(&flags);
    let (mut client, connection) = tokio_postgres::connect(&database.url(), NoTls)
        .await
        .unwrap();
    tokio::spawn(connection);

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
    eventually("the other one is refused", PATIENCE, async || {
        served
            .run(&["jobs", "show", &bad])
            .err()
            .contains("priority: must lie between")
    })
    .await;

    assert_ne!(early.code(), 0);
    assert_eq!(job["state"], "succeeded");
}

async fn eventually_shown(served: &Served, id: &str) -> Value {
    let mut shown = Value::Null;
    eventually("the job has run", PATIENCE, async || {
        let ran = served.run(&["jobs", "show", id, "--json"]);
        if ran.code() == 0 {
            shown = ran.json()["job"].take();
        }
        shown["state"] == "succeeded"
    })
    .await;
    shown
}
