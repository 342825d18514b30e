//! The servers and the browser that the tests start for themselves, and what the README calls.

use std::env;
use std::fs;
use std::path::Path;

use anyhow::Result;

use crate::apt;

/// A program that we start, and Debian's package that brings it.
pub struct Need {
    pub package: &'static str,
    pub is_there: fn() -> bool,
}

const NEEDS: [Need; 13] = [
    POSTGRES,
    REDIS,
    MARIADB,
    Need {
        package: "redis-sentinel",
        is_there: || is_on_the_path("redis-sentinel"),
    },
    Need {
        package: "patroni",
        is_there: || is_on_the_path("patroni"),
    },
    Need {
        package: "etcd-server",
        is_there: || is_on_the_path("etcd"),
    },
    Need {
        package: "chromium",
        is_there: || is_on_the_path("chromium"),
    },
    Need {
        package: "chromium-driver",
        is_there: || is_on_the_path("chromedriver"),
    },
    // Korean pages are as wide as their letters.
    Need {
        package: "fonts-nanum",
        is_there: || fs::exists("/usr/share/fonts/truetype/nanum").unwrap_or(false),
    },
    Need {
        package: "pgbouncer",
        is_there: || {
            fs::exists("/usr/sbin/pgbouncer").unwrap_or(false) || is_on_the_path("pgbouncer")
        },
    },
    Need {
        package: "openssl",
        is_there: || is_on_the_path("openssl"),
    },
    Need {
        package: "curl",
        is_there: || is_on_the_path("curl"),
    },
    Need {
        package: "libfaketime",
        is_there: libfaketime_is_there,
    },
];

pub const POSTGRES: Need = Need {
    package: "postgresql",
    is_there: postgres_is_there,
};

pub const REDIS: Need = Need {
    package: "redis-server",
    is_there: || is_on_the_path("redis-server"),
};

pub const MARIADB: Need = Need {
    package: "mariadb-server",
    is_there: || fs::exists("/usr/sbin/mariadbd").unwrap_or(false) || is_on_the_path("mariadbd"),
};

/// Older ones lack what the statements use.
const OLDEST_POSTGRES: u32 = 15;

/// Installs what is missing; on a machine that has all, it changes nothing.
pub fn set_up() -> Result<()> {
    install_missing(&NEEDS)
}

/// Installs those of the packages whose programs are not there.
pub fn install_missing(needs: &[Need]) -> Result<()> {
    let (there, missing): (Vec<&Need>, Vec<&Need>) =
        needs.iter().partition(|need| (need.is_there)());
    if missing.is_empty() {
        eprintln!("Installed: {}.", packages(&there).join(", "));
        return Ok(());
    }
    apt::install(&packages(&missing))
}

fn packages(needs: &[&Need]) -> Vec<&'static str> {
    needs.iter().map(|need| need.package).collect()
}

/// Debian keeps each major version in a folder of its own, away from the path.
fn postgres_is_there() -> bool {
    let versions = fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten()
        .flatten();
    versions
        .map(|version| version.path())
        .any(|path| is_recent(&path) && path.join("bin/initdb").exists())
        || is_on_the_path("pg_config") && is_on_the_path("initdb")
}

/// A library, which Debian keeps in a folder for each kind of machine.
fn libfaketime_is_there() -> bool {
    let machines = fs::read_dir("/usr/lib").into_iter().flatten().flatten();
    machines
        .map(|machine| machine.path())
        .any(|path| path.join("faketime/libfaketimeMT.so.1").exists())
}

fn is_recent(version: &Path) -> bool {
    let name = version.file_name().unwrap_or_default().to_string_lossy();
    name.parse::<u32>()
        .is_ok_and(|major| major >= OLDEST_POSTGRES)
}

pub fn is_on_the_path(program: &str) -> bool {
    let folders = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&folders).any(|folder| folder.join(program).exists())
}
