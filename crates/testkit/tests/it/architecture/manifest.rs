//! What a crate's manifest says about its dependencies.

use std::fs;
use std::path::Path;

use toml::{Table, Value};

/// A crate and whom it names.
pub struct Manifest {
    pub package: String,
    /// What is built into it, or builds it.
    pub dependencies: Vec<String>,
    /// What only its tests need.
    pub dev_dependencies: Vec<String>,
}

impl Manifest {
    pub fn read_all(crates: &Path) -> Vec<Self> {
        let folders = fs::read_dir(crates)
            .unwrap()
            .map(|entry| entry.unwrap().path());
        folders
            .map(|folder| folder.join("Cargo.toml"))
            .filter(|manifest| manifest.exists())
            .map(|manifest| Self::parse(&fs::read_to_string(manifest).unwrap()))
            .collect()
    }

    pub fn parse(text: &str) -> Self {
        let manifest: Table = text.parse().unwrap();
        let named_in = |section| sections(&manifest, section).flat_map(names).collect();
        let mut dependencies: Vec<String> = named_in("dependencies");
        dependencies.extend(named_in("build-dependencies"));
        Self {
            package: manifest["package"]["name"].as_str().unwrap().to_owned(),
            dependencies,
            dev_dependencies: named_in("dev-dependencies"),
        }
    }
}

/// The section itself and its namesakes under `target`.
fn sections<'m>(manifest: &'m Table, name: &'static str) -> impl Iterator<Item = &'m Table> {
    let targets = manifest
        .get("target")
        .and_then(Value::as_table)
        .into_iter()
        .flat_map(Table::values);
    let everywhere = manifest.get(name).into_iter();
    everywhere
        .chain(targets.filter_map(move |target| target.get(name)))
        .filter_map(Value::as_table)
}

fn names(section: &Table) -> impl Iterator<Item = String> {
    section.iter().map(|(key, value)| {
        let renamed = value.get("package").and_then(Value::as_str);
        renamed.unwrap_or(key).to_owned()
    })
}
