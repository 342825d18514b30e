//! The commands of the workshop: `cargo xtask setup | test | sdks | lint | deny | deployment | deb | previous | compare`.

mod apt;
mod beside;
mod compare;
mod deb;
mod deny;
mod deployment;
mod failures;
mod lint;
mod mysql;
mod npm;
mod previous;
mod run;
mod scratch;
mod sdks;
mod servers;
mod test;
mod testkit;

use std::env;
use std::process::ExitCode;

use anyhow::{Result, bail};

const USAGE: &str = "\
The commands of the workshop

Usage: cargo xtask <COMMAND>

Commands:
  setup            install the servers and the browser that the tests need
  test [ARGS]...   set up, build, and run the tests; ARGS go to `cargo test`
  sdks             build the package for Python, install it where nothing else is, and try
                   it against the server
  lint             formatting, and lints with warnings as errors
  deny             licences, bans and sources of the dependencies; advisories where they can be had
  deployment       check what lies in deploy/ and .github/: each file by the program that knows it
  deb              build the Debian package in target/deb, and try it
  previous         build the version before (.ci/previous), which tests run beside this one,
                   and say where it is
  compare          measure Baton, other queues and the machine's limits in turn;
                   `compare --help` tells the options";

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match obey(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn obey(arguments: &[String]) -> Result<()> {
    run::enter_workspace()?;
    match arguments
        .split_first()
        .map(|(command, rest)| (command.as_str(), rest))
    {
        Some(("setup", [])) => {
            servers::set_up()?;
            testkit::set_up()?;
            mysql::set_up();
            Ok(())
        }
        Some(("test", rest)) => test::test(rest),
        Some(("sdks", [])) => sdks::sdks(),
        Some(("lint", [])) => lint::lint(),
        Some(("deny", [])) => deny::deny(),
        Some(("deployment", [])) => deployment::deployment(),
        Some(("deb", [])) => deb::deb(),
        Some(("previous", [])) => {
            println!("{}", previous::build()?.display());
            Ok(())
        }
        Some(("compare", [help])) if help == "--help" => {
            println!("{}", compare::USAGE);
            Ok(())
        }
        Some(("compare", rest)) => compare::compare(rest),
        Some(("help" | "--help" | "-h", _)) => {
            println!("{USAGE}");
            Ok(())
        }
        _ => bail!("`{}` is not a command\n\n{USAGE}", arguments.join(" ")),
    }
}
