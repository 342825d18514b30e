//! The Debian package: built, looked into, installed into a folder of its own and removed again.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::Result;

use crate::run::{cargo, output, run, target};
use crate::servers::{self, Need, is_on_the_path};

const NEEDS: [Need; 1] = [Need {
    package: "dpkg-dev",
    is_there: || is_on_the_path("dpkg-shlibdeps") && is_on_the_path("strip"),
}];

/// The level of compression that is a fifth of the time.
const IN_A_HURRY: &str = "1";

/// Builds the program as it is shipped, and its package.
pub fn deb() -> Result<()> {
    servers::install_missing(&NEEDS)?;
    run(cargo().args(["build", "--profile", "dist", "--locked", "-p", "baton"]))?;
    let package = package(&target().join("dist/baton"), None)?;
    try_it(&package)?;
    println!("{package}");
    Ok(())
}

/// Packs a program that is there already, and tries the package.
pub fn of(program: &Path) -> Result<()> {
    servers::install_missing(&NEEDS)?;
    try_it(&package(program, Some(IN_A_HURRY))?)
}

fn package(program: &Path, level: Option<&str>) -> Result<String> {
    let folder = target().join("deb");
    fs::create_dir_all(&folder)?;
    let mut build = Command::new("deploy/debian/build.sh");
    build.arg(program).arg(folder);
    if let Some(level) = level {
        build.env("LEVEL", level);
    }
    output(&mut build)
}

fn try_it(package: &str) -> Result<()> {
    run(Command::new("deploy/debian/try.sh").arg(package))
}
