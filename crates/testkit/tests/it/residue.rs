//! What a test process leaves on the machine.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

/// The folders of that process's servers, and once more for each process that works in one.
pub fn of(pid: u32) -> Vec<PathBuf> {
    let prefix = format!("baton-home-{pid}-");
    let folders = paths_in(&env::temp_dir());
    let processes =
        paths_in(Path::new("/proc")).filter_map(|process| fs::read_link(process.join("cwd")).ok());
    folders
        .chain(processes)
        .filter(|path| is_home(path, &prefix))
        .collect()
}

fn paths_in(folder: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    fs::read_dir(folder)
        .unwrap()
        .flatten()
        .map(|entry| entry.path())
}

fn is_home(path: &Path, prefix: &str) -> bool {
    path.strip_prefix(env::temp_dir())
        .is_ok_and(|path| path.to_string_lossy().starts_with(prefix))
}
