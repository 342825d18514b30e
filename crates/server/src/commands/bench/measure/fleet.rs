//! Four worker processes on one PostgreSQL, with a Redis and without, in turn; and what its loss costs.

mod crowd;
mod drain;
mod flow;
mod loss;
mod singles;
mod turns;

use baton_lab::servers::Redis;

use crate::{cli::Measurement, commands::bench::session::Session, exit::Failure};

/// How workers find jobs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Source {
    Database,
    Redis,
}

impl Source {
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
    drain::run(session, &redis).await?;
    flow::run(session, &redis).await?;
    singles::run(session, &redis).await?;
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
