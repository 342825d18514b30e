//! The README's commands do what it says, run as they are written.
//!
//! Only the address is exchanged, so that a server of somebody else is left alone, and what would
//! build the release first is left to `.ci/run`.

use std::{
    os::unix::fs::symlink,
    process::Command,
    time::{Duration, Instant},
};

use crate::support::{Ran, Served, baton, uninfluenced};

const README: &str = include_str!("../../../../README.md");
const CI: &str = include_str!("../../../../.ci/run");
/// From the start of the server on; to build it takes longer.
const TEN_SECONDS: Duration = Duration::from_secs(10);
const ADDRESS: &str = "http://127.0.0.1:7878";

#[test]
fn every_command_of_the_readme_does_what_it_says() {
    let served = Served::start_in(tempfile::tempdir().unwrap(), &[]);
    let path = path_with_baton(&served);
    let blocks: Vec<_> = shell_blocks(README)
        .filter(|block| !block.contains("cargo "))
        .collect();
    assert!(blocks.len() >= 3, "{blocks:?}");

    for block in blocks {
        if block.contains("https://") {
            // Tests call nobody outside: such a job is accepted, and not run.
            served.run(&["queues", "pause", "default"]);
        }
        let ran = shell(&served, &path, block);

        assert_eq!(ran.code(), 0, "{block}\n{}{}", ran.out(), ran.err());
        assert!(!ran.out().contains("problem"), "{block}\n{}", ran.out());
    }

    let listed = served.run(&["jobs", "list", "--json"]).out();
    for (key, state) in [("hello-1", ""), ("hello-2", "succeeded")] {
        let line = listed.lines().find(|line| line.contains(key)).unwrap();
        assert!(line.contains(state), "{line}");
    }
    assert!(listed.contains("https://example.com/hook"), "{listed}");
}

#[test]
fn a_newcomer_sees_what_their_own_command_answers_within_ten_seconds() {
    let begun = Instant::now();
    let served = Served::start_in(tempfile::tempdir().unwrap(), &[]);
    let path = path_with_baton(&served);
    let mut blocks = shell_blocks(README);
    let block = blocks.find(|block| block.contains("baton worker --kind hello"));

    let ran = shell(&served, &path, block.unwrap());

    assert!(ran.out().contains("world"), "{}", ran.out());
    assert!(begun.elapsed() < TEN_SECONDS, "{:?}", begun.elapsed());
}

#[test]
fn the_commands_that_build_the_release_are_run_by_ci_or_by_another_test() {
    let lines = shell_blocks(README).flat_map(str::lines);
    let built: Vec<_> = lines.filter(|line| line.contains("cargo ")).collect();

    for line in &built {
        let command = line.split('#').next().unwrap().trim();
        // Every test of this binary serves; what is left out there is only the build.
        let is_served = command == "cargo run --release -- serve --dev";
        assert!(is_served || CI.contains(command), "{command}");
    }
    assert!(built.len() >= 2, "{built:?}");
}

#[test]
fn the_readme_names_the_address_that_serve_takes_by_itself() {
    let folder = tempfile::tempdir().unwrap();

    let help = baton(folder.path())
        .args(["serve", "--help"])
        .output()
        .unwrap();

    let help = String::from_utf8(help.stdout).unwrap();
    assert!(README.contains(ADDRESS));
    assert!(
        help.contains(ADDRESS.trim_start_matches("http://")),
        "{help}"
    );
}

/// What stands in fences marked as shell.
pub fn shell_blocks(text: &str) -> impl Iterator<Item = &str> {
    let fenced = text.split("```").skip(1).step_by(2);
    fenced.filter_map(|fence| {
        let (marked, block) = fence.split_once('\n')?;
        (marked == "sh").then_some(block)
    })
}

/// A path on which `baton` is this program.
fn path_with_baton(served: &Served) -> String {
    let bin = served.folder.path().join("bin");
    std::fs::create_dir(&bin).unwrap();
    symlink(env!("CARGO_BIN_EXE_baton"), bin.join("baton")).unwrap();
    format!("{}:{}", bin.display(), std::env::var("PATH").unwrap())
}

/// Runs a block as a newcomer's shell would, and stops at the first command that fails.
fn shell(served: &Served, path: &str, block: &str) -> Ran {
    let block = block.replace(ADDRESS, &served.url);
    let output = uninfluenced(Command::new("sh"), served.folder.path())
        .args(["-e", "-c", &block])
        .env("PATH", path)
        .env("BATON_URL", &served.url)
        .output()
        .unwrap();
    Ran::of(output)
}
