//! The texts of statements, as they are explained and as plans speak of them.

use baton_sql::inside::{MYSQL, Statement};

use super::values::value_of;
use crate::plans::BIG;

/// What is big besides: elsewhere these are columns of other tables.
const BIG_HERE: [&str; 4] = ["leased", "leased_blocks", "successes", "success_blocks"];

/// The text that the kernel would send, of a statement that reads something. Whether the one before has changed something is not known.
pub fn with_values(script: &str, statement: &Statement) -> Option<String> {
    let sql = statement.sql.replace("row_count() > 0", "rand() < 0.5");
    // One variable that is a number in this statement, and an id in others.
    let sql = sql.replace("nth > @last", "nth > 10");
    let names = statement.params.iter().enumerate().rev();
    let is_batch = sql.contains("VALUES (");
    (!is_batch).then(|| {
        names.fold(sql, |sql, (i, name)| {
            sql.replace(&format!("?{}", i + 1), value_of(script, name))
        })
    })
}

/// How its plan is asked for.
pub fn question(sql: &str) -> String {
    let variable = sql
        .strip_prefix("SET ")
        .and_then(|set| set.split_once(" = "));
    let asked = variable.map_or_else(|| sql.to_owned(), |(_, value)| format!("SELECT {value}"));
    // What MySQL 9 tells else is a tree.
    format!("EXPLAIN /*!80000 FORMAT=TRADITIONAL */ {asked}")
}

pub fn reads_a_big_table(sql: &str) -> bool {
    let words: Vec<_> = words(sql).collect();
    let reads = |word| ["FROM", "JOIN", "STRAIGHT_JOIN"].contains(&word);
    words
        .windows(2)
        .any(|pair| reads(pair[0]) && is_table(pair[1]))
}

/// Whether an index of it is forced, whatever name the text gives it.
pub fn is_forced(name: &str, sql: &str) -> bool {
    sql.contains(&format!(" {name} FORCE INDEX"))
}

/// A plan calls a table by the name that the text gives it, or that of a view.
pub fn is_big(name: &str, sql: &str) -> bool {
    let views = MYSQL
        .iter()
        .flat_map(|step| step.sql.split("CREATE VIEW ").skip(1));
    let is_seen = |view: &&str| words(sql).any(|word| words(view).next() == Some(word));
    let mut texts = views.filter(is_seen).chain([sql]);
    is_table(name) || texts.any(|text| calls(text, name, is_table))
}

/// If a step of it locks the rows that it reads, and waits for those that somebody else has locked.
pub fn locks(kind: &str, sql: &str) -> bool {
    let waits = ["FOR UPDATE", "LOCK IN SHARE MODE"];
    ["DELETE", "UPDATE"].contains(&kind)
        || kind != "DERIVED"
            && waits.iter().any(|word| sql.contains(word))
            && !sql.contains("SKIP LOCKED")
}

/// If others see it, too: it is not a table of the session.
pub fn is_shared(name: &str, sql: &str) -> bool {
    let steps = MYSQL
        .iter()
        .flat_map(|step| step.sql.split("CREATE TABLE ").skip(1));
    let tables: Vec<_> = steps.filter_map(|table| words(table).next()).collect();
    let is_shared = |name: &str| tables.contains(&name);
    is_shared(name) || calls(sql, name, is_shared)
}

/// Whether a text gives this name to one of these tables.
fn calls(text: &str, name: &str, is_one: impl Fn(&str) -> bool) -> bool {
    let words: Vec<_> = words(text).collect();
    words
        .windows(2)
        .any(|pair| is_one(pair[0]) && pair[1] == name)
}

fn is_table(name: &str) -> bool {
    BIG.contains(&name) || BIG_HERE.contains(&name)
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split_whitespace()
        .map(|word| word.trim_matches([',', '(', ')', ';']))
}
