//! The tests, with all that they need.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};

use crate::beside::{Beside, politely};
use crate::failures::Failures;
use crate::mysql::{self, Mysql};
use crate::run::{announce, cargo, run};
use crate::scratch;
use crate::servers;
use crate::testkit;

/// What each test of MySQL itself has in its name.
const OF_MYSQL: &str = "on_mysql";

/// Sets up, builds the programs that tests start, and runs the tests.
pub fn test(arguments: &[String]) -> Result<()> {
    servers::set_up()?;
    testkit::set_up()?;
    let mysql = mysql::set_up();
    run(cargo()
        .args(["build", "--workspace"])
        .arg(what_to_build(arguments)))?;
    let ran = match &mysql {
        Mysql::IsThere => run_tests(arguments, arguments),
        Mysql::CannotBeHad(_) => run_tests(arguments, &without_mysql(arguments)),
    };
    if let Mysql::CannotBeHad(why) = mysql {
        eprintln!("\n{}", mysql::left_out(&why));
    }
    ran
}

/// Runs those that were asked for. Where that is all, the simulation runs beside the others: it only computes, and most of them
/// mostly wait.
fn run_tests(asked: &[String], arguments: &[String]) -> Result<()> {
    if !asked.is_empty() {
        return run_and_repeat(tests().args(whole_workspace(asked)).args(arguments));
    }
    let simulation = Beside::start(tests_of_the_simulation().args(arguments))?;
    let others = ["--workspace", "--exclude", "baton-simulation"];
    let ran = run_and_repeat(tests().args(others).args(arguments));
    let simulated = simulation.end();
    ran.and(simulated)
}

/// To the end, whatever fails on the way: one run tells all there is to mend.
fn tests() -> Command {
    let mut tests = cargo();
    tests.args(["test", "--no-fail-fast"]);
    if let Some(folder) = scratch::in_memory() {
        tests.env("TMPDIR", folder);
    }
    tests
}

/// What they say is shown as they say it; of those that failed it is the last word as well.
fn run_and_repeat(tests: &mut Command) -> Result<()> {
    let line = announce(tests);
    let mut running = tests.stdin(Stdio::null()).stdout(Stdio::piped()).spawn()?;
    let mut failures = Failures::default();
    let said = running.stdout.take().context("what they say is piped")?;
    for line in BufReader::new(said).split(b'\n') {
        let line = line?;
        let line = String::from_utf8_lossy(&line);
        println!("{line}");
        failures.hear(&line);
    }
    let status = running.wait()?;
    ensure!(
        status.success(),
        "`{line}` failed ({status})\n{}",
        failures.told()
    );
    Ok(())
}

/// In the workspace as the others are: alone it would be built from libraries with other features.
fn tests_of_the_simulation() -> Command {
    let mut tests = politely(&tests());
    tests.args(["--workspace", "--test", "simulation"]);
    tests
}

/// The arguments, and for the tests that those of MySQL are not to be run.
fn without_mysql(arguments: &[String]) -> Vec<String> {
    let mut all = arguments.to_vec();
    if !all.iter().any(|argument| argument == "--") {
        all.push("--".to_owned());
    }
    all.extend(["--skip", OF_MYSQL].map(str::to_owned));
    all
}

/// All of it for all tests; for some, only the programs that a test may start.
fn what_to_build(arguments: &[String]) -> &'static str {
    if arguments.is_empty() {
        "--all-targets"
    } else {
        "--bins"
    }
}

/// `--workspace` would override a choice of packages.
fn whole_workspace(arguments: &[String]) -> Option<&'static str> {
    let for_cargo = arguments.iter().take_while(|argument| *argument != "--");
    let mut choices = for_cargo.filter(|argument| chooses_packages(argument));
    choices.next().is_none().then_some("--workspace")
}

fn chooses_packages(argument: &str) -> bool {
    let long = ["--package", "--workspace", "--all", "--manifest-path"];
    let short = argument.starts_with("-p") && !argument.starts_with("--");
    short
        || long
            .iter()
            .any(|option| argument.split('=').next() == Some(option))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_choice_of_packages_the_whole_workspace_is_tested() {
        let arguments = words("--release lease -- -p --nocapture");

        let added = whole_workspace(&arguments);

        assert_eq!(added, Some("--workspace"));
    }

    #[test]
    fn a_choice_of_packages_is_kept() {
        let choices = [
            "-p baton-sql",
            "-pbaton-sql",
            "--package=baton-sql",
            "x --package baton-sql",
        ];

        let added = choices.map(|choice| whole_workspace(&words(choice)));

        assert_eq!(added, [None; 4]);
    }

    #[test]
    fn the_tests_of_mysql_are_skipped_behind_whatever_else_tests_are_told() {
        let plain = without_mysql(&words("-p baton-sql"));
        let told = without_mysql(&words("lease -- --nocapture"));

        assert_eq!(plain, words("-p baton-sql -- --skip on_mysql"));
        assert_eq!(told, words("lease -- --nocapture --skip on_mysql"));
    }

    fn words(line: &str) -> Vec<String> {
        line.split(' ').map(str::to_owned).collect()
    }
}
