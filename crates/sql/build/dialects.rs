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
    ("picked", ["({1} IN (SELECT unnest(:rows::uuid[]))) = :only::boolean", "({1} IN (SELECT value FROM json_each(:rows))) = :only", "coalesce({1} IN (:rows), 0) = :only"]),
    // A list as a table of one column, `value`: `FROM {{listed :marks text}} m`.
    ("listed", ["(SELECT unnest({1}::{2}[]) AS value)", "json_each({1})", "(SELECT value FROM json_table(json_array({1}), '$[*]' COLUMNS (value longtext PATH '$')) x WHERE value IS NOT NULL)"]),
    // The members of a list, each a row. SQLite runs the statement once for each: `SELECT {{member :ids uuid}} AS id`.
    ("member", ["unnest({1}::{2}[])", "{1}", "{1}"]),
    // A column that is a list, as the text of JSON.
    ("as_json", ["array_to_json({1})::text", "{1}", "{1}"]),
    // The block that the id of a job belongs to, and its bit there. MySQL alone has blocks.
    ("block", ["", "", "concat(left({1}, 34), ord(unhex(right({1}, 2))) >> 6)"]),
    ("bit", ["", "", "(1 << (ord(unhex(right({1}, 2))) & 63))"]),
    // What a text of a block has at the place of a job, told of the job's id and of the first of the block.
    ("in_block", ["", "", "json_extract(CASE WHEN json_valid({1}) THEN {1} END, concat('$[', ord(unhex(right({2}, 2))) - ord(unhex(right({3}, 2))), ']'))"]),
    // The last 40 bits of an id as a number, and whether so many ids have no gaps from the first to the last.
    ("number_of", ["", "", "CAST(conv(right({1}, 10), 16, 10) AS unsigned)"]),
    ("is_dense", ["", "", "left({1}, 26) = left({2}, 26) AND CAST(conv(right({2}, 10), 16, 10) AS unsigned) - CAST(conv(right({1}, 10), 16, 10) AS unsigned) + 1 = {3}"]),
    // Where a text stands in another.
    ("strpos", ["strpos", "instr", "instr"]),
    // Whether there are hints for a queue: not for one of remote workers, who wait at a server.
    ("is_hinted_at", [
        "NOT EXISTS (SELECT 1 FROM queues hq WHERE hq.name = {1} AND hq.worked_by = 'remote' OFFSET 0)",
        "NOT EXISTS (SELECT 1 FROM queues hq WHERE hq.name = {1} AND hq.worked_by = 'remote')",
        "NOT EXISTS (SELECT 1 FROM queues hq WHERE hq.name = {1} AND hq.worked_by = 'remote')",
    ]),
    // Locks. SQLite has one writer at a time.
    ("for_update", ["FOR UPDATE", "", "FOR UPDATE"]),
    ("for_update_skip_locked", ["FOR UPDATE SKIP LOCKED", "", "FOR UPDATE SKIP LOCKED"]),
    ("for_key_share", ["FOR KEY SHARE", "", ""]),
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
    // The greatest and the least of several values.
    ("greatest", ["greatest", "max", "greatest"]),
    ("least", ["least", "min", "least"]),
    // The values of rows as an array of JSON.
    ("gathered", ["json_agg", "json_group_array", "json_arrayagg"]),
    // At the end of an INSERT: nothing is done about one that is there; told of its table, its key, and a column of that.
    ("unless_there", ["ON CONFLICT ({2}) DO NOTHING", "ON CONFLICT ({2}) DO NOTHING", "ON DUPLICATE KEY UPDATE {3} = {1}.{3}"]),
    // At the end of an INSERT: what becomes of one that is there, by its key.
    ("if_there", ["ON CONFLICT ({1}) DO UPDATE SET", "ON CONFLICT ({1}) DO UPDATE SET", "ON DUPLICATE KEY UPDATE"]),
    // What was to be inserted.
    ("new", ["excluded.{1}", "excluded.{1}", "VALUES({1})"]),
    // Whether two differ, nothing being a value like others.
    ("differs", ["{1} IS DISTINCT FROM {2}", "{1} IS DISTINCT FROM {2}", "NOT ({1} <=> {2})"]),
    // The type of a whole number.
    ("whole", ["bigint", "bigint", "signed"]),
    // How many batches are taken for so many jobs.
    ("some_batches", ["1 + {1}::bigint / 1000", "1 + {1} / 1000", "2"]),
    // At the end of an INSERT: nothing is done about one that is there, by whatever key; told of its table and a column.
    ("unless_taken", ["ON CONFLICT DO NOTHING", "ON CONFLICT DO NOTHING", "ON DUPLICATE KEY UPDATE {1}.{2} = {1}.{2}"]),
    // At the end of a change of one row: what is in it then, told of its table, its key and the value of that. MySQL counts rows that
    // have become others, and not those that were found so.
    ("returning", ["RETURNING {1}", "RETURNING {1}", ";\nSELECT {1} FROM {2} WHERE {3} = {4} AND row_count() > 0"]),
    // At the end of a DELETE of one row: what it was called by.
    ("returning_gone", ["RETURNING {1}", "RETURNING {1}", ";\nSELECT {2} WHERE row_count() > 0"]),
    // Whether the statement before changed a row.
    ("has_changed", ["", "changes() > 0", "row_count() > 0"]),
    // Whoever looks for marks of the erased is waited for by who makes one, and waits. PostgreSQL says so where it looks.
    ("hold_marks", ["", "", "SELECT id INTO @held FROM erasing WHERE id = 1 LOCK IN SHARE MODE;"]),
    // Holds a row from here on, told of its table, its key and the value of that. PostgreSQL says so in a statement of its own.
    ("hold", ["", "", "SELECT 1 INTO @held FROM {1} WHERE {2} = {3} FOR UPDATE;"]),
    ("hold_inbox", ["", "", "SELECT 1 INTO @held FROM inboxes WHERE recipient = (SELECT number FROM recipients WHERE id = :recipient) FOR UPDATE;"]),
    // Holds rows from here on, told of their table and a list of their ids, in the order of these: nobody who does so too is waited for in a
    // circle. MySQL walks a list so by itself.
    ("lock_all", ["SELECT id FROM {1} WHERE id = ANY ({2}::uuid[]) ORDER BY id FOR NO KEY UPDATE;", "", ""]),
    // A text of JSON with a member that is a text, told of its name and its value.
    ("with_member", ["({1}::jsonb || jsonb_build_object('{2}', {3}::text))::text", "json_set({1}, '$.{2}', {3})", "json_set({1}, '$.{2}', {3})"]),
    // Before a table that is to be read for each row of those before it, whatever the planner believes.
    ("straight_join", ["JOIN", "JOIN", "STRAIGHT_JOIN"]),
    // After a table whose rows are changed by its key, or looked for by it with a lock: whoever read it as a whole, because it was
    // small once, would wait for everybody.
    ("by_key", ["", "", "FORCE INDEX (PRIMARY)"]),
    ("by_number", ["", "", "FORCE INDEX (facts_number)"]),
    // A part of a query that is read once.
    ("materialized", ["MATERIALIZED", "MATERIALIZED", ""]),
    // A text that a client of another version may have damaged, and an id as a text.
    ("as_text", ["CAST({1} AS text)", "CAST({1} AS text)", "{1}"]),
    // How often a whole number is in another.
    ("per", ["{1} / {2}", "{1} / {2}", "{1} DIV {2}"]),
    // What is not so, as an index has it.
    ("is_off", ["NOT {1}", "NOT {1}", "{1} = 0"]),
    // How many there are in an array of JSON.
    ("length", ["json_array_length({1}::json)", "json_array_length({1})", "json_length({1})"]),
    // The ids of rows as an array of JSON, in the order of a column. SQLite takes them as they come.
    ("gathered_by", ["json_agg({1} ORDER BY {2})", "json_group_array({1})", "'[\"' || group_concat({1} ORDER BY {2} SEPARATOR '\",\"') || '\"]'"]),
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
