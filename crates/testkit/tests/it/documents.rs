//! What the documents name is there: files, and the terms of the glossary.

use std::{collections::BTreeSet, fs, path::Path};

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// What stands between backticks, outside of blocks.
fn quoted(page: &str) -> impl Iterator<Item = &str> {
    let prose = page.split("```").step_by(2);
    prose.flat_map(|part| part.split('`').skip(1).step_by(2))
}

fn is_a_type(word: &&str) -> bool {
    let rest = word.strip_prefix(|first: char| first.is_ascii_uppercase());
    rest.is_some_and(|rest| {
        rest.contains(|letter: char| letter.is_ascii_lowercase())
            && rest.chars().all(|letter| letter.is_ascii_alphanumeric())
    })
}

/// The targets of links that lead to a file.
fn links(page: &str) -> impl Iterator<Item = &str> {
    let targets = page
        .split("](")
        .skip(1)
        .filter_map(|rest| rest.split_once(')'));
    let files = targets.map(|(target, _)| target.split('#').next().unwrap_or_default());
    files.filter(|target| !target.is_empty() && !target.contains("://"))
}

#[test]
fn each_type_that_the_architecture_names_stands_in_the_glossary() {
    let architecture = read("ARCHITECTURE.md");
    let glossary = read("docs/concepts/glossary.md");

    let named: BTreeSet<_> = quoted(&architecture).filter(is_a_type).collect();
    let known: BTreeSet<_> = quoted(&glossary).filter(is_a_type).collect();

    assert!(named.len() >= 3, "{named:?}");
    let missing: Vec<_> = named.difference(&known).collect();
    assert!(missing.is_empty(), "not in the glossary: {missing:?}");
}

#[test]
fn each_term_of_the_glossary_has_the_word_of_others_beside_it() {
    let glossary = read("docs/concepts/glossary.md");
    let terms = glossary.lines().filter(|line| line.starts_with("| **"));

    let alone: Vec<_> = terms.filter(|line| line.ends_with("| |")).collect();

    assert!(alone.is_empty(), "{}", alone.join("\n"));
}

#[test]
fn each_type_of_the_glossary_is_one_of_the_code() {
    let glossary = read("docs/concepts/glossary.md");
    let mut sources = String::new();
    for part in [
        "crates/domain/src",
        "crates/ports/src",
        "crates/engine/src",
        "crates/worker/src",
        "crates/remote/src",
    ] {
        gather(&root().join(part), &mut sources);
    }

    let is_missing = |name: &&str| {
        let defined = |word: &str| sources.contains(&format!("pub {word} {name}"));
        !["struct", "enum", "trait", "type"].into_iter().any(defined)
    };
    let missing: Vec<_> = quoted(&glossary)
        .filter(is_a_type)
        .filter(is_missing)
        .collect();

    assert!(missing.is_empty(), "no such types: {missing:?}");
}

/// The names of the routines, as `/readyz` and the metrics tell them.
fn routines() -> Vec<String> {
    let mut sources = String::new();
    gather(&root().join("crates/engine/src/routines"), &mut sources);
    let tables = sources.split("about!(\"").skip(1);
    let names = tables.filter_map(|table| table.split('"').next());
    names.map(|name| name.replace('-', " ")).collect()
}

/// The words that have a row of their own, or stand in one in bold.
fn terms(glossary: &str) -> BTreeSet<&str> {
    let rows = glossary.lines().filter(|line| line.starts_with("| **"));
    rows.flat_map(|row| row.split("**").skip(1).step_by(2))
        .collect()
}

#[test]
fn each_routine_and_each_loop_of_a_worker_stands_in_the_glossary() {
    let glossary = read("docs/concepts/glossary.md");
    let (known, routines) = (terms(&glossary), routines());

    let loops = ["claimer", "settler", "renewer"].map(str::to_owned);
    let named = routines.iter().chain(&loops);
    let missing: Vec<_> = named
        .filter(|name| !known.contains(name.as_str()))
        .collect();

    assert!(routines.len() >= 16, "{routines:?}");
    assert!(missing.is_empty(), "not in the glossary: {missing:?}");
}

#[test]
fn each_term_has_one_row() {
    let glossary = read("docs/concepts/glossary.md");

    let mut rows: Vec<_> = glossary
        .lines()
        .filter_map(|line| line.strip_prefix("| **")?.split_once("**"))
        .map(|(term, _)| term)
        .collect();
    rows.sort_unstable();
    let twice: Vec<_> = rows.windows(2).filter(|two| two[0] == two[1]).collect();

    assert!(twice.is_empty(), "more than one row: {twice:?}");
}

fn gather(folder: &Path, into: &mut String) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            gather(&path, into);
        } else {
            into.push_str(&fs::read_to_string(path).unwrap());
        }
    }
}

#[test]
fn each_file_that_the_architecture_and_the_glossary_lead_to_exists() {
    for (page, folder) in [
        ("ARCHITECTURE.md", ""),
        ("docs/concepts/glossary.md", "docs/concepts"),
    ] {
        let text = read(page);

        let missing: Vec<_> = links(&text)
            .filter(|target| !root().join(folder).join(target).exists())
            .collect();

        assert!(links(&text).count() > 1, "no links were found in {page}");
        assert!(missing.is_empty(), "{page} leads nowhere: {missing:?}");
    }
}
