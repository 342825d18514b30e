//! No source file is left behind: each is named as a module by the file above it, or nobody builds it.

use std::{
    fs,
    path::{Path, PathBuf},
};

#[test]
fn every_source_file_is_a_module_of_the_file_above_it() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let sources = fs::read_dir(crates)
        .unwrap()
        .map(|entry| entry.unwrap().path().join("src"))
        .filter(|source| source.exists());
    let files: Vec<PathBuf> = sources.flat_map(|source| files_under(&source)).collect();

    let orphans: Vec<&PathBuf> = files.iter().filter(|file| !is_named(file)).collect();

    assert!(files.len() > 100, "{} holds few files", crates.display());
    assert_eq!(orphans, Vec::<&PathBuf>::new());
}

fn files_under(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    let files = paths.flat_map(|path| match path.is_dir() {
        true => files_under(&path),
        false => vec![path],
    });
    files
        .filter(|file| file.extension().is_some_and(|end| end == "rs"))
        .collect()
}

/// Roots need no name: Cargo finds them itself.
fn is_named(file: &Path) -> bool {
    let folder = file.parent().unwrap();
    let name = file.file_stem().unwrap().to_str().unwrap();
    if folder.ends_with("src/bin") {
        return true;
    }
    let above = match folder.ends_with("src") {
        true if name == "lib" || name == "main" => return true,
        true => vec![folder.join("lib.rs"), folder.join("main.rs")],
        false => vec![folder.with_extension("rs")],
    };
    above.iter().any(|above| names(above, name))
}

fn names(file: &Path, module: &str) -> bool {
    let text = fs::read_to_string(file).unwrap_or_default();
    let named = format!("mod {module};");
    text.lines().any(|line| {
        let line = line.trim_start();
        line.ends_with(&named) && (line.starts_with("mod ") || line.starts_with("pub"))
    })
}
