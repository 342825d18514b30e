//! The plans of SQLite, without statistics, which is how it runs, and with those that somebody made.

use std::collections::HashSet;

use baton_sql::inside::SCRATCH;
use rusqlite::Connection;

use super::{filling, hot_scripts};
use crate::databases;

/// What may be read from end to end: what a script passes on, what JSON holds, parts of the
/// statement itself, and tables that are small by nature. `h`, `l` and `q` are `leased`, `leases` and
/// `queues`, which hold what runs at this moment and what is configured.
const SMALL: [&str; 13] = [
    "moving",
    "settling",
    "incoming",
    "json_each",
    "r VIRTUAL",
    "i VIRTUAL",
    "CONSTANT",
    "(subquery",
    "stream",
    "dead_letter_groups",
    "h USING INDEX leased_lease",
    "l",
    "q",
];

#[tokio::test]
async fn hot_statements_of_sqlite_search_the_big_tables() {
    let sqlite = databases::sqlite().await;
    let connection = sqlite.connect();
    connection.execute_batch(SCRATCH).unwrap();

    let mut faults = HashSet::new();
    for change in ["", filling::SQLITE, "ANALYZE"] {
        connection.execute_batch(change).unwrap();
        for script in hot_scripts() {
            for statement in script.sqlite {
                let plan = explain(&connection, statement.sql);
                let scans = plan
                    .iter()
                    .filter(|line| is_scan_of_a_big_table(line, statement.sql));
                faults.extend(scans.map(|line| format!("{}: {line}", script.name)));
            }
        }
    }

    assert!(faults.is_empty(), "{faults:#?}");
}

#[tokio::test]
async fn a_claim_from_sqlite_walks_the_line_in_its_order() {
    let sqlite = databases::sqlite().await;
    let connection = sqlite.connect();
    connection.execute_batch(SCRATCH).unwrap();
    let claims = hot_scripts().filter(|script| script.name.starts_with("work/claim"));
    let statements = claims.flat_map(|script| script.sqlite);
    let walks: Vec<_> = statements
        .filter(|statement| statement.sql.contains("FROM ready\nWHERE queue"))
        .collect();

    let mut plans = Vec::new();
    for change in ["", filling::SQLITE, "ANALYZE"] {
        connection.execute_batch(change).unwrap();
        plans.extend(walks.iter().map(|walk| explain(&connection, walk.sql)));
    }

    assert_eq!(plans.len(), 6);
    for plan in plans {
        let walks = plan
            .iter()
            .any(|line| line == "SEARCH ready USING PRIMARY KEY (queue=?)");
        let sorts = plan.iter().any(|line| line.contains("TEMP B-TREE"));
        assert!(walks && !sorts, "{plan:#?}");
    }
}

/// A scan of a part of the statement itself is named by its alias, and the part is searched.
fn is_scan_of_a_big_table(line: &str, sql: &str) -> bool {
    let Some(what) = line.strip_prefix("SCAN ") else {
        return false;
    };
    let is_part = sql.contains(&format!(") {what}"))
        || sql.contains(&format!(") AS {what}"))
        || sql.contains(&format!("RECURSIVE {what} "));
    let is_alias_of_scratch = ["moving", "settling"].iter().any(|table| {
        let alias = what.split(' ').next().unwrap_or_default();
        sql.contains(&format!("{table} {alias}"))
    });
    let is_small = SMALL
        .iter()
        .any(|small| what == *small || small.len() > 1 && what.starts_with(small));
    !(is_part || is_alias_of_scratch || is_small)
}

fn explain(connection: &Connection, sql: &str) -> Vec<String> {
    let mut statement = connection
        .prepare(&format!("EXPLAIN QUERY PLAN {sql}"))
        .unwrap();
    let count = statement.parameter_count();
    let nothing = rusqlite::params_from_iter(vec![rusqlite::types::Null; count]);
    let lines = statement.query_map(nothing, |row| row.get("detail"));
    lines.unwrap().map(Result::unwrap).collect()
}
