//! Both ways side by side, each in turn: what the turns took, and how they compare.
//!
//! What a shared machine gives changes by half within minutes, and less within seconds. So both crowds live all the
//! time, and take turns of seconds.

use std::time::Duration;

use baton_lab::servers::Redis;

use crate::{
    commands::bench::{figure::Figure, session::Session, took::Took},
    exit::Failure,
};

use super::{
    Source,
    crowd::{Crowd, WORKERS},
};

/// A crowd for each way, over a database of its own.
pub struct Pair {
    database: Crowd,
    redis: Crowd,
}

impl Pair {
    pub async fn gather(session: &Session<'_>, redis: &Redis) -> Result<Self, Failure> {
        let pair = Self {
            database: Crowd::gather(session, Source::Database, redis).await?,
            redis: Crowd::gather(session, Source::Redis, redis).await?,
        };
        pair.database.warm_up().await?;
        pair.redis.warm_up().await?;
        Ok(pair)
    }

    pub const fn of(&self, way: Source) -> &Crowd {
        match way {
            Source::Database => &self.database,
            Source::Redis => &self.redis,
        }
    }

    pub async fn leave(self, session: &Session<'_>) -> Result<(), Failure> {
        self.database.leave(session).await?;
        self.redis.leave(session).await
    }
}

/// Both ways so many times. Each is first every other time: a machine that slows down meanwhile favours neither.
pub fn in_turn(times: u32) -> impl Iterator<Item = Source> {
    (0..times).flat_map(|time| match time % 2 {
        0 => [Source::Database, Source::Redis],
        _ => [Source::Redis, Source::Database],
    })
}

/// What the turns of both ways took.
#[derive(Default)]
pub struct Turns {
    database: Cost,
    redis: Cost,
}

/// What one way took.
#[derive(Default)]
struct Cost {
    turns: Took,
    transactions: Option<f64>,
}

impl Turns {
    pub fn took(&mut self, way: Source, turn: Duration) {
        self.of(way).turns.add(turn);
    }

    /// Takes note of how many transactions of the database each job took, those of some seconds of rest included.
    pub fn cost(&mut self, way: Source, transactions: f64) {
        self.of(way).transactions = Some(transactions);
    }

    fn of(&mut self, way: Source) -> &mut Cost {
        match way {
            Source::Database => &mut self.database,
            Source::Redis => &mut self.redis,
        }
    }

    /// Tells what a turn of each way took in the middle, the second way against the first.
    pub fn tell(&self, session: &mut Session<'_>, workload: &str, jobs: u32, what: &str) {
        for (way, cost) in [
            (Source::Database, &self.database),
            (Source::Redis, &self.redis),
        ] {
            let name = format!("{workload}_{}", way.as_str());
            let note = format!("{what}, median of {} s", cost.turns.in_turn());
            let mut figure =
                Figure::rate(name, jobs.into(), WORKERS, cost.turns.median()).note(note);
            if let Some(transactions) = cost.transactions {
                figure = figure.using(transactions * 1e3, "transactions per 1000 jobs");
            }
            if way == Source::Redis {
                let without = self.database.turns.median().as_secs_f64();
                let ratio = without / cost.turns.median().as_secs_f64();
                figure = figure.against("the database alone", ratio);
            }
            session.found(figure);
        }
    }
}
