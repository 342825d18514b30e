//! `baton faults`: a fleet of real servers is killed, frozen, wiped and cut off while clients go on, and
//! what comes of it is judged.
//!
//! The run speaks to its servers through the public API only, and hurts them through what any machine
//! could do to them: signals, and the lines between them and their database and Redis. A judge that
//! shares no code with the servers compares what the clients were told, what arrived at the target,
//! what the database says and what the feed told.
//!
//! To add a scenario: a variant of [`Scenario`] with its name and its victim, and what it does in the
//! file of its victim under `nemesis`.

mod address;
mod campaigns;
mod clocks;
mod crew;
mod ends;
mod journal;
mod load;
mod nemesis;
mod node;
mod recording;
mod redis;
mod report;
mod scenario;
mod stage;
mod tally;
mod versions;
mod watch;

use std::path::Path;

use baton_lab::servers::WallClock;
use tempfile::TempDir;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::{
    cli::{FaultsArgs, Part},
    commands::subscriber::Subscriber,
    exit::{Exit, Failure},
    output::Output,
    shutdown::{self, Shutdown},
};

pub use crew::Crew;
pub use scenario::Scenario;

use campaigns::Campaigns;

use ends::Told;
use load::Load;
use nemesis::Now;
use recording::Recording;
use report::Report;
use scenario::Victim;
use stage::Stage;
use tally::Tally;

/// What the servers keep all in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Kept {
    /// A private PostgreSQL
    Postgres,
    /// Three of them under Patroni, with etcd and synchronous replication, and Redis under Sentinels
    Patroni,
    /// A file, which one server has to itself
    Sqlite,
}

/// Why no clock is stepped, and what helps.
const NO_CLOCKS: &str = "no clock can be stepped here: libfaketime is not installed. Debian's package is `libfaketime`; \
in Baton's own source folder `cargo xtask setup` installs it";
/// How many servers of the API have a subscriber to the feed.
const SUBSCRIBERS: usize = 2;

pub async fn run(args: FaultsArgs, output: &Output) -> Result<Exit, Failure> {
    if let Some(file) = &args.judge {
        let recording = Recording::read(file)?;
        let report = Report::of(&recording);
        report.show(output);
        return Ok(exit(&report));
    }
    let told = Shutdown::listen()?.soft;
    tokio::select! {
        ended = play(&args, output) => ended,
        // Dropping the play ends all it has started.
        () = told.cancelled() => Ok(Exit::Interrupted),
        () = shutdown::hung_up() => Ok(Exit::Interrupted),
    }
}

fn exit(report: &Report<'_>) -> Exit {
    if report.is_good() {
        Exit::Ok
    } else {
        Exit::Failure
    }
}

async fn play(args: &FaultsArgs, output: &Output) -> Result<Exit, Failure> {
    let seed = args.seed.unwrap_or_else(|| rand::random::<u32>().into());
    let tally = Tally::new(args, deck(args, WallClock::is_possible())?)?;
    let folder = tempfile::Builder::new()
        .prefix("baton-faults-")
        .tempdir()
        .map_err(|error| Failure::new(format!("no temporary folder can be made: {error}")))?;
    output.say(format!("The seed is {seed}."));
    match record(args, seed, tally, folder.path(), output).await {
        Ok(recording) => judge(args, &recording, folder, output),
        // Before anything was started there is nothing to look at.
        Err(failure) if failure.exit == Exit::Usage => Err(failure),
        Err(failure) => Err(failure
            .then(format!("The seed was {seed}."))
            .then(format!("The servers' logs are in {}", kept(folder)))),
    }
}

/// What may be drawn, where processes can be given clocks, or cannot.
fn deck(args: &FaultsArgs, has_clocks: bool) -> Result<Vec<Scenario>, Failure> {
    let wants_steps = args.clock_steps > 0 || args.only.contains(&Scenario::StepClock);
    if wants_steps && !has_clocks {
        return Err(Failure::new(NO_CLOCKS).exit(Exit::Unreachable));
    }
    let deck: Vec<_> = asked_for(args)
        .filter(|one| !is_left_out(args, *one, has_clocks))
        .collect();
    if deck.is_empty() {
        return Err(Failure::usage("none of the scenarios can be played here")
            .then("Without Redis those of Redis are left out, on SQLite and Patroni those of the one PostgreSQL, elsewhere those of Patroni, without campaigns theirs; of a database or a Redis that was given, those that need its process."));
    }
    Ok(deck)
}

fn asked_for(args: &FaultsArgs) -> impl Iterator<Item = Scenario> {
    Scenario::each().filter(|one| {
        let is_there = match one.victim() {
            Victim::Servers | Victim::Clocks => true,
            Victim::Campaigns => args.campaigns > 0,
            Victim::Database | Victim::Lines => args.store == Kept::Postgres,
            Victim::Cluster => args.store == Kept::Patroni,
            Victim::Sentinels => has_sentinels(args),
            Victim::Redis => has_redis(args),
        };
        is_there && (args.only.is_empty() || args.only.contains(one))
    })
}

/// Whether it needs the process of a server that was given, or a clock that nobody can be given here.
fn is_left_out(args: &FaultsArgs, scenario: Scenario, has_clocks: bool) -> bool {
    let is_given = match scenario.victim() {
        Victim::Servers
        | Victim::Campaigns
        | Victim::Lines
        | Victim::Cluster
        | Victim::Sentinels => false,
        Victim::Clocks => return !has_clocks,
        Victim::Database => args.database.is_some(),
        Victim::Redis => args.redis.is_some(),
    };
    is_given && scenario.needs_our_own()
}

/// Whether the servers of a run have a Redis and a replica under Sentinels.
fn has_sentinels(args: &FaultsArgs) -> bool {
    args.without != Some(Part::Redis) && args.store == Kept::Patroni
}

/// Whether the servers of a run have a Redis of which there is one.
fn has_redis(args: &FaultsArgs) -> bool {
    args.without != Some(Part::Redis) && args.store == Kept::Postgres
}

async fn record(
    args: &FaultsArgs,
    seed: u64,
    tally: Tally,
    folder: &Path,
    output: &Output,
) -> Result<Recording, Failure> {
    let stage = Stage::set(args, seed, tally, folder).await?;
    output.say(format!(
        "{} servers are up, their database and all they need; now they are hurt.",
        stage.nodes.len()
    ));
    let mut subscribers = Vec::new();
    for (door, number) in stage.doors.iter().zip(1..=SUBSCRIBERS) {
        let name = format!("subscriber {number}");
        subscribers.push(Subscriber::start(&name, door).await?);
    }
    let mut load = Load::start(&stage, args.rate);
    let mut campaigns = Campaigns::start(&stage, args).await?;
    let counters = load.counters();
    let (now, stop) = (Now::default(), CancellationToken::new());
    let reached = {
        let watch = watch::until_reached(&stage, args, &counters, &now, output);
        let watched = async {
            let reached = watch.await;
            stop.cancel();
            Ok(reached)
        };
        tokio::select! {
            played = async { tokio::try_join!(watched, nemesis::rage(&stage, &now, &stop)) } => played?.0,
            failure = load.failed() => return Err(failure),
            failure = campaigns.failed() => return Err(failure),
        }
    };
    watch::count(&stage, &counters);
    output.say("All faults are taken back; now everything has to come to rest.");
    let healed = Instant::now();
    let (log, campaigns) = tokio::try_join!(load.end(), campaigns.end())?;
    watch::count(&stage, &counters);
    let told = Told {
        log,
        campaigns,
        subscribers,
    };
    let recording = ends::gather(&stage, args, told, healed, output).await?;
    Ok(Recording {
        missed: reached,
        left_out: asked_for(args)
            .filter(|one| is_left_out(args, *one, WallClock::is_possible()))
            .collect(),
        ..recording
    })
}

fn judge(
    args: &FaultsArgs,
    recording: &Recording,
    folder: TempDir,
    output: &Output,
) -> Result<Exit, Failure> {
    let report = Report::of(recording);
    if let Some(file) = &args.history {
        recording.write(file)?;
    }
    report.show(output);
    if !report.is_good() {
        let file = folder.path().join("history.json");
        recording.write(&file)?;
        output.say(format!(
            "The history and the servers' logs are in {}; judge it again with\n  baton faults --judge {}",
            kept(folder),
            file.display()
        ));
    }
    Ok(exit(&report))
}

/// Keeps a folder for a closer look.
fn kept(folder: TempDir) -> String {
    folder.keep().display().to_string()
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        args: FaultsArgs,
    }

    fn args(words: &[&str]) -> FaultsArgs {
        Line::parse_from([&["faults"], words].concat()).args
    }

    #[test]
    fn without_libfaketime_steps_that_were_asked_for_end_with_7_and_what_to_install() {
        for words in [["--clock-steps", "1"], ["--only", "step-clock"]] {
            let refused = deck(&args(&words), false).unwrap_err();

            let said = refused.what();
            assert_eq!(refused.exit, Exit::Unreachable, "{words:?}");
            assert_eq!(Exit::Unreachable as u8, 7);
            assert!(said.contains("Debian's package is `libfaketime`"), "{said}");
        }
    }

    #[test]
    fn without_libfaketime_a_run_that_asks_for_no_steps_is_played_without_them() {
        let with = deck(&args(&[]), true).unwrap();
        let without = deck(&args(&[]), false).unwrap();

        let left: Vec<_> = with.iter().filter(|one| !without.contains(one)).collect();
        assert_eq!(left, [&Scenario::StepClock]);
    }
}
