//! The version before, built from its commit: what new servers run beside while they are upgraded.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use anyhow::{Context, Result, bail};

use crate::run::{cargo, run, succeeds, target};

/// Which commit it is.
const COMMIT: &str = ".ci/previous";
/// Where it is built, once, in the folder of this version.
const FOLDER: &str = "previous";

/// Builds the program, unless it is there already, and says where.
pub fn build() -> Result<PathBuf> {
    let text = fs::read_to_string(COMMIT).with_context(|| format!("{COMMIT} cannot be read"))?;
    let commit = commit(&text)?;
    let folder = std::path::absolute(target().join(FOLDER))?;
    let (program, built) = (folder.join("debug/baton"), folder.join("commit"));
    if program.exists() && fs::read_to_string(&built).is_ok_and(|built| built == commit) {
        return Ok(program);
    }
    lay_out(commit, &folder.join("source"))?;
    // Nobody debugs it: without what a debugger needs, and from the libraries that the tests
    // of this version have built already, it takes a third of the time.
    run(cargo()
        .args(["build", "--locked", "--package", "baton", "--target-dir"])
        .arg(&folder)
        .env("CARGO_BUILD_BUILD_DIR", std::path::absolute(target())?)
        .env("CARGO_PROFILE_DEV_DEBUG", "0")
        .env("CARGO_INCREMENTAL", "0")
        .current_dir(folder.join("source")))?;
    fs::write(&built, commit).with_context(|| format!("{} cannot be written", built.display()))?;
    Ok(program)
}

fn commit(text: &str) -> Result<&str> {
    let mut lines = text.lines().map(str::trim);
    let commit = lines.find(|line| !line.is_empty() && !line.starts_with('#'));
    commit.with_context(|| format!("{COMMIT} names no commit"))
}

/// Lays out the files of the commit, and nothing else of its repository.
fn lay_out(commit: &str, source: &Path) -> Result<()> {
    let is_there = ["cat-file", "-e", &format!("{commit}^{{commit}}")].map(str::to_owned);
    if !succeeds(Command::new("git").args(is_there)) {
        bail!(
            "the commit {commit} of {COMMIT} is not in this clone, so the version before cannot be built. \
             A shallow clone lacks it: run `git fetch --unshallow`, or clone without --depth"
        );
    }
    if source.exists() {
        fs::remove_dir_all(source)?;
    }
    fs::create_dir_all(source)?;
    let mut archive = Command::new("git")
        .args(["archive", "--format=tar", commit])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .context("`git archive` could not be started")?;
    let files = archive.stdout.take().context("it has an output")?;
    let laid = Command::new("tar")
        .arg("-x")
        .arg("-C")
        .arg(source)
        .stdin(files)
        .status();
    let archived = archive.wait()?;
    if !archived.success() || !laid.context("`tar` could not be started")?.success() {
        bail!(
            "the files of {commit} could not be laid out in {}",
            source.display()
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_commit_is_the_first_line_that_is_no_comment() {
        let found = commit("# Why.\n\n0123abc\n").unwrap();

        assert_eq!(found, "0123abc");
    }

    #[test]
    fn a_file_without_a_commit_is_refused() {
        let refused = commit("# Why.\n").unwrap_err();

        assert!(refused.to_string().contains("names no commit"), "{refused}");
    }

    #[test]
    fn a_commit_that_a_clone_lacks_is_refused_with_what_to_do() {
        let folder = std::env::temp_dir().join("never-made");
        let refused = lay_out("0000000000000000000000000000000000000000", &folder).unwrap_err();

        let said = refused.to_string();
        assert!(said.contains("git fetch --unshallow"), "{said}");
        assert!(!folder.exists());
    }
}
