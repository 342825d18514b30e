//! Every table has its place in the documentation.

use std::{collections::BTreeSet, fs, path::Path};

const DIALECTS: [&str; 3] = ["sqlite", "postgres", "mysql"];

#[test]
fn every_table_is_listed_in_the_page_of_the_places_and_nothing_else_is() {
    let listed = listed();

    let tables: BTreeSet<_> = DIALECTS.into_iter().flat_map(tables_of).collect();

    assert_eq!(listed, tables);
}

/// The first cells of the rows of the page's table.
fn listed() -> BTreeSet<String> {
    let page = read("../../docs/concepts/places.md");
    let lines = page.lines();
    let names = lines.filter_map(|line| line.strip_prefix("| `")?.split_once('`'));
    names.map(|(name, _)| name.to_owned()).collect()
}

/// By the committed schema, which another test holds against the database.
fn tables_of(dialect: &str) -> Vec<String> {
    let schema = read(&format!("schema/{dialect}.sql"));
    let lines = schema.lines();
    let names = lines.filter_map(|line| line.strip_prefix("CREATE TABLE ")?.split_once(" ("));
    names
        .map(|(name, _)| name.trim_matches('`').to_owned())
        .collect()
}

fn read(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}
