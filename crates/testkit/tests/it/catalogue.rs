//! The failure catalogue names tests that exist.

use std::{collections::BTreeSet, fs, path::Path};

#[test]
fn every_row_of_the_failure_catalogue_names_tests_that_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = fs::read_to_string(root.join("docs/operations/failure-catalogue.md")).unwrap();
    let mut tests = BTreeSet::new();
    gather(&root.join("crates"), &mut tests);

    let rows: Vec<_> = page.lines().filter_map(row).collect();

    assert!(rows.len() > 50, "{} rows were found", rows.len());
    for (number, shown_by) in rows {
        let names: Vec<_> = shown_by.split('`').skip(1).step_by(2).collect();
        assert!(!names.is_empty(), "{number} names no test");
        for name in names {
            assert!(tests.contains(name), "{number}: there is no test {name}");
        }
    }
}

/// The number of a row, a letter and digits, and the cell that says what shows it.
fn row(line: &str) -> Option<(&str, &str)> {
    let (number, _) = line.strip_prefix("| ")?.split_once(" |")?;
    let digits = number.strip_prefix(|letter: char| letter.is_ascii_uppercase())?;
    let is_number = !digits.is_empty() && digits.chars().all(|digit| digit.is_ascii_digit());
    let (_, shown_by) = line.rsplit_once(" | ").filter(|_| is_number)?;
    Some((number, shown_by))
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
