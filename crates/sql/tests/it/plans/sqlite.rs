//! The plans of SQLite, without statistics, which is how it runs, and with those that somebody made.

use std::collections::HashSet;

use baton_sql::inside::{SCRATCH, Statement};
use rusqlite::Connection;

use super::{BIG, WALKS, filling, hot_scripts};
use crate::databases;

#[tokio::test]
async fn hot_statements_of_sqlite_search_the_big_tables() {
    let sqlite = databases::sqlite().await;
    let connection = sqlite.connect();
    connection.execute_batch(SCRATCH).unwrap();

    let views = ["held", "batched", "job_places"].map(|view| (view, text_of(&connection, view)));

    let mut faults = HashSet::new();
    for change in ["", filling::SQLITE, "ANALYZE"] {
        connection.execute_batch(change).unwrap();
        for script in hot_scripts() {
            for statement in script.sqlite {
                let seen = views
                    .iter()
                    .filter(|(view, _)| statement.sql.contains(view));
                let text = seen.fold(statement.sql.to_owned(), |text, (_, view)| text + view);
                let plan = explain(&connection, statement.sql);
                let scans = plan
                    .iter()
                    .filter(|line| is_scan_of_a_big_table(line, &text));
                faults.extend(scans.map(|line| format!("{}: {line}", script.name)));
            }
        }
    }

    assert!(faults.is_empty(), "{faults:#?}");
}

#[tokio::test]
async fn a_claim_from_sqlite_walks_the_line_in_its_order_and_takes_it_as_a_range() {
    let sqlite = databases::sqlite().await;
    let connection = sqlite.connect();
    connection.execute_batch(SCRATCH).unwrap();
    let in_order = ["work/claim", "work/claim_limited"];
    let claims = hot_scripts().filter(|script| in_order.contains(&script.name));
    let statements: Vec<_> = claims.flat_map(|script| script.sqlite).collect();
    let of = |place: &'static str| {
        let all = statements.iter().copied();
        let is_there = move |sql: &str| sql.split(place).skip(1).any(|rest| !rest.starts_with('_'));
        all.filter(move |statement| is_there(statement.sql))
    };
    let (walks, leaves): (Vec<&Statement>, Vec<&Statement>) =
        of("FROM ready").partition(|statement| statement.sql.starts_with("INSERT"));
    let takes: Vec<_> = of("FROM batched").collect();

    let (mut plans, mut ranges, mut shares) = (Vec::new(), Vec::new(), Vec::new());
    for change in ["", filling::SQLITE, "ANALYZE"] {
        connection.execute_batch(change).unwrap();
        plans.extend(walks.iter().map(|walk| explain(&connection, walk.sql)));
        ranges.extend(leaves.iter().map(|leave| explain(&connection, leave.sql)));
        shares.extend(takes.iter().map(|take| explain(&connection, take.sql)));
    }

    let range = "SEARCH ready USING PRIMARY KEY (queue=? AND (priority,run_at,job_id)<(?,?,?))";
    assert_eq!(ranges, [[range]; 6]);
    assert_eq!(plans.len(), 6);
    for plan in plans {
        let walks = plan
            .iter()
            .any(|line| line == "SEARCH ready USING PRIMARY KEY (queue=?)");
        let sorts = plan.iter().any(|line| line.contains("TEMP B-TREE"));
        assert!(walks && !sorts, "{plan:#?}");
    }
    assert_eq!(shares.len(), 6);
    for plan in shares {
        let is_walk = |line: &&String| MEMBERS.contains(&line.as_str());
        let sorts = plan.iter().any(|line| line.contains("TEMP B-TREE"));
        assert!(
            plan.iter().filter(is_walk).eq(MEMBERS) && !sorts,
            "{plan:#?}"
        );
    }
}

/// The `ready_batches` of a line in their order, and the members of each in theirs.
const MEMBERS: [&str; 2] = [
    "SEARCH b USING PRIMARY KEY (queue=?)",
    "SEARCH j USING INDEX sqlite_autoindex_jobs_1 (id>? AND id<?)",
];

#[tokio::test]
async fn a_walk_over_an_audience_takes_sqlite_by_its_order() {
    let sqlite = databases::sqlite().await;
    let connection = sqlite.connect();
    connection.execute_batch(SCRATCH).unwrap();

    let mut sorts = HashSet::new();
    for change in ["", filling::SQLITE, "ANALYZE"] {
        connection.execute_batch(change).unwrap();
        for script in hot_scripts().filter(|script| WALKS.contains(&script.name)) {
            let plan = explain(&connection, script.sqlite[0].sql).join(", ");
            sorts.extend(plan.contains("TEMP B-TREE").then_some((script.name, plan)));
        }
    }

    assert!(sorts.is_empty(), "{sorts:#?}");
}

/// A plan calls a table by the name that the text gives it.
fn is_scan_of_a_big_table(line: &str, text: &str) -> bool {
    let Some(scanned) = line.strip_prefix("SCAN ") else {
        return false;
    };
    let name = scanned.split(' ').next().unwrap_or_default();
    let mut words = text
        .split_whitespace()
        .map(|word| word.trim_matches([',', '(', ')', ';']));
    let mut is_big = BIG.contains(&name);
    while let Some(word) = words.next() {
        is_big |= BIG.contains(&word) && words.clone().next() == Some(name);
    }
    is_big
}

fn text_of(connection: &Connection, view: &str) -> String {
    let sql = "SELECT ' ' || sql FROM sqlite_master WHERE type = 'view' AND name = ?1";
    connection.query_row(sql, [view], |row| row.get(0)).unwrap()
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
