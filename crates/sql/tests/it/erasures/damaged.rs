//! Each text of each row that names a person, damaged in turn: the erasure comes to its end, and nothing names them.

use std::{collections::BTreeSet, sync::Arc};

use baton_ports::promises::{Bench, CANARY, Canary, TRACE};
use baton_sql::SqlStore;
use baton_testkit::{Brand, Postgres};
use mysql_async::{Conn, prelude::Queryable};
use rusqlite::Connection;

use super::{FEW, bench, search};
use crate::{brands::on_each_brand, databases, unreadable::each};

on_each_brand!(whichever_text_of_mysql_is_damaged_a_person_is_erased);

/// Tables of which no row is asked for by what stands in it.
const TABLES: [&str; 10] = [
    "attempts",
    "campaigns",
    "dead_letter_groups",
    "facts",
    "jobs",
    "late_results",
    "notifications",
    "recipients",
    "schedules",
    "successes",
];

/// By what a thing is found: under another name it is another thing, of other people.
const NAMES: [(&str, &str); 4] = [
    ("jobs", "kind"),
    ("jobs", "key"),
    ("recipients", "id"),
    ("schedules", "name"),
];

/// What stands in every text that is theirs alone: the id and the addresses.
const THEIRS: [&str; 3] = [CANARY, "canary-push-token", "canary@nest.example"];

struct Damage {
    table: String,
    column: String,
    /// What stands there instead, where it did not name them.
    with: &'static str,
}

impl Damage {
    fn sql(&self, row: &str) -> String {
        let Self {
            table,
            column,
            with,
        } = self;
        format!(
            "UPDATE {table} SET {column} = CASE WHEN {column} LIKE '%{TRACE}%' THEN 'x' || {column} ELSE {with} END WHERE {row} LIKE '%{TRACE}%' AND {column} IS NOT NULL"
        )
    }
}

fn is_meant(table: &str, column: &str) -> bool {
    TABLES.contains(&table) && !NAMES.contains(&(table, column))
}

#[tokio::test]
async fn whichever_text_of_sqlite_is_damaged_a_person_is_erased() {
    let sqlite = databases::sqlite().await;
    let bench = bench(&sqlite.store);
    let canary = bench.plant().await;
    let planted = sqlite.connect();
    let mut wrong = Vec::new();
    let places = each::of_sqlite(&planted).into_iter();
    let places: Vec<_> = places
        .filter(|place| is_meant(&place.table, &place.column))
        .collect();
    assert!(places.len() > 25);

    for place in places {
        for with in ["X'FF'", "'no such thing'"] {
            let each::Place { table, column } = &place;
            let damage = Damage {
                table: table.clone(),
                column: column.clone(),
                with,
            };
            let folder = databases::empty_folder();
            let sql = format!("VACUUM INTO '{}'", folder.file().display());
            planted.execute_batch(&sql).unwrap();
            let store = databases::open(&folder.url()).await;
            damage_sqlite(&folder.connect(), &damage);
            let told = erase(&store, &bench, &canary).await;
            let left = search::words_of_sqlite(&folder.connect(), &THEIRS);
            wrong.extend(judge(&damage, told, left));
        }
    }

    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn damage_sqlite(connection: &Connection, damage: &Damage) {
    let mut statement = connection
        .prepare("SELECT group_concat('coalesce(CAST(' || name || ' AS text), '''')', ' || ') FROM pragma_table_info(?)")
        .unwrap();
    let row: String = statement
        .query_row([&damage.table], |row| row.get(0))
        .unwrap();
    connection
        .execute_batch(&format!(
            "PRAGMA ignore_check_constraints = ON; {}",
            damage.sql(&format!("({row})"))
        ))
        .unwrap();
}

#[tokio::test]
async fn whichever_text_of_postgresql_is_damaged_a_person_is_erased() {
    let (store, database) = databases::postgres().await;
    let bench = bench(&store);
    let canary = bench.plant().await;
    let client = databases::connect(&database.url()).await;
    client.batch_execute(each::UNCHECKED).await.unwrap();
    let places = each::of_postgres(&client).await.into_iter();
    let places: Vec<_> = places
        .filter(|place| is_meant(&place.table, &place.column))
        .collect();
    assert!(places.len() > 20);
    drop((store, client));
    let mut wrong = Vec::new();

    for (number, each::Place { table, column }) in places.into_iter().enumerate() {
        let copy = copy_of(&database.url(), number);
        let client = databases::connect(&copy).await;
        let damage = Damage {
            table,
            column,
            with: "'no such thing'",
        };
        let row = format!("{}::text", damage.table);
        client.batch_execute(&damage.sql(&row)).await.unwrap();
        let store = databases::open(&copy).await;
        let told = erase(&store, &bench, &canary).await;
        let left = search::words_of_postgres(&copy, &THEIRS).await;
        wrong.extend(judge(&damage, told, left));
    }

    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A copy of a database on the shared server.
fn copy_of(url: &str, number: usize) -> String {
    let (server, name) = url.rsplit_once('/').unwrap();
    let (name, rest) = name
        .split_once('?')
        .map_or((name, String::new()), |(name, rest)| {
            (name, format!("?{rest}"))
        });
    let postgres = Postgres::shared();
    postgres.execute(&format!(
        "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '{name}'"
    ));
    postgres.execute(&format!("CREATE DATABASE {name}_{number} TEMPLATE {name}"));
    format!("{server}/{name}_{number}{rest}")
}

async fn whichever_text_of_mysql_is_damaged_a_person_is_erased(brand: Brand) {
    let (store, url) = databases::mysql(brand).await;
    let bench = bench(&store);
    let canary = bench.plant().await;
    drop(store);
    let mut session = Conn::from_url(&url).await.unwrap();
    each::uncheck_mysql(&mut session, brand).await;
    // The same words as on the others join texts.
    let joins = "SET SESSION sql_mode = concat(@@sql_mode, ',PIPES_AS_CONCAT')";
    session.query_drop(joins).await.unwrap();
    let places = each::of_mysql(&mut session).await.into_iter();
    let places: Vec<_> = places
        .filter(|place| is_meant(&place.table, &place.column))
        .collect();
    assert!(places.len() > 20);
    let put_back = keep(&mut session).await;
    let mut wrong = Vec::new();

    for each::Place { table, column } in places {
        let damage = Damage {
            table,
            // A column may be called as a word of the language is.
            column: format!("`{column}`"),
            with: "'no such thing'",
        };
        let columns = each::columns_of_mysql(&mut session, &damage.table).await;
        let row = format!("concat_ws('', {columns})");
        session.query_drop(damage.sql(&row)).await.unwrap();
        let store = databases::open(&url).await;
        let told = erase(&store, &bench, &canary).await;
        drop(store);
        let left = search::words_of_mysql(&url, &THEIRS).await;
        wrong.extend(judge(&damage, told, left));
        session.query_drop(put_back.as_str()).await.unwrap();
    }

    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Keeps all that the tables hold for this session; what puts it back.
async fn keep(session: &mut Conn) -> String {
    let tables = "SELECT table_name FROM information_schema.tables WHERE table_schema = database() AND table_type = 'BASE TABLE'";
    let tables: Vec<String> = session.query(tables).await.unwrap();
    let mut put_back = Vec::new();
    for table in tables {
        let columns = each::columns_of_mysql(session, &table).await;
        let kept = format!("CREATE TEMPORARY TABLE kept_{table} AS SELECT {columns} FROM {table}");
        session.query_drop(kept).await.unwrap();
        put_back.push(format!(
            "DELETE FROM {table}; INSERT INTO {table} ({columns}) SELECT * FROM kept_{table}"
        ));
    }
    format!("BEGIN; {}; COMMIT", put_back.join(";\n"))
}

/// Erases the canary from a copy of what was planted; the tables of which something was told.
async fn erase(
    store: &SqlStore,
    bench: &Bench,
    canary: &Canary,
) -> Result<BTreeSet<&'static str>, String> {
    let mut bench = bench.clone();
    bench.store = Arc::new(store.clone());
    let (canary, erasing) = (canary.clone(), bench.clone());
    let erased = tokio::spawn(async move { erasing.erase_canary(&canary, FEW).await });
    let ended = erased.await.map_err(|error| error.to_string())?;
    assert!(ended.finished_at.is_some());
    let told = bench.store.unreadable().await.unwrap();
    Ok(told.into_iter().map(|row| row.table).collect())
}

/// What is not as it must be.
fn judge(
    damage: &Damage,
    told: Result<BTreeSet<&'static str>, String>,
    left: Vec<String>,
) -> Vec<String> {
    let Damage {
        table,
        column,
        with,
    } = damage;
    let mut wrong: Vec<_> = left
        .into_iter()
        .map(|left| format!("{table}.{column} = {with}: left in {left}"))
        .collect();
    if let Err(error) = told {
        wrong.push(format!("{table}.{column} = {with}: {error}"));
    }
    wrong
}
