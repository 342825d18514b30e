//! The list of tables is held against the schema of each dialect: what a migration adds must be named, or it would be left behind.

use std::{collections::BTreeMap, fs, path::Path};

use baton_sql::inside::{LEFT_OUT, TABLES, WORKED_OUT};

use super::ALL;

#[test]
fn every_table_and_column_of_every_dialect_is_copied_or_left_out_for_a_reason() {
    for dialect in ALL {
        let schema = tables(dialect);
        assert!(
            schema.len() > 30,
            "{dialect}: {} tables are seen",
            schema.len()
        );

        let mut unknown = Vec::new();
        for (table, columns) in &schema {
            let is_left_out = LEFT_OUT.iter().any(|(name, _)| name == table);
            let listed = TABLES.iter().find(|listed| listed.name == table);
            match listed.filter(|_| !is_left_out) {
                None if is_left_out => {}
                None => unknown.push(table.clone()),
                Some(listed) => {
                    let is_named = |column: &&String| {
                        listed.columns.iter().any(|known| known.name == **column)
                            || WORKED_OUT.contains(&(table, column))
                    };
                    let unnamed = columns.iter().filter(|column| !is_named(column));
                    unknown.extend(unnamed.map(|column| format!("{table}.{column}")));
                }
            }
        }

        assert_eq!(
            unknown, [""; 0],
            "{dialect}: src/copy/tables.rs does not name them"
        );
        for table in TABLES.iter().filter(|table| table.name != "successes") {
            let columns = &schema[table.name];
            let gone = table
                .columns
                .iter()
                .filter(|column| !columns.iter().any(|known| known == column.name));
            assert_eq!(
                gone.map(|column| column.name).collect::<Vec<_>>(),
                [""; 0],
                "{dialect}: {}",
                table.name
            );
        }
    }
}

/// The tables of the committed schema, and their columns.
fn tables(dialect: &str) -> BTreeMap<String, Vec<String>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("schema/{dialect}.sql"));
    let text = fs::read_to_string(path).unwrap();
    let lines = text
        .lines()
        .filter(|line| !line.trim_start().starts_with("--"));
    let text = lines.collect::<Vec<_>>().join(" ");
    let made = text.split("CREATE TABLE ").skip(1);
    made.map(|rest| {
        let (name, rest) = rest.split_once('(').unwrap();
        (
            plain(name),
            pieces(rest)
                .iter()
                .filter_map(|piece| column(piece))
                .collect(),
        )
    })
    .collect()
}

/// What stands between the commas of a list, up to the bracket that ends it.
fn pieces(text: &str) -> Vec<String> {
    let (mut pieces, mut depth) = (vec![String::new()], 0);
    for c in text.chars() {
        match c {
            ')' if depth == 0 => break,
            ',' if depth == 0 => pieces.push(String::new()),
            _ => {
                depth += i32::from(c == '(') - i32::from(c == ')');
                pieces.last_mut().unwrap().push(c);
            }
        }
    }
    pieces
}

/// The column that a piece is about; constraints begin with a word in capitals.
fn column(piece: &str) -> Option<String> {
    let name = plain(piece.split_whitespace().next()?);
    let is_name = name.chars().all(|c| c.is_ascii_lowercase() || c == '_');
    is_name.then_some(name)
}

fn plain(word: &str) -> String {
    word.trim().trim_matches(['`', '"']).to_owned()
}
