//! The table in the crate's documentation, held against the repository.

use std::path::Path;

const LIBRARY: &str = include_str!("../../src/lib.rs");
const ACTIONS: &str = include_str!("../../src/action.rs");

#[test]
fn every_file_that_the_table_names_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");

    let files: Vec<&str> = quoted(LIBRARY).filter(|word| word.contains('/')).collect();

    let missing: Vec<_> = files
        .iter()
        .filter(|file| !root.join(file).is_file())
        .collect();
    assert!(files.len() > 10, "only {files:?} were found");
    assert!(missing.is_empty(), "{missing:?} are not there");
}

#[test]
fn every_action_of_the_model_stands_in_the_table() {
    let (_, after) = ACTIONS.split_once("pub enum Action {\n").unwrap();
    let (body, _) = after.split_once("\n}").unwrap();

    let names = body
        .lines()
        .map(str::trim)
        .filter(|line| !line.starts_with("///"));
    let names: Vec<&str> = names
        .map(|line| line.split(['(', ',']).next().unwrap())
        .collect();

    let told: Vec<&str> = quoted(LIBRARY).collect();
    let untold: Vec<_> = names.iter().filter(|name| !told.contains(name)).collect();
    assert!(names.len() > 10, "only {names:?} were found");
    assert!(untold.is_empty(), "{untold:?} are not in the table");
}

/// What stands between backticks in the table.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    let rows = text.lines().filter(|line| line.starts_with("//! |"));
    rows.flat_map(|row| row.split('`').skip(1).step_by(2))
}
