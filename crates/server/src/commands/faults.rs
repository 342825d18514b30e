//! `baton faults`: a fleet of real servers is hurt while clients go on, and judged.
//!
//! Servers are killed, frozen, wiped and cut off.
//!
//! The run speaks to its servers through the public API only, and hurts them through what any machine
//! could do to them: signals, and the lines between them and their database and Redis. A judge that
//! shares no code with the servers compares what the clients were told, what arrived at the target,
//! what the database says and what the feed told.
//! All of that is the [library's](baton_faults::run); here is what the command says and how it ends.

mod report;
mod watch;

use std::path::Path;

use baton_faults::{
    Load, Mix, Subscriber,
    run::{
        Campaigns, LabInstallation, Options, Recording, Tally, Walkers, deck,
        ends::{self, Observations},
        nemesis::{self, Now},
    },
};
use baton_lab::servers::WallClock;
use tempfile::TempDir;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::{
    cli::FaultsArgs,
    exit::{Exit, Failure},
    output::Output,
    shutdown::{self, Shutdown},
};

use report::Report;

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
    let seed = args
        .options
        .seed
        .unwrap_or_else(|| rand::random::<u32>().into());
    let tally = Tally::new(
        &args.options,
        deck::of(&args.options, WallClock::is_possible())?,
    )?;
    let folder = tempfile::Builder::new()
        .prefix("baton-faults-")
        .tempdir()
        .map_err(|error| Failure::new(format!("no temporary folder can be made: {error}")))?;
    output.say(format!("The seed is {seed}."));
    match record(&args.options, seed, tally, folder.path(), output).await {
        Ok(recording) => judge(args, &recording, folder, output),
        // Before anything was started there is nothing to look at.
        Err(failure) if failure.exit == Exit::Usage => Err(failure),
        Err(failure) => Err(failure
            .then(format!("The seed was {seed}."))
            .then(format!("The servers' logs are in {}", kept(folder)))),
    }
}

async fn record(
    args: &Options,
    seed: u64,
    tally: Tally,
    folder: &Path,
    output: &Output,
) -> Result<Recording, Failure> {
    let stage = LabInstallation::set(args, seed, tally, folder).await?;
    output.say(format!(
        "{} servers are up, their database and all they need; now they are hurt.",
        stage.nodes.len()
    ));
    let mut subscribers = Vec::new();
    for (endpoint, number) in stage.endpoints.iter().zip(1..=SUBSCRIBERS) {
        let name = format!("subscriber {number}");
        subscribers.push(Subscriber::start(&name, endpoint).await?);
    }
    let mix = Mix {
        has_custom: args.has_remotes(),
        has_bulk: true,
    };
    let mut load = Load::with(
        mix,
        stage.endpoints.clone(),
        stage.target.addr(),
        args.rate,
        stage.seed,
    );
    let mut campaigns = Campaigns::start(&stage, args).await?;
    let mut walkers = Walkers::start(&stage, args);
    let counters = load.counters();
    let (now, stop) = (Now::default(), CancellationToken::new());
    let reached = {
        let watch = watch::until_reached(&stage, args.at_most, &counters, &now, output);
        let watched = async {
            let reached = watch.await;
            stop.cancel();
            Ok(reached)
        };
        tokio::select! {
            played = async { tokio::try_join!(watched, nemesis::rage(&stage, &now, &stop)) } => played?.0,
            failure = load.clients.failed() => return Err(failure.into()),
            failure = walkers.clients.failed() => return Err(failure.into()),
            failure = campaigns.clients.failed() => return Err(failure.into()),
        }
    };
    stage.count(&counters);
    output.say("All faults are taken back; now everything has to come to rest.");
    let healed = Instant::now();
    let (log, (campaigns, notified), walks) =
        tokio::try_join!(load.end(), campaigns.end(), walkers.end())?;
    stage.count(&counters);
    let told = Observations {
        log,
        campaigns,
        notified,
        subscribers,
        walks,
    };
    let faults = stage.tally.elapsed();
    let rest = ends::rest(&stage, healed).await?;
    output.say("Everything has come to rest; now everybody is asked what they know.");
    let recording = ends::gather(&stage, args, told, (faults, rest)).await?;
    Ok(Recording {
        missed: reached,
        left_out: deck::left_out(args),
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
    use baton_faults::run::Scenario;
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        args: FaultsArgs,
    }

    fn options(words: &[&str]) -> Options {
        Line::parse_from([&["faults"], words].concat()).args.options
    }

    #[test]
    fn without_libfaketime_steps_that_were_asked_for_end_with_7_and_what_to_install() {
        for words in [["--clock-steps", "1"], ["--only", "step-clock"]] {
            let refused = Failure::from(deck::of(&options(&words), false).unwrap_err());

            let said = refused.what();
            assert_eq!(refused.exit, Exit::Unreachable, "{words:?}");
            assert_eq!(Exit::Unreachable as u8, 7);
            assert!(said.contains("Debian's package is `libfaketime`"), "{said}");
        }
    }

    #[test]
    fn without_libfaketime_a_run_that_asks_for_no_steps_is_played_without_them() {
        let with = deck::of(&options(&[]), true).unwrap();
        let without = deck::of(&options(&[]), false).unwrap();

        let left: Vec<_> = with.iter().filter(|one| !without.contains(one)).collect();
        assert_eq!(left, [&Scenario::StepClock]);
    }
}
