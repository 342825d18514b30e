//! Every table has its place in the documentation.

use std::{collections::BTreeSet, fs, path::Path};

use rusqlite::Connection;
use tokio_postgres::Client;

use crate::databases;

#[tokio::test]
async fn every_table_is_listed_in_the_page_of_the_places_and_nothing_else_is() {
    let (_store, database) = databases::postgres().await;
    let client = databases::connect(&database.url()).await;
    let sqlite = databases::sqlite().await;

    let mut tables = of_postgres(&client).await;
    tables.extend(of_sqlite(&sqlite.connect()));

    assert_eq!(listed(), tables);
}

/// The first cells of the rows of the page's table.
fn listed() -> BTreeSet<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/concepts/places.md");
    let page = fs::read_to_string(path).unwrap();
    let names = page
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split_once('`'));
    names.map(|(name, _)| name.to_owned()).collect()
}

async fn of_postgres(client: &Client) -> BTreeSet<String> {
    let sql = "SELECT tablename::text FROM pg_tables WHERE schemaname = 'public'";
    let rows = client.query(sql, &[]).await.unwrap();
    rows.iter().map(|row| row.get(0)).collect()
}

fn of_sqlite(connection: &Connection) -> BTreeSet<String> {
    let sql = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'";
    let mut statement = connection.prepare(sql).unwrap();
    let names = statement.query_map([], |row| row.get(0));
    names.unwrap().map(Result::unwrap).collect()
}
