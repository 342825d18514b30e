//! Whether the client can say all that the API hears.

use std::{collections::BTreeSet, fs, path::Path};

use serde_json::Value;

/// What stands for a part of a path that is not told beforehand.
const ANY: &str = "{}";

#[test]
fn every_path_of_the_api_has_a_method() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let api = fs::read_to_string(crates.join("api/openapi.json")).unwrap();
    let api: Value = serde_json::from_str(&api).unwrap();
    let client = paths_of_the_client(&crates.join("client/src"));

    let paths = api["paths"].as_object().unwrap().keys();
    let missing = paths.filter(|path| !client.iter().any(|said| is_said(said, path)));
    let missing: Vec<_> = missing.collect();

    assert!(client.len() > 40, "{client:?}");
    assert!(missing.is_empty(), "the client lacks {missing:?}");
}

/// The parts of each path that its sources name.
fn paths_of_the_client(sources: &Path) -> BTreeSet<Vec<String>> {
    let files = fs::read_dir(sources).unwrap();
    let texts = files.map(|file| fs::read_to_string(file.unwrap().path()).unwrap());
    let text = texts.collect::<String>();
    let lists = text
        .split('[')
        .skip(1)
        .filter_map(|list| list.split_once(']'));
    let paths = lists.map(|(list, _)| list.split(',').map(part).collect());
    paths.collect()
}

fn part(word: &str) -> String {
    let word = word.trim();
    let literal = word
        .strip_prefix('"')
        .and_then(|word| word.strip_suffix('"'));
    literal.unwrap_or(ANY).to_owned()
}

fn is_said(said: &[String], path: &str) -> bool {
    let parts = path.strip_prefix("/v1").unwrap_or(path);
    let parts: Vec<_> = parts.split('/').skip(1).collect();
    let fits = |(said, part): (&String, &&str)| said == ANY || said == part;
    // Which list of words is a path shows in its beginning.
    let begins = said
        .iter()
        .zip(&parts)
        .take(1)
        .all(|(said, part)| said == part);
    // What a worker says to its server has the last part in another place.
    let is_of_a_worker = said.len() == 2 && said[0] == "workers" && parts.len() == 3;
    let parts = if is_of_a_worker {
        &parts[..2]
    } else {
        &parts[..]
    };
    begins && said.len() == parts.len() && said.iter().zip(parts).all(fits)
}
