//! Who on this machine gets at the data as it rests.
//!
//! A fresh folder and its files are the owner's alone; those that were there before are left as they are.

use crate::config::Config;

/// What others get at though it should be the owner's alone, and how to close it.
#[cfg(unix)]
pub fn too_wide(config: &Config) -> Vec<String> {
    let Some(file) = config.database.url.file() else {
        // Nothing of it is on this machine's disk, as far as Baton knows.
        return Vec::new();
    };
    let folder = &config.server.data_dir;
    let is_inside = file.parent() == Some(folder);
    let folder = is_inside.then(|| told(folder, 0o700)).flatten();
    let files = files(&file).into_iter();
    let files = files.filter_map(|file| told(&file, 0o600));
    folder.into_iter().chain(files).collect()
}

#[cfg(not(unix))]
pub fn too_wide(_: &Config) -> Vec<String> {
    Vec::new()
}

/// The database and what SQLite keeps beside it, where a link leads to.
#[cfg(unix)]
fn files(file: &std::path::Path) -> Vec<std::path::PathBuf> {
    let real = std::fs::canonicalize(file)
        .ok()
        .filter(|_| file.is_symlink());
    let file = real.unwrap_or_else(|| file.to_owned());
    let beside = |end| {
        let mut name = file.clone().into_os_string();
        name.push(end);
        name.into()
    };
    ["", "-wal", "-shm"].map(beside).into()
}

/// What is said of a place that is there and gives others more than this mode.
#[cfg(unix)]
fn told(place: &std::path::Path, wanted: u32) -> Option<String> {
    use std::os::unix::fs::PermissionsExt;

    let mode = std::fs::metadata(place).ok()?.permissions().mode() & 0o7777;
    (mode & 0o077 != 0).then(|| {
        format!(
            "{0} is open to others on this machine (mode {mode:04o}) unless a folder above keeps them out, and it \
             holds what jobs and recipients are about; close it with `chmod {wanted:o} {0}`",
            place.display()
        )
    })
}
