//! Four worker processes on one PostgreSQL, with a Redis and without, in turn; and what its loss costs.

mod crowd;
mod loss;

use std::time::Duration;

use baton_lab::servers::Redis;
use indicatif::ProgressBar;
use tokio::time::{Instant, sleep};

use crate::{
    cli::Measurement,
    commands::bench::{figure::Figure, session::Session},
    exit::Failure,
};

use crowd::Crowd;

const JOBS: u32 = 200_000;
/// How often each way is measured, in turn: two drains of the same way differ by up to 15 %.
const ROUNDS: usize = 7;
/// How many jobs come one by one.
const SINGLES: u32 = 200;
/// How long it is between two of them.
const APART: Duration = Duration::from_millis(25);
/// How long an idle connection of PostgreSQL can keep to itself what it has done.
const TELLING: Duration = Duration::from_secs(11);

/// How workers find jobs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    Database,
    Redis,
}

impl Way {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Database => "database",
            Self::Redis => "redis",
        }
    }
}

pub async fn run(session: &mut Session<'_>) -> Result<(), Failure> {
    if session.store() != "postgres" {
        return without_postgres(session);
    }
    let mut redis = private_redis().await?;
    drain(session, &redis).await?;
    singles(session, &redis).await?;
    loss::run(session, &mut redis).await
}

/// Several processes need a database that can be shared.
fn without_postgres(session: &Session<'_>) -> Result<(), Failure> {
    if session.args.measurements.contains(&Measurement::Fleet) {
        return Err(Failure::usage("a SQLite file has one process, not a fleet")
            .then("Name a PostgreSQL with --database postgres://user@host/name."));
    }
    Ok(())
}

async fn private_redis() -> Result<Redis, Failure> {
    let started = tokio::task::spawn_blocking(|| Redis::start(&[])).await;
    let started = started.map_err(|error| Failure::new(error.to_string()))?;
    started.map_err(|error| {
        Failure::new(format!("a Redis of its own cannot be started: {error:#}"))
            .then("The measurement needs the program redis-server; Debian has it as a package.")
    })
}

/// The backlog of a paused queue, worked off by all workers at once.
async fn drain(session: &mut Session<'_>, redis: &Redis) -> Result<(), Failure> {
    let jobs = session.jobs(JOBS);
    let (mut database, mut hinted) = (Drains::default(), Drains::default());
    for round in 0..ROUNDS {
        let ways = [(Way::Database, &mut database), (Way::Redis, &mut hinted)];
        // Each way is first every other time: a machine that slows down meanwhile favours neither.
        let turns: Vec<_> = match round % 2 {
            0 => ways.into_iter().collect(),
            _ => ways.into_iter().rev().collect(),
        };
        for (way, drains) in turns {
            let crowd = Crowd::gather(session, way, redis).await?;
            let bar = session.bar(jobs, way.as_str());
            crowd.pause(true).await?;
            crowd.accept(jobs, 0).await?;
            crowd.settle().await?;
            match round + 1 == ROUNDS {
                false => drains.took.push(one_drain(&crowd, jobs, &bar).await?),
                true => {
                    sleep(TELLING).await;
                    let before = crowd.transactions().await?;
                    drains.took.push(one_drain(&crowd, jobs, &bar).await?);
                    sleep(TELLING).await;
                    drains.transactions = crowd.transactions().await? - before;
                }
            }
            bar.finish_and_clear();
            crowd.leave(session).await?;
        }
    }
    let without = database.median();
    for (way, drains) in [(Way::Database, database), (Way::Redis, hinted)] {
        let took = drains.median();
        let figure = Figure::rate(
            format!("fleet_drain_{}", way.as_str()),
            jobs.into(),
            crowd::WORKERS,
            took,
        )
        .using(
            drains.transactions / f64::from(jobs) * 1e3,
            "transactions per 1000 jobs",
        )
        .note(format!(
            "4 worker processes work off a backlog, median of {} s",
            drains.in_turn()
        ));
        session.found(match way {
            Way::Database => figure,
            Way::Redis => figure.against(
                "the database alone",
                without.as_secs_f64() / took.as_secs_f64(),
            ),
        });
    }
    Ok(())
}

async fn one_drain(crowd: &Crowd, jobs: u32, bar: &ProgressBar) -> Result<Duration, Failure> {
    let begun = Instant::now();
    crowd.pause(false).await?;
    crowd.drain(jobs.into(), bar).await?;
    Ok(begun.elapsed())
}

/// What the drains of one way took.
#[derive(Default)]
struct Drains {
    took: Vec<Duration>,
    /// Of the last of them.
    transactions: f64,
}

impl Drains {
    fn in_turn(&self) -> String {
        let seconds = self
            .took
            .iter()
            .map(|took| format!("{:.2}", took.as_secs_f64()));
        seconds.collect::<Vec<_>>().join(", ")
    }

    fn median(&self) -> Duration {
        let mut took = self.took.clone();
        took.sort();
        took[took.len() / 2]
    }
}

/// Jobs that come one by one to an idle fleet.
async fn singles(session: &mut Session<'_>, redis: &Redis) -> Result<(), Failure> {
    for way in [Way::Database, Way::Redis] {
        let crowd = Crowd::gather(session, way, redis).await?;
        let bar = session.bar(SINGLES, way.as_str());
        crowd.accept(1, 0).await?;
        crowd.drain(1, &bar).await?;
        crowd.settle().await?;
        sleep(TELLING).await;
        let before = crowd.transactions().await?;
        let begun = Instant::now();
        let waits = crowd.singles(SINGLES, APART, &bar).await?;
        let took = begun.elapsed();
        bar.finish_and_clear();
        sleep(TELLING).await;
        let transactions = (crowd.transactions().await? - before) / f64::from(SINGLES);
        crowd.leave(session).await?;
        let of = took.as_secs_f64() + TELLING.as_secs_f64();
        session.found(
            Figure::latency(format!("fleet_start_{}", way.as_str()), crowd::WORKERS, waits)
                .using(transactions, "transactions per job")
                .note(format!("from accepted to started, 40 jobs a second to an idle fleet; transactions of {of:.0} s, idle ones included")),
        );
    }
    Ok(())
}
