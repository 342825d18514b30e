//! The metrics: each one that is written is described to whoever scrapes it.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

/// What writes a metric, or describes it.
const MACROS: [&str; 3] = ["counter!(", "gauge!(", "histogram!("];

#[test]
fn every_metric_that_is_written_is_described() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let source = source(crates);

    let described: BTreeSet<_> = named(&mentions(&source, &["("]), is_description);
    let written: BTreeSet<_> = named(&mentions(&source, &MACROS), |rest| !is_description(rest));

    assert!(written.len() > 30, "only {} were found", written.len());
    assert_eq!(
        written.difference(&described).collect::<Vec<_>>(),
        Vec::<&&str>::new()
    );
}

#[test]
fn every_metric_stands_on_its_page_and_none_that_there_is_not() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let page = crates.join("../docs/operations/metrics.md");
    let page = fs::read_to_string(page).unwrap();
    let source = source(crates);

    let described: BTreeSet<_> = named(&mentions(&source, &["("]), is_description);
    let quoted = page.split('`').skip(1).step_by(2);
    let told: BTreeSet<_> = quoted.filter(|name| name.starts_with("baton_")).collect();

    assert!(told.len() > 60, "only {} were found", told.len());
    assert_eq!(told, described);
}

#[test]
fn a_label_is_no_description() {
    let source = r#"gauge!("baton_a", "queue" => name); describe_gauge!("baton_b", "Is described.")
            const METERS: [Meaning; 1] = [("baton_c", "Is described as well.")];"#;

    let described = named(&mentions(source, &["("]), is_description);

    assert_eq!(described, BTreeSet::from(["baton_b", "baton_c"]));
}

/// The source of all crates, without their tests.
fn source(crates: &Path) -> String {
    let files = sources(crates);
    let texts = files.iter().map(|path| fs::read_to_string(path).unwrap());
    texts.collect()
}

fn sources(crates: &Path) -> Vec<PathBuf> {
    let mut folders: Vec<_> = fs::read_dir(crates)
        .unwrap()
        .map(|entry| entry.unwrap().path().join("src"))
        .filter(|folder| folder.is_dir())
        .collect();
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }
    files
}

/// The names of metrics that stand first behind one of these, each with the text that follows it.
fn mentions<'s>(source: &'s str, behind: &[&str]) -> Vec<(&'s str, &'s str)> {
    behind
        .iter()
        .flat_map(|call| source.split(*call).skip(1))
        .filter_map(|rest| rest.trim_start().strip_prefix('"')?.split_once('"'))
        .filter(|(name, _)| name.starts_with("baton_"))
        .collect()
}

fn named<'s>(mentions: &[(&'s str, &str)], is_meant: impl Fn(&str) -> bool) -> BTreeSet<&'s str> {
    let meant = mentions.iter().filter(|(_, rest)| is_meant(rest));
    meant.map(|(name, _)| *name).collect()
}

/// A sentence follows, or a unit; behind a label stands an arrow.
fn is_description(rest: &str) -> bool {
    let Some(next) = rest.strip_prefix(',').map(str::trim_start) else {
        return false;
    };
    let sentence = next.strip_prefix('"').and_then(|text| text.split_once('"'));
    next.starts_with("metrics::Unit") || sentence.is_some_and(|(text, _)| text.ends_with('.'))
}
