//! Steps that are taken under running servers take away nothing.
//!
//! They change no type, rewrite no table, and leave what the program before still reads. The first schema is exempt: no server
//! ran before it.

mod rules;

use std::collections::BTreeMap;

use baton_sql::inside::{POSTGRES, SQLITE, Step, apply_to_postgres};
use baton_testkit::Postgres;
use tokio_postgres::Client;

use super::{JOB, apply_first_to_postgres};
use crate::databases;

/// The last step that is exempt.
const EXEMPT: &str = "0001_schema";
/// The generation of the line before, which CI keeps and to which one can roll back.
const PREVIOUS: u32 = 16;

#[test]
fn no_step_does_what_hurts_a_running_server() {
    for step in POSTGRES.iter().chain(SQLITE).filter(is_bound) {
        let hurts = rules::hurts(step.sql);

        assert_eq!(hurts, [""; 0], "{} hurts running servers", step.name);
    }
}

#[test]
fn the_line_before_may_run_on_every_step() {
    for step in POSTGRES.iter().chain(SQLITE).filter(is_bound) {
        assert!(
            step.oldest <= PREVIOUS,
            "{} refuses the line before ({PREVIOUS}): nobody could roll back. What takes something away comes a line later",
            step.name
        );
    }
}

#[tokio::test]
async fn no_step_writes_a_table_of_postgresql_anew() {
    let database = Postgres::shared().database();
    let mut client = databases::connect(&database.url()).await;
    let exempt = POSTGRES.iter().take_while(|step| !is_bound(step)).count();
    apply_first_to_postgres(&mut client, exempt).await;
    client.batch_execute(JOB).await.unwrap();
    client.batch_execute(ROWS).await.unwrap();

    for count in exempt + 1..=POSTGRES.len() {
        let before = shape(&client).await;
        apply_first_to_postgres(&mut client, count).await;
        let after = shape(&client).await;

        let name = POSTGRES[count - 1].name;
        assert_eq!(losses(&before, &after), [""; 0], "{name}");
    }
}

#[tokio::test]
async fn a_step_that_writes_a_table_anew_would_be_found() {
    let (_store, database) = databases::postgres().await;
    let mut client = databases::connect(&database.url()).await;
    let before = shape(&client).await;
    let sql = "ALTER TABLE jobs ADD COLUMN more uuid DEFAULT gen_random_uuid(); ALTER TABLE workers ALTER COLUMN lease_us TYPE numeric;
        ALTER TABLE workers RENAME COLUMN name TO later;";

    apply_to_postgres(&mut client, super::first_and(POSTGRES, POSTGRES.len(), sql))
        .await
        .unwrap();

    let found = losses(&before, &shape(&client).await);
    for loss in [
        "jobs was written anew",
        "workers.lease_us changed",
        "workers.name is gone",
    ] {
        assert!(found.iter().any(|found| found == loss), "{loss}: {found:?}");
    }
}

fn is_bound(step: &&Step) -> bool {
    step.name > EXEMPT
}

/// Rows that a column without a default, or a narrower check, would stumble over.
const ROWS: &str = "INSERT INTO queues (name, created_at) VALUES ('default', 5);";

/// Which file each table is in, and the type of each column.
async fn shape(client: &Client) -> BTreeMap<String, String> {
    let sql = "SELECT relname, pg_relation_filenode(oid)::text FROM pg_class
          WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'
        UNION ALL SELECT relname || '.' || attname, format_type(atttypid, atttypmod) FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
          WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'v') AND attnum > 0 AND NOT attisdropped";
    let rows = client.query(sql, &[]).await.unwrap();
    rows.iter().map(|row| (row.get(0), row.get(1))).collect()
}

/// What was there and is not there any more as it was.
fn losses(before: &BTreeMap<String, String>, after: &BTreeMap<String, String>) -> Vec<String> {
    let loss = |(name, old): (&String, &String)| match after.get(name) {
        None => Some(format!("{name} is gone")),
        Some(new) if new != old && name.contains('.') => Some(format!("{name} changed")),
        Some(new) if new != old => Some(format!("{name} was written anew")),
        Some(_) => None,
    };
    before.iter().filter_map(loss).collect()
}
