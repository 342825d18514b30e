//! The texts that code and templates ask for, as they stand in the sources.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

/// What stands before a text that is asked for.
const CALLS: [&str; 3] = ["tr!(", "key!(", "crate::t("];

/// Every text that is asked for.
pub fn texts() -> BTreeSet<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for folder in ["src", "templates"] {
        collect(&root.join(folder), &mut files);
    }
    let files = files.iter().map(|file| fs::read_to_string(file).unwrap());
    let mut texts: BTreeSet<_> = files.flat_map(|file| texts_of(&file, &CALLS)).collect();
    let of_the_script = of_the_script(root);
    let unsaid: Vec<_> = of_the_script.difference(&texts).cloned().collect();
    assert!(
        unsaid.is_empty(),
        "the page does not tell its script: {unsaid:?}"
    );
    texts.extend(of_the_script);
    texts.extend(of_the_routines(root));
    texts
}

/// What each routine of the engine says that it does.
fn of_the_routines(root: &Path) -> BTreeSet<String> {
    let mut files = Vec::new();
    collect(&root.join("../engine/src/routines"), &mut files);
    let files = files.iter().map(|file| fs::read_to_string(file).unwrap());
    let duties: BTreeSet<_> = files.filter_map(|file| duty(&file)).collect();
    assert!(duties.len() > 15, "only {duties:?} were found");
    duties
}

/// What stands behind the name of a routine.
fn duty(source: &str) -> Option<String> {
    let (_, about) = source.split_once("about!(\"")?;
    let (_, duty) = about.split_once(": ")?;
    literal(duty)
}

fn of_the_script(root: &Path) -> BTreeSet<String> {
    let scripts = ["console.js", "palette.js"].map(|name| root.join("assets").join(name));
    let scripts = scripts.iter().map(|file| fs::read_to_string(file).unwrap());
    scripts
        .flat_map(|script| texts_of(&script, &[" t(", "(t(", "[t("]))
        .collect()
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => collect(&path, files),
            false => files.push(path),
        }
    }
}

fn texts_of(source: &str, calls: &[&str]) -> Vec<String> {
    let found = calls.iter().flat_map(|call| {
        let places = source.match_indices(call);
        places.map(|(at, call)| (&source[..at], &source[at + call.len()..]))
    });
    // `include_str!` ends in the same letters.
    let is_own = |before: &str| !before.ends_with(|c: char| c.is_alphanumeric() || c == '_');
    let own = found.filter(|(before, _)| is_own(before));
    own.filter_map(|(_, rest)| literal(rest.trim_start()))
        .collect()
}

/// The string that begins here, as the compiler reads it.
fn literal(source: &str) -> Option<String> {
    let mut chars = source.strip_prefix('"')?.chars().peekable();
    let mut text = String::new();
    loop {
        match chars.next()? {
            '"' => return Some(text),
            '\\' => match chars.next()? {
                '\n' => while chars.next_if(|c| c.is_whitespace()).is_some() {},
                'n' => text.push('\n'),
                c => text.push(c),
            },
            c => text.push(c),
        }
    }
}
