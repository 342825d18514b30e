//! A page is found by its key, and what lies before it is not read again: else a copy would take the square of its size.

use baton_sql::inside::{Kernel, Part, Script, Scripts, Statement};
use mysql_async::prelude::Queryable;

use super::filled::filled;
use crate::databases;

/// More rows than a planner would rather read as a whole.
const ROWS: usize = 3_000;

#[tokio::test]
async fn postgresql_reads_no_table_as_a_whole_for_a_page() {
    let place = filled("postgres", ROWS).await;
    let store = databases::open(&place.url()).await;
    let Kernel::Postgres(postgres) = store.kernel() else {
        unreachable!()
    };
    let client = postgres.client().await.unwrap();
    client.batch_execute("ANALYZE").await.unwrap();

    for (part, script) in later_pages("postgres") {
        let sql = format!("EXPLAIN {}", spoken(part, &script.postgres[0], '$'));
        let rows = client.query(&sql, &[]).await.unwrap();
        let plan: Vec<String> = rows.iter().map(|row| row.get(0)).collect();

        assert!(
            !plan
                .iter()
                .any(|step| step.contains("Seq Scan") || step.contains("Sort")),
            "{}: {plan:#?}",
            part.name
        );
    }
}

#[tokio::test]
async fn sqlite_reads_no_table_as_a_whole_for_a_page() {
    let place = filled("sqlite", ROWS).await;
    let super::Place::Sqlite(folder) = &place else {
        unreachable!()
    };
    let connection = folder.connect();

    // What a view gives may be read as it comes (`r`).
    for (part, script) in later_pages("sqlite") {
        let sql = format!(
            "EXPLAIN QUERY PLAN {}",
            spoken(part, &script.sqlite[0], '?')
        );
        let mut statement = connection.prepare(&sql).unwrap();
        let steps = statement
            .query_map([], |row| row.get::<_, String>(3))
            .unwrap();
        let plan: Vec<_> = steps.map(Result::unwrap).collect();

        assert!(
            !plan
                .iter()
                .any(|step| step.starts_with("SCAN") && step != "SCAN r"
                    || step.contains("TEMP B-TREE")),
            "{}: {plan:#?}",
            part.name
        );
    }
}

#[tokio::test]
async fn mysql_reads_no_table_as_a_whole_for_a_page() {
    let place = filled("mysql", ROWS).await;
    let store = databases::open(&place.url()).await;
    let Kernel::Mysql(mysql) = store.kernel() else {
        unreachable!()
    };
    let mut session = mysql.session().await.unwrap();
    session
        .query_drop(
            "ANALYZE TABLE jobs, attempts, successes, settlements, ready, ready_batches, facts",
        )
        .await
        .unwrap();

    for (part, script) in later_pages("mysql") {
        let sql = format!("EXPLAIN {}", spoken(part, &script.mysql[0], '?'));
        let steps: Vec<mysql_async::Row> = session.query(sql).await.unwrap();
        let read = |step: &mysql_async::Row| {
            let cell = |place| {
                step.get::<Option<String>, _>(place)
                    .flatten()
                    .unwrap_or_default()
            };
            (cell(2), cell(3), cell(9))
        };
        let plan: Vec<_> = steps.iter().map(read).collect();

        // Who is in a batch is looked for between its bounds, which are told anew for each.
        let whole = |(table, way, how): &(String, String, String)| {
            BIG.contains(&&**table)
                && ["ALL", "index"].contains(&&**way)
                && !how.contains("Range checked")
        };
        assert!(!plan.iter().any(whole), "{}: {plan:#?}", part.name);
    }
}

/// Tables of many rows, and what the views call them. The others are so small here that it is as well to read all of them,
/// and so are attempts where a view is left without them.
const BIG: [&str; 7] = ["jobs", "j", "attempts", "successes", "s", "facts", "ready"];

fn later_pages(dialect: &str) -> impl Iterator<Item = (&'static Part, &'static Script)> {
    let parts = Scripts::of(dialect).parts.iter();
    parts.flat_map(|part| [(part, part.keys[1]), (part, part.rows[1])])
}

/// A statement about a page in the midst of the table.
fn spoken(part: &Part, statement: &Statement, mark: char) -> String {
    let mut sql = statement.sql.to_owned();
    for (place, name) in statement.params.iter().enumerate().rev() {
        let value = match *name {
            "limit" => "1000",
            "id" | "upto" if part.name == "installation" => "1",
            "upto" => "'018bcfe6-0440-7000-9000-000000000000'",
            "number" | "last_seq" | "attempt" | "run" | "minute" | "at" | "recipient" | "seq"
            | "span" | "bucket" => "5",
            "id" | "first" | "job_id" | "schedule_id" | "campaign" => {
                "'018bcfe6-0440-7000-8f00-000000000000'"
            }
            _ => "'a'",
        };
        sql = sql.replace(&format!("{mark}{}", place + 1), value);
    }
    sql
}
