//! Searches every column of every table.

use baton_ports::promises::TRACE;
use mysql_async::{Conn, prelude::Queryable};
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

/// The tables of MySQL or MariaDB that hold a trace, in any column.
pub async fn places_of_mysql(url: &str) -> Vec<String> {
    words_of_mysql(url, &[TRACE]).await
}

/// The tables of MySQL or MariaDB that hold one of these words, in any column.
pub async fn words_of_mysql(url: &str, words: &[&str]) -> Vec<String> {
    let mut session = Conn::from_url(url).await.unwrap();
    // As bytes: neither the kind of a column nor how its texts are compared hides anything.
    let any = words.iter().map(|word| {
        format!("concat('locate(''{word}'', CAST(`', c.column_name, '` AS BINARY)) > 0')")
    });
    let any: Vec<_> = any.collect();
    let searches = format!(
        "SELECT c.table_name, group_concat(concat_ws(' OR ', {}) SEPARATOR ' OR ')
         FROM information_schema.columns c
         JOIN information_schema.tables t ON t.table_schema = c.table_schema AND t.table_name = c.table_name
         WHERE c.table_schema = database() AND t.table_type = 'BASE TABLE' GROUP BY c.table_name ORDER BY 1",
        any.join(", ")
    );
    let whole = "SET SESSION group_concat_max_len = 1000000";
    session.query_drop(whole).await.unwrap();
    let tables: Vec<(String, String)> = session.query(searches).await.unwrap();
    let mut places = Vec::new();
    for (table, any) in tables {
        let sql = format!("SELECT count(*) FROM `{table}` WHERE {any}");
        let found: Option<i64> = session.query_first(sql).await.unwrap();
        if found != Some(0) {
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
