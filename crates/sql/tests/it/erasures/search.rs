//! Searches every column of every table.

use baton_ports::promises::TRACE;
use rusqlite::{Connection, types::ValueRef};

use crate::databases;

/// The tables of PostgreSQL that hold a trace, in any column.
pub async fn places_of_postgres(url: &str) -> Vec<String> {
    words_of_postgres(url, &[TRACE]).await
}

/// The tables of PostgreSQL that hold one of these words, in any column.
pub async fn words_of_postgres(url: &str, words: &[&str]) -> Vec<String> {
    let client = databases::connect(url).await;
    let tables = "SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY 1";
    let mut places = Vec::new();
    for row in client.query(tables, &[]).await.unwrap() {
        let table: String = row.get(0);
        let any = words.join("|");
        let sql = format!("SELECT x::text FROM {table} x WHERE x::text ~ '{any}' LIMIT 3");
        let found = client.query(&sql, &[]).await.unwrap();
        if !found.is_empty() {
            found
                .iter()
                .for_each(|row| println!("{table}: {}", row.get::<_, String>(0)));
            places.push(table);
        }
    }
    places
}

/// The tables of SQLite that hold a trace, in any column.
pub fn places_of_sqlite(connection: &Connection) -> Vec<String> {
    words_of_sqlite(connection, &[TRACE])
}

/// The tables of SQLite that hold one of these words, in any column.
pub fn words_of_sqlite(connection: &Connection, words: &[&str]) -> Vec<String> {
    let tables = "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY 1";
    let mut statement = connection.prepare(tables).unwrap();
    let tables = statement
        .query_map([], |row| row.get::<_, String>(0))
        .unwrap();
    let tables: Vec<_> = tables.map(Result::unwrap).collect();
    let holds = |table: &String| has_word(connection, table, words);
    tables.into_iter().filter(holds).collect()
}

fn has_word(connection: &Connection, table: &str, words: &[&str]) -> bool {
    let mut statement = connection
        .prepare(&format!("SELECT * FROM {table}"))
        .unwrap();
    let columns = statement.column_count();
    let mut rows = statement.query([]).unwrap();
    let mut found = false;
    while let Some(row) = rows.next().unwrap() {
        for i in 0..columns {
            if let ValueRef::Text(text) | ValueRef::Blob(text) = row.get_ref(i).unwrap()
                && words
                    .iter()
                    .any(|word| String::from_utf8_lossy(text).contains(word))
            {
                println!("{table}: {}", String::from_utf8_lossy(text));
                found = true;
            }
        }
    }
    found
}
