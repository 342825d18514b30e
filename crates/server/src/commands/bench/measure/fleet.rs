//! Four worker processes on one PostgreSQL, with a Redis and without, in turn; and what its loss costs.

mod crowd;
mod loss;

use std::time::Duration;

use baton_lab::servers::Redis;
use tokio::time::{Instant, sleep};

use crate::{
    cli::Measurement,
    commands::bench::{figure::Figure, session::Session},
    exit::Failure,
};

use crowd::Crowd;

const JOBS: u32 = 100_000;
/// How often each way is measured, in turn.
const ROUNDS: usize = 3;
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
    let mut found: [Vec<(Duration, f64)>; 2] = Default::default();
    for round in 0..2 * ROUNDS {
        let way = [Way::Database, Way::Redis][round % 2];
        let crowd = Crowd::gather(session, way, redis).await?;
        let bar = session.bar(jobs, way.as_str());
        crowd.pause(true).await?;
        crowd.accept(jobs, 0).await?;
        crowd.settle().await?;
        let before = crowd.transactions().await?;
        let begun = Instant::now();
        crowd.pause(false).await?;
        crowd.drain(jobs.into(), &bar).await?;
        let took = begun.elapsed();
        bar.finish_and_clear();
        sleep(TELLING).await;
        let transactions = crowd.transactions().await? - before;
        found[round % 2].push((took, transactions / f64::from(jobs)));
        crowd.leave(session).await?;
    }
    let [database, redis] = found.map(median);
    for (way, (took, transactions), per) in [
        (Way::Database, database, None),
        (Way::Redis, redis, Some(database.0)),
    ] {
        let figure = Figure::rate(
            format!("fleet_drain_{}", way.as_str()),
            jobs.into(),
            crowd::WORKERS,
            took,
        )
        .using(transactions * 1e3, "transactions per 1000 jobs")
        .note("4 worker processes work off a backlog, median of 3 in turn");
        session.found(match per {
            Some(per) => {
                figure.against("the database alone", per.as_secs_f64() / took.as_secs_f64())
            }
            None => figure,
        });
    }
    Ok(())
}

/// Jobs that come one by one to an idle fleet.
async fn singles(session: &mut Session<'_>, redis: &Redis) -> Result<(), Failure> {
    for way in [Way::Database, Way::Redis] {
        let crowd = Crowd::gather(session, way, redis).await?;
        let bar = session.bar(SINGLES, way.as_str());
        crowd.accept(1, 0).await?;
        crowd.drain(1, &bar).await?;
        crowd.settle().await?;
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

fn median(mut found: Vec<(Duration, f64)>) -> (Duration, f64) {
    found.sort_by_key(|(took, _)| *took);
    found[found.len() / 2]
}
