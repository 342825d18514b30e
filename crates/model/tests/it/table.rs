//! The table in the crate's documentation, held against the repository.

use std::{
    fs,
    path::{Path, PathBuf},
};

const LIBRARY: &str = include_str!("../../src/lib.rs");
const ACTIONS: &str = include_str!("../../src/action.rs");

/// The last column of the table.
const SCRIPTS: usize = 4;
const DIALECTS: [&str; 2] = ["postgres", "sqlite"];

#[test]
fn every_function_that_the_table_names_stands_in_its_file() {
    let named: Vec<_> = quoted(LIBRARY)
        .filter_map(|word| word.split_once("::"))
        .collect();

    let missing: Vec<_> = named
        .iter()
        .filter(|(file, function)| !has_function(file, function))
        .collect();

    assert!(named.len() > 10, "only {named:?} were found");
    assert!(missing.is_empty(), "{missing:?} are not there");
}

#[test]
fn every_script_that_the_table_names_is_there_for_each_dialect() {
    let scripts: Vec<&str> = rows(LIBRARY)
        .filter_map(|row| row.split('|').nth(SCRIPTS).map(words))
        .flatten()
        .collect();

    let missing: Vec<_> = scripts
        .iter()
        .flat_map(|script| DIALECTS.map(|dialect| (script, dialect)))
        .filter(|(script, dialect)| !has_script(script, dialect))
        .collect();

    assert!(scripts.len() > 10, "only {scripts:?} were found");
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

fn has_function(file: &str, function: &str) -> bool {
    let text = fs::read_to_string(root().join(file)).unwrap_or_default();
    let heads = [format!("fn {function}("), format!("fn {function}<")];
    heads.iter().any(|head| text.contains(head))
}

fn has_script(script: &str, dialect: &str) -> bool {
    let statements = root().join("crates/sql/statements");
    let names = [format!("{script}.sql"), format!("{script}.{dialect}.sql")];
    names.iter().any(|name| statements.join(name).is_file())
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn rows(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| line.starts_with("//! |"))
}

/// What stands between backticks in the table.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    rows(text).flat_map(words)
}

/// What stands between backticks.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}
