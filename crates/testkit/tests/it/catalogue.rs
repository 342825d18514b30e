//! The failure catalogue names tests that exist.

use std::{collections::BTreeSet, fs, path::Path};

const ROWS: [(&str, u32, u32); 9] = [
    ("P", 1, 7),
    ("F", 1, 10),
    ("R", 1, 9),
    ("L", 1, 9),
    ("K", 1, 10),
    ("S", 8, 12),
    ("T", 2, 2),
    ("T", 4, 4),
    ("T", 6, 6),
];

#[test]
fn every_row_of_the_failure_catalogue_names_tests_that_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = fs::read_to_string(root.join("docs/operations/failure-catalogue.md")).unwrap();
    let mut tests = BTreeSet::new();
    gather(&root.join("crates"), &mut tests);

    for (letter, first, last) in ROWS {
        for number in first..=last {
            let start = format!("| {letter}{number} |");
            let row = page.lines().find(|line| line.starts_with(&start));
            let row = row.unwrap_or_else(|| panic!("{letter}{number} has no row"));
            let shown_by = row.rsplit(" | ").next().unwrap();
            let names: Vec<_> = shown_by.split('`').skip(1).step_by(2).collect();
            assert!(!names.is_empty(), "{letter}{number} names no test");
            for name in names {
                assert!(
                    tests.contains(name),
                    "{letter}{number}: there is no test {name}"
                );
            }
        }
    }
}

/// Every name of a function below a folder.
fn gather(folder: &Path, names: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let path = entry.path();
        if path.is_dir() {
            gather(&path, names);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).unwrap();
            let functions = text.split("fn ").skip(1);
            let name = |rest: &str| {
                rest.split(|c: char| !(c.is_alphanumeric() || c == '_'))
                    .next()
                    .unwrap_or_default()
                    .to_owned()
            };
            names.extend(functions.map(name));
        }
    }
}
