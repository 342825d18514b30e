//! The plans of PostgreSQL, on connections of the store's own pools and for no value in particular.

use std::collections::BTreeMap;

use baton_sql::inside::{Kernel, Statement};
use serde_json::Value;
use tokio_postgres::{Client, SimpleQueryMessage};

use super::{BIG, WALKS, filling, hot_scripts};
use crate::databases;

/// Holds only what is not numbered yet: to read all of it is what it is for, once.
const READ_AS_A_WHOLE: &str = "facts_unnumbered";

#[tokio::test]
async fn hot_statements_of_postgresql_walk_the_indexes_they_are_meant_to() {
    let (store, database) = databases::postgres().await;
    let Kernel::Postgres(kernel) = store.kernel() else {
        unreachable!()
    };
    let lanes = [
        kernel.queue_client().await.unwrap(),
        kernel.client().await.unwrap(),
    ];
    let owner = databases::connect(&database.url()).await;
    owner.batch_execute(WITHOUT_AUTOVACUUM).await.unwrap();
    let firsts = first_columns(&owner).await;
    let stages = [
        ("empty and never analysed", ""),
        ("analysed while empty, then filled", filling::POSTGRES),
        ("analysed while full", "ANALYZE"),
        (
            "analysed while full, then drained",
            "DELETE FROM ready; DELETE FROM ready_batches; DELETE FROM waiting; DELETE FROM leases",
        ),
        (
            "analysed while drained, and every fact numbered",
            ALL_NUMBERED,
        ),
    ];

    let mut faults = Vec::new();
    for (stage, change) in stages {
        owner.batch_execute(change).await.unwrap();
        for script in hot_scripts() {
            for (statement, lane) in script
                .postgres
                .iter()
                .flat_map(|s| lanes.iter().map(move |lane| (s, lane)))
            {
                let plan = explain(lane, statement).await;
                let found = faults_of(script.name, &plan, &firsts);
                faults.extend(found.map(|fault| format!("{}, {stage}: {fault}", script.name)));
            }
        }
        owner.batch_execute("ANALYZE").await.unwrap();
    }

    faults.dedup();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

const WITHOUT_AUTOVACUUM: &str = "DO $$ DECLARE name text; BEGIN
  FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' LOOP
    EXECUTE format('ALTER TABLE %I SET (autovacuum_enabled = off)', name);
  END LOOP; END $$";

const ALL_NUMBERED: &str =
    "UPDATE facts SET last_seq = (SELECT max(last_seq) FROM facts) + id WHERE last_seq IS NULL;
  ANALYZE facts";

/// What each index is ordered by before all else.
async fn first_columns(owner: &Client) -> BTreeMap<String, String> {
    let said = owner.query(FIRST_COLUMNS, &[]).await.unwrap();
    said.iter().map(|row| (row.get(0), row.get(1))).collect()
}

const FIRST_COLUMNS: &str = "SELECT c.relname::text, a.attname::text
  FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_attribute a ON a.attrelid = i.indexrelid AND a.attnum = 1";

async fn explain(client: &Client, statement: &Statement) -> Value {
    let nulls = vec!["NULL"; statement.params.len()].join(", ");
    let arguments = if nulls.is_empty() {
        nulls
    } else {
        format!("({nulls})")
    };
    let sql = format!(
        "DEALLOCATE ALL; PREPARE hot AS {}; EXPLAIN (FORMAT JSON) EXECUTE hot{arguments}",
        statement.sql
    );
    let said = client.simple_query(&sql).await.unwrap();
    let text = said.iter().find_map(|message| match message {
        SimpleQueryMessage::Row(row) => row.get(0),
        _ => None,
    });
    let plans: Value = serde_json::from_str(text.unwrap()).unwrap();
    plans[0]["Plan"].clone()
}

fn faults_of(
    name: &str,
    plan: &Value,
    firsts: &BTreeMap<String, String>,
) -> impl Iterator<Item = String> {
    let mut nodes = Vec::new();
    collect(plan, &mut Vec::new(), &mut nodes);
    let mut faults: Vec<_> = nodes
        .iter()
        .filter_map(|node| fault_of(node, firsts))
        .collect();
    let walks = |table, index| nodes.iter().any(|node| node.walks_in_order(table, index));
    if ["work/claim", "work/claim_limited"].contains(&name)
        && nodes.iter().any(|node| node.is_scan_of("ready"))
        && !walks("ready", "ready_line")
    {
        faults.push("does not walk the line in its order".to_owned());
    }
    if ["work/claim", "work/claim_limited"].contains(&name)
        && nodes.iter().any(|node| node.is_scan_of("ready_batches"))
        && !nodes.iter().any(Node::walks_batches)
    {
        faults.push("does not walk the ready_batches of the line in their order".to_owned());
    }
    let looks_up = |node: &Node<'_>| word(node.step, "Index Name") == "ready_pkey";
    if name == "work/claim_named" && !nodes.iter().any(looks_up) {
        faults.push("does not look up the jobs that were hinted at".to_owned());
    }
    if name == "work/release" && !walks("waiting", "waiting_due") {
        faults.push("does not walk those who wait in the order of their times".to_owned());
    }
    let sorts = |node: &Node<'_>| word(node.step, "Node Type").contains("Sort");
    if WALKS.contains(&name) && nodes.iter().any(sorts) {
        faults.push("sorts what an index has in order".to_owned());
    }
    faults.into_iter()
}

/// A step of a plan, and the kinds of the steps that its rows go through.
struct Node<'a> {
    step: &'a Value,
    above: Vec<&'a str>,
    /// It is made again for each row of another step.
    is_repeated: bool,
}

fn collect<'a>(step: &'a Value, above: &mut Vec<&'a str>, nodes: &mut Vec<Node<'a>>) {
    collect_below(step, above, false, nodes);
}

fn collect_below<'a>(
    step: &'a Value,
    above: &mut Vec<&'a str>,
    is_repeated: bool,
    nodes: &mut Vec<Node<'a>>,
) {
    nodes.push(Node {
        step,
        above: above.clone(),
        is_repeated,
    });
    above.push(word(step, "Node Type"));
    let is_loop = word(step, "Node Type") == "Nested Loop";
    for child in step["Plans"].as_array().into_iter().flatten() {
        match word(child, "Parent Relationship") {
            "InitPlan" => collect(child, &mut Vec::new(), nodes),
            "Inner" if is_loop => collect_below(child, above, true, nodes),
            _ => collect_below(child, above, is_repeated, nodes),
        }
    }
    above.pop();
}

impl Node<'_> {
    fn is_scan_of(&self, table: &str) -> bool {
        word(self.step, "Node Type").ends_with("Scan") && word(self.step, "Relation Name") == table
    }

    /// The same of `ready_batches`, unless none is wanted: that is asked first.
    fn walks_batches(&self) -> bool {
        word(self.step, "Index Name") == "ready_batches_line"
            && self.step.get("Index Cond").is_some()
            && self.above.ends_with(&["Limit", "LockRows", "Result"])
    }

    /// Whether rows come out of the index in its order, are locked, and end at the limit.
    fn walks_in_order(&self, table: &str, index: &str) -> bool {
        self.is_scan_of(table)
            && word(self.step, "Index Name") == index
            && self.step.get("Index Cond").is_some()
            && self.above == ["Limit", "LockRows"]
    }
}

fn fault_of(node: &Node<'_>, firsts: &BTreeMap<String, String>) -> Option<String> {
    let kind = word(node.step, "Node Type");
    let (table, index) = (
        word(node.step, "Relation Name"),
        word(node.step, "Index Name"),
    );
    let is_whole = kind == "Seq Scan"
        || kind.starts_with("Index")
            && (index != READ_AS_A_WHOLE || node.is_repeated)
            && !begins_somewhere(node.step, &firsts[index]);
    match kind {
        "Hash Join" | "Merge Join" => Some(format!("{kind} believes the statistics")),
        _ if is_whole && BIG.contains(&table) => {
            Some(format!("{kind} {index} reads all of {table}"))
        }
        _ => None,
    }
}

/// Whether a walk begins at a value of what the index is ordered by; a condition on what comes later reads
/// all of it as well.
fn begins_somewhere(step: &Value, first: &str) -> bool {
    let condition = word(step, "Index Cond");
    let compares = |sign| condition.contains(&format!("({first} {sign}"));
    ["=", "<", ">"].into_iter().any(compares) || condition.contains(&format!("(ROW({first},"))
}

fn word<'a>(step: &'a Value, name: &str) -> &'a str {
    step[name].as_str().unwrap_or_default()
}
