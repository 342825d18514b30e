//! Scripts for each logical table: how a page of it is found, read and written in each dialect.
//!
//! They are made from the table of tables, once in the life of the process, and run by the kernel like those of `statements/`.
//! A page is the rows between two keys: the keys are looked at first, with the size of each row, so that a page of large rows
//! is a short one.

mod text;

use std::{collections::BTreeMap, sync::LazyLock};

use self::text::{Dialect, listed, quoted, script};
use super::tables::{Column, Kind, Layout, SETTLEMENTS, SUCCESSES, TABLES, Table};
use crate::statement::Script;

/// Some rows of a logical table that are found in one way.
#[derive(Debug)]
pub struct Part {
    /// What its progress is written down by.
    pub name: &'static str,
    /// The table its rows belong to.
    pub table: &'static Table,
    /// The columns of its key.
    pub key: Vec<Column>,
    /// The keys from the beginning, and those after one, each with the size of its row.
    pub keys: [&'static Script; 2],
    /// The rows from the beginning, and those after a key: as many as asked for, or up to a key.
    pub rows: [&'static Script; 2],
    /// Whether its rows are read up to a key.
    pub is_range: bool,
}

/// The scripts of a dialect.
#[derive(Debug)]
pub struct Scripts {
    /// The parts of all tables.
    pub parts: Vec<Part>,
    inserts: BTreeMap<&'static str, &'static Script>,
}

impl Scripts {
    /// Those of this dialect.
    #[must_use]
    pub fn of(dialect: &str) -> &'static Self {
        static POSTGRES: LazyLock<Scripts> = LazyLock::new(|| made(Dialect::Postgres));
        static SQLITE: LazyLock<Scripts> = LazyLock::new(|| made(Dialect::Sqlite));
        static MYSQL: LazyLock<Scripts> = LazyLock::new(|| made(Dialect::Mysql));
        match dialect {
            "postgres" => &POSTGRES,
            "sqlite" => &SQLITE,
            _ => &MYSQL,
        }
    }

    /// Writes rows of a table that every dialect has.
    pub(super) fn insert(&self, table: &Table) -> &'static Script {
        self.inserts[table.name]
    }
}

fn made(dialect: Dialect) -> Scripts {
    let parts = TABLES.iter().flat_map(|table| parts(table, dialect));
    let written = TABLES
        .iter()
        .filter(|table| table.layout != Layout::Successes)
        .chain([&SETTLEMENTS, &SUCCESSES]);
    Scripts {
        parts: parts.collect(),
        inserts: written
            .map(|table| (table.name, insert(table, dialect)))
            .collect(),
    }
}

fn parts(table: &'static Table, dialect: Dialect) -> Vec<Part> {
    match table.layout {
        Layout::Rows => vec![rows(table, dialect)],
        Layout::Ready => vec![rows(table, dialect), batches(table, dialect)],
        Layout::Successes => vec![successes(table, dialect)],
    }
}

/// The rows of the table itself, in the order of its key.
fn rows(table: &'static Table, dialect: Dialect) -> Part {
    let key: Vec<_> = table
        .key
        .iter()
        .map(|name| table.columns[table.column(name).0])
        .collect();
    let named = listed(table.key.iter().map(|name| quoted(name)), ", ");
    let name = quoted(table.name) + in_order(table, dialect);
    let size = size(table.columns, dialect);
    let read = listed(
        table.columns.iter().map(|column| read(*column, dialect)),
        ", ",
    );
    let after = [
        format!("{} IS NOT NULL", quoted(table.key[0])),
        after(&key, dialect),
    ];
    let select = |what: &str, after: &str| {
        let sql = format!("SELECT {what} FROM {name} WHERE {after} ORDER BY {named} LIMIT :limit");
        script(table.name, &sql, dialect)
    };
    Part {
        name: table.name,
        table,
        keys: [0, 1].map(|i| select(&format!("{named}, {size}"), &after[i])),
        rows: [0, 1].map(|i| select(&read, &after[i])),
        key,
        is_range: false,
    }
}

/// Has MySQL walk the index of the key, whatever it believes of the table: it would rather sort all of one that it takes for small.
fn in_order(table: &Table, dialect: Dialect) -> &'static str {
    match (dialect, table.name) {
        (Dialect::Postgres | Dialect::Sqlite, _) => "",
        (Dialect::Mysql, "facts") => " FORCE INDEX (facts_number)",
        (Dialect::Mysql, "ready") => " FORCE INDEX (ready_job)",
        (Dialect::Mysql, _) => " FORCE INDEX (PRIMARY)",
    }
}

/// What a job in a batch is taken for: it is looked at only when it is read.
const SIZE_IN_BATCH: u32 = 4_096;

/// The jobs that stand together in `ready_batches`, some batches at a time.
fn batches(table: &'static Table, dialect: Dialect) -> Part {
    let (left, from) = match dialect {
        Dialect::Postgres => (
            "CAST(n - taken AS bigint)",
            "SELECT u.job_id, b.queue, b.priority, b.run_at, b.expires_at, b.since, 0, 0, 0, 1 FROM ready_batches b \
             CROSS JOIN LATERAL unnest(b.jobs[b.taken + 1 :]) AS u (job_id) WHERE b.first",
        ),
        Dialect::Sqlite | Dialect::Mysql => (
            "n",
            "SELECT job_id, queue, priority, run_at, expires_at, since, 0, 0, 0, 1 FROM batched WHERE batch",
        ),
    };
    let column = from.rsplit(' ').next().unwrap_or_default();
    let keys = |after: &str| {
        let sql = format!(
            "SELECT first, {left} * {SIZE_IN_BATCH} FROM ready_batches WHERE first IS NOT NULL{after} ORDER BY first LIMIT :limit"
        );
        script("ready_batches", &sql, dialect)
    };
    let rows = |after: &str| script("ready_batches", &format!("{from} <= :upto{after}"), dialect);
    Part {
        name: "ready_batches",
        table,
        key: vec![Column {
            name: "first",
            kind: Kind::Id,
        }],
        keys: [keys(""), keys(" AND first > :first")],
        rows: [rows(""), rows(&format!(" AND {column} > :first"))],
        is_range: true,
    }
}

/// What a success is taken for: how large its result is, is seen only as it is read.
const SIZE_OF_SUCCESS: u32 = 16_384;

/// First attempts that succeeded, some jobs at a time, however a dialect keeps them.
fn successes(table: &'static Table, dialect: Dialect) -> Part {
    let columns = listed(
        table
            .columns
            .iter()
            .map(|column| format!("r.{}", column.name)),
        ", ",
    );
    let keys = |after: &str| {
        let sql = format!(
            "SELECT id, {SIZE_OF_SUCCESS} FROM jobs WHERE id IS NOT NULL{after} ORDER BY id LIMIT :limit"
        );
        script("successes", &sql, dialect)
    };
    // What is left out is told the bounds as well: who makes a table of it first does not make one of all attempts.
    let rows = |after: &str| {
        let of_attempts = after.replace("r.", "a.");
        let sql = format!(
            "SELECT {columns} FROM results r WHERE r.job_id <= :upto{after} AND r.attempt = 1 AND r.outcome = 'succeeded' \
             AND NOT EXISTS (SELECT 1 FROM attempts a WHERE a.job_id = r.job_id AND a.attempt = 1 AND a.job_id <= :upto{of_attempts})"
        );
        script("successes", &sql, dialect)
    };
    Part {
        name: "successes",
        table,
        key: vec![Column {
            name: "id",
            kind: Kind::Id,
        }],
        keys: [keys(""), keys(" AND id > :id")],
        rows: [rows(""), rows(" AND r.job_id > :id")],
        is_range: true,
    }
}

/// Whether a row comes after the one with this key. MySQL finds a range only in what it is told piece by piece.
fn after(key: &[Column], dialect: Dialect) -> String {
    if let ([first, second], Dialect::Mysql) = (key, dialect) {
        let (a, b) = (first.name, second.name);
        return format!("(\"{a}\" > :{a} OR \"{a}\" = :{a} AND \"{b}\" > :{b})");
    }
    let names = listed(key.iter().map(|column| quoted(column.name)), ", ");
    let marks = listed(key.iter().map(|column| format!(":{}", column.name)), ", ");
    format!("({names}) > ({marks})")
}

/// How many bytes a row takes, as far as that is not bounded by its columns.
fn size(columns: &[Column], dialect: Dialect) -> String {
    let sizes = columns.iter().filter_map(|column| {
        let name = quoted(column.name);
        match (column.kind, dialect) {
            (Kind::Ids, Dialect::Postgres) => {
                Some(format!("coalesce(cardinality({name}), 0) * 40"))
            }
            (Kind::Wholes, Dialect::Postgres) => {
                Some(format!("coalesce(cardinality({name}), 0) * 12"))
            }
            (Kind::Text | Kind::Ids | Kind::Wholes, _) => {
                Some(format!("coalesce(octet_length({name}), 0)"))
            }
            _ => None,
        }
    });
    listed(sizes.chain(["100".to_owned()]), " + ")
}

fn read(column: Column, dialect: Dialect) -> String {
    let name = quoted(column.name);
    match (column.kind, dialect) {
        (Kind::Ids | Kind::Wholes, Dialect::Postgres) => format!("array_to_json({name})::text"),
        _ => name,
    }
}

fn insert(table: &'static Table, dialect: Dialect) -> &'static Script {
    let names = listed(table.columns.iter().map(|column| quoted(column.name)), ", ");
    let name = quoted(table.name);
    let sql = if dialect == Dialect::Postgres {
        let written = listed(table.columns.iter().map(written), ", ");
        let lists = listed(table.columns.iter().map(unnested), ", ");
        format!(
            "INSERT INTO {name} ({names}) OVERRIDING SYSTEM VALUE SELECT {written} FROM unnest({lists}) AS u ({names})"
        )
    } else {
        let marks = listed(
            table
                .columns
                .iter()
                .map(|column| format!(":{}", column.name)),
            ", ",
        );
        format!("INSERT INTO {name} ({names}) VALUES ({marks})")
    };
    script(table.name, &sql, dialect)
}

/// A column of a batch as PostgreSQL is given it: a list of lists it knows not.
fn unnested(column: &Column) -> String {
    let of = match column.kind {
        Kind::Id => "uuid",
        Kind::Text | Kind::Ids | Kind::Wholes => "text",
        Kind::Whole => "bigint",
        Kind::Flag => "boolean",
        Kind::Number => "double precision",
    };
    format!(":{}::{of}[]", column.name)
}

fn written(column: &Column) -> String {
    let name = format!("u.{}", quoted(column.name));
    let of = match column.kind {
        Kind::Ids => "uuid",
        Kind::Wholes => "bigint",
        _ => return name,
    };
    format!(
        "CASE WHEN {name} IS NOT NULL THEN ARRAY(SELECT x.value::{of} FROM json_array_elements_text({name}::json) WITH ORDINALITY AS x (value, place) ORDER BY x.place) END"
    )
}
