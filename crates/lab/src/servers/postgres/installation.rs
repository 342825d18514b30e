//! The PostgreSQL programs of this machine.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::servers::process::output;

const DEBIANS: &str = "/usr/lib/postgresql";
const OLDEST: u32 = 15;

/// Finds the folder with the newest `postgres`, `initdb` and `psql`.
pub(in crate::servers) fn find() -> Result<PathBuf> {
    let folders = debians_folders(Path::new(DEBIANS))
        .into_iter()
        .chain(pg_configs_folder());
    newest(folders).with_context(missing)
}

fn missing() -> String {
    format!(
        "PostgreSQL {OLDEST} or newer is not installed: nothing is in {DEBIANS}, and \
         `pg_config --bindir` knows none. Debian's package is `postgresql`; in Baton's own source \
         folder `cargo xtask setup` installs it without starting a server"
    )
}

fn debians_folders(root: &Path) -> Vec<PathBuf> {
    let versions = fs::read_dir(root).into_iter().flatten().flatten();
    versions.map(|version| version.path().join("bin")).collect()
}

fn pg_configs_folder() -> Option<PathBuf> {
    let folder = output(Command::new("pg_config").arg("--bindir")).ok()?;
    Some(PathBuf::from(folder.trim()))
}

fn newest(folders: impl Iterator<Item = PathBuf>) -> Option<PathBuf> {
    folders
        .filter(|folder| folder.join("initdb").exists() && folder.join("psql").exists())
        .filter_map(|folder| Some((major_version(&folder)?, folder)))
        .filter(|(major, _)| *major >= OLDEST)
        .max_by_key(|(major, _)| *major)
        .map(|(_, folder)| folder)
}

/// Reads it from `postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)`.
fn major_version(folder: &Path) -> Option<u32> {
    let version = output(Command::new(folder.join("postgres")).arg("--version")).ok()?;
    let number = version.split_whitespace().nth(2)?;
    number
        .split(|c: char| !c.is_ascii_digit())
        .next()?
        .parse()
        .ok()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;
    use crate::servers::home::Home;

    #[test]
    fn the_newest_complete_installation_is_chosen() {
        let home = Home::create("versions", "TERM").unwrap();
        install(
            home.path(),
            "9.6",
            "9.6.24",
            &["postgres", "initdb", "psql"],
        );
        install(home.path(), "15", "15.18", &["postgres", "initdb", "psql"]);
        install(home.path(), "17", "17.2", &["postgres", "initdb", "psql"]);
        install(home.path(), "18", "18.0", &["psql"]);

        let found = newest(debians_folders(home.path()).into_iter());

        assert_eq!(found, Some(home.path().join("17/bin")));
    }

    #[test]
    fn an_installation_that_is_too_old_is_none() {
        let home = Home::create("old", "TERM").unwrap();
        install(home.path(), "14", "14.1", &["postgres", "initdb", "psql"]);

        let found = newest(debians_folders(home.path()).into_iter());

        assert_eq!(found, None);
    }

    fn install(root: &Path, folder: &str, version: &str, programs: &[&str]) {
        let folder = root.join(folder).join("bin");
        fs::create_dir_all(&folder).unwrap();
        for program in programs {
            let path = folder.join(program);
            let text = format!("#!/bin/sh\necho '{program} (PostgreSQL) {version} (Debian)'\n");
            fs::write(&path, text).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        }
    }
}
