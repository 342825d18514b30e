//! The comparison: the machine's limits, other queues and Baton, in turn on the same servers.
//!
//! Only ratios of one run mean anything, so everything is measured in rounds, one after the other, and
//! judged by medians. `benches/README.md` says what is measured and how.

mod build;
mod machine;
mod options;
mod participants;
mod programs;
mod rounds;
mod stage;
mod summary;

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

use self::options::Options;
use self::stage::Stage;
use crate::servers;

pub use self::options::USAGE;

const SUMMARY: &str = "summary.md";

/// Measures, and writes the raw lines and their summary; or only summarises lines that were kept.
pub fn compare(arguments: &[String]) -> Result<()> {
    let options = Options::read(arguments)?;
    match &options.summarize {
        Some(lines) => {
            print!("{}", summary::of(&read(lines)?));
            Ok(())
        }
        None => measure(&options),
    }
}

fn measure(options: &Options) -> Result<()> {
    let participants = participants::chosen(&options.only, options.all)?;
    servers::install_missing(&programs::NEEDS)?;
    let programs = build::all_of(&participants)?;

    fs::create_dir_all(&options.out)
        .with_context(|| format!("{} cannot be made", options.out.display()))?;
    let stage = Stage::set_up(&programs)?;
    let rounds = rounds::run(&participants, options, &stage, &programs)?;
    drop(stage);

    let text = summary::of(&read(&rounds.lines)?);
    let file = options.out.join(SUMMARY);
    fs::write(&file, &text).with_context(|| format!("{} cannot be written", file.display()))?;
    println!("{text}");
    eprintln!(
        "Lines: {}\nSummary: {}",
        rounds.lines.display(),
        file.display()
    );
    if !rounds.failures.is_empty() {
        bail!(
            "not all was measured; the logs are beside the lines:\n{}",
            rounds.failures.join("\n")
        );
    }
    Ok(())
}

fn read(lines: &Path) -> Result<String> {
    fs::read_to_string(lines).with_context(|| format!("{} cannot be read", lines.display()))
}
