//! The dialects, and what each of them calls the same thing.
//!
//! In a script `{{name}}` stands for the word of the dialect, and `{{name :list type}}` for one that is told of what:
//! `{1}` and `{2}` in it are what follows the name. A cast, `::type`, is left out where it is not needed: only PostgreSQL
//! has to be told what a parameter is.
//!
//! A list is a parameter that `SqlStore::list` makes; one of which a statement takes each `member` is a column of a batch.

/// The dialects.
pub const DIALECTS: [&str; 3] = ["postgres", "sqlite", "mysql"];
/// The one that is told types.
const TYPED: &str = "postgres";

/// A word of each dialect, in the order of [`DIALECTS`].
type Word = (&'static str, [&'static str; DIALECTS.len()]);

#[rustfmt::skip]
const WORDS: &[Word] = &[
    // Whether it is in a list: `WHERE id {{in :ids uuid}}`.
    ("in", ["= ANY ({1}::{2}[])", "IN (SELECT value FROM json_each({1}))", "IN ({1})"]),
    // Whether it is one of those that a statement takes: all but these, or these only. PostgreSQL looks into a hash table, made
    // once: an array that is a parameter it would walk for every row.
    ("picked", ["({1} IN (SELECT unnest(:rows::uuid[]))) = :only::boolean", "({1} IN (SELECT value FROM json_each(:rows))) = :only", "({1} IN (:rows)) = :only"]),
    // A list as a table of one column, `value`: `FROM {{listed :marks text}} m`.
    ("listed", ["(SELECT unnest({1}::{2}[]) AS value)", "json_each({1})", "(SELECT value FROM json_table(json_array({1}), '$[*]' COLUMNS (value varchar(1024) PATH '$')) x WHERE value IS NOT NULL)"]),
    // The members of a list, each a row. SQLite runs the statement once for each: `SELECT {{member :ids uuid}} AS id`.
    ("member", ["unnest({1}::{2}[])", "{1}", "{1}"]),
    // A column that is a list, as the text of JSON.
    ("as_json", ["array_to_json({1})::text", "{1}", "{1}"]),
    // Where a text stands in another.
    ("strpos", ["strpos", "instr", "instr"]),
    // Locks. SQLite has one writer at a time.
    ("for_update", ["FOR UPDATE", "", "FOR UPDATE"]),
    ("for_update_skip_locked", ["FOR UPDATE SKIP LOCKED", "", "FOR UPDATE SKIP LOCKED"]),
    ("for_key_share", ["FOR KEY SHARE", "", "LOCK IN SHARE MODE"]),
    // At the end of a query that is to be asked row by row, and never becomes a join.
    ("row_by_row", ["OFFSET 0", "", ""]),
    // After a table that is read as a whole: in the order of the disk, whatever the planner may not do. An index would be read
    // row by row.
    ("in_disk_order", ["TABLESAMPLE SYSTEM (100)", "", ""]),
    // The order of names, which is that of their bytes.
    ("byte_order", ["COLLATE \"C\"", "COLLATE BINARY", ""]),
    // Whether a text is none. SQLite keeps whatever somebody puts into a column.
    ("is_no_text", ["false", "typeof({1}) <> 'text'", "false"]),
    // How many jobs of a row of `ready_batches` are still in it, and who they are.
    ("left_in_batch", ["n - taken", "n", "n"]),
    ("batched", ["(SELECT unnest(jobs[taken + 1:]) AS job_id FROM ready_batches)", "batched", "batched"]),
    // Whether this is another copy of the database than the one its history belongs to. A file does not know that it is a copy:
    // whoever puts one back says so.
    ("is_another_copy", ["incarnation IS DISTINCT FROM coalesce(incarnation(tableoid), incarnation)", "0", "0"]),
];

/// What a dialect calls it; `None`: it is no word.
pub fn said(token: &str, dialect: &str) -> Option<String> {
    let mut parts = token.split_whitespace();
    let name = parts.next()?;
    let (_, words) = WORDS.iter().find(|(known, _)| *known == name)?;
    let place = DIALECTS.iter().position(|known| *known == dialect)?;
    let mut said = words[place].to_owned();
    for (i, part) in parts.enumerate() {
        said = said.replace(&format!("{{{}}}", i + 1), part);
    }
    assert!(!said.contains('{'), "{{{{{token}}}}} does not say of what");
    Some(said)
}

/// A cast to the type that a text begins with, for whom it is told, and what follows it.
pub fn cast<'a>(text: &'a str, dialect: &str) -> (String, &'a str) {
    let is_of_type = |c: char| c.is_ascii_alphanumeric() || "_[]".contains(c);
    let end = text.find(|c| !is_of_type(c)).unwrap_or(text.len());
    let (kind, rest) = text.split_at(end);
    let said = if dialect == TYPED {
        format!("::{kind}")
    } else {
        String::new()
    };
    (said, rest)
}

/// Names of columns that are words of a dialect's own, which it takes between quotes only.
const RESERVED: (&str, [&str; 2]) = ("mysql", ["cursor", "key"]);

/// The reserved name that a text begins with, given what stands before it.
pub fn reserved(before: &str, text: &str, dialect: &str) -> Option<&'static str> {
    let (of, names) = RESERVED;
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '"';
    if dialect != of || before.ends_with(is_part) {
        return None;
    }
    let is_whole = |name: &&&str| {
        text.strip_prefix(**name)
            .is_some_and(|rest| !rest.starts_with(is_part))
    };
    names.iter().find(is_whole).copied()
}
