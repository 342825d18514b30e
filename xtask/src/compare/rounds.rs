//! The rounds: everyone in turn, each line kept as soon as it is there.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use serde_json::{Map, Value};

use super::build::Programs;
use super::machine;
use super::options::Options;
use super::participants::{Maker, Participant};
use super::stage::Stage;

const LINES: &str = "rounds.jsonl";

/// A peer that hangs is not waited for longer than this; a run of 100,000 jobs takes it some 20 seconds.
const TIMEOUT_OF_PEERS: &str = "10m";
/// Ours also fills tables with finished jobs.
const TIMEOUT_OF_BATON: &str = "60m";

/// What became of the rounds.
pub struct Rounds {
    pub lines: PathBuf,
    pub failures: Vec<String>,
}

/// Runs them all; who fails is named at the end and does not stop the others.
pub fn run(
    participants: &[&Participant],
    options: &Options,
    stage: &Stage,
    programs: &Programs,
) -> Result<Rounds> {
    let path = options.out.join(LINES);
    set_aside(&path)?;
    let mut lines = Lines(File::create_new(&path)?);
    lines.add(&machine::line(options, stage)?)?;
    let mut failures = Vec::new();
    for round in 1..=options.rounds {
        for participant in participants {
            eprintln!(
                "\nround {round} of {}: {}",
                options.rounds, participant.name
            );
            let measured = measure(participant, round, options, stage, programs, &mut lines);
            if let Err(error) = measured {
                let failure = format!("round {round}, {}: {error:#}", participant.name);
                eprintln!("{failure}");
                failures.push(failure);
            }
        }
    }
    Ok(Rounds {
        lines: path,
        failures,
    })
}

/// Lines of another run are never mixed with ours, nor lost.
fn set_aside(path: &Path) -> Result<()> {
    if !path.exists() {
        return Ok(());
    }
    let free = (1..=u32::MAX)
        .map(|number| path.with_extension(format!("{number}.jsonl")))
        .find(|path| !path.exists())
        .context("no name is free")?;
    fs::rename(path, &free)?;
    eprintln!("The lines of the run before are now {}.", free.display());
    Ok(())
}

fn measure(
    participant: &Participant,
    round: u32,
    options: &Options,
    stage: &Stage,
    programs: &Programs,
    lines: &mut Lines,
) -> Result<()> {
    let log = options.out.join(format!("{}.log", participant.name));
    let command = participant.command(options, stage, programs);
    let mut child = bounded(&command, participant.maker)
        // Files that a measurement makes for itself belong on the disk that is measured.
        .env("TMPDIR", stage.folder())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(File::options().create(true).append(true).open(&log)?)
        .spawn()?;
    let stdout = child.stdout.take().context("its output is ours")?;
    for line in BufReader::new(stdout).lines() {
        lines.add_of_round(round, &line?)?;
    }
    let status = child.wait()?;
    if !status.success() {
        bail!("it ended with {status}; see {}", log.display());
    }
    Ok(())
}

/// The same command, ended when its time is over, and when we are.
fn bounded(command: &Command, maker: Maker) -> Command {
    let timeout = if maker == Maker::Baton {
        TIMEOUT_OF_BATON
    } else {
        TIMEOUT_OF_PEERS
    };
    let mut bounded = Command::new("setpriv");
    bounded.args(["--pdeathsig", "TERM", "timeout", "--kill-after=10", timeout]);
    bounded.arg(command.get_program()).args(command.get_args());
    bounded
}

/// The file of raw lines.
struct Lines(File);

impl Lines {
    /// Keeps a measurement under its round; other output of the participant is passed over.
    fn add_of_round(&mut self, round: u32, text: &str) -> Result<()> {
        let Ok(mut measurement) = serde_json::from_str::<Map<String, Value>>(text) else {
            return Ok(());
        };
        eprintln!("  {text}");
        measurement.insert("round".to_owned(), round.into());
        self.add(&measurement.into())
    }

    fn add(&mut self, line: &Value) -> Result<()> {
        writeln!(self.0, "{line}").context("a line could not be kept")
    }
}
