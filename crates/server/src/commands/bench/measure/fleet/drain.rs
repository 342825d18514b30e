//! The backlog of a paused queue, worked off by all workers at once.

use std::time::Duration;

use baton_lab::servers::Redis;
use tokio::time::Instant;

use crate::{commands::bench::session::Session, exit::Failure};

use super::{
    Source,
    crowd::Crowd,
    turns::{Pair, Turns, in_turn},
};

/// How many jobs are worked off in one turn.
const JOBS: u32 = 100_000;
/// How many turns each way has: two drains of the same way differ by up to a third.
const TIMES: u32 = 16;

pub async fn run(session: &mut Session<'_>, redis: &Redis) -> Result<(), Failure> {
    let jobs = session.jobs(JOBS);
    let pair = Pair::gather(session, redis).await?;
    let mut turns = Turns::default();
    for way in in_turn(TIMES) {
        let turn = one(session, pair.of(way), way, jobs).await?;
        turns.took(way, turn);
    }
    for way in in_turn(1) {
        let crowd = pair.of(way);
        let before = crowd.transactions().await?;
        one(session, crowd, way, jobs).await?;
        turns.cost(
            way,
            (crowd.transactions().await? - before) / f64::from(jobs),
        );
    }
    pair.leave(session).await?;
    let what = "4 worker processes work off a backlog";
    turns.tell(session, "fleet_drain", jobs, what);
    Ok(())
}

async fn one(
    session: &Session<'_>,
    crowd: &Crowd,
    way: Source,
    jobs: u32,
) -> Result<Duration, Failure> {
    let bar = session.bar(jobs, way.as_str());
    crowd.pause(true).await?;
    let before = crowd.succeeded().await?;
    crowd.accept(jobs, 0).await?;
    crowd.settle().await?;
    let begun = Instant::now();
    crowd.pause(false).await?;
    crowd.drain(before, jobs, &bar).await?;
    let took = begun.elapsed();
    bar.finish_and_clear();
    Ok(took)
}
