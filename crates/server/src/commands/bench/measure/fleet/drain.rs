//! The backlog of a paused queue, worked off by all workers at once.

use baton_lab::servers::Redis;
use tokio::time::{Instant, sleep};

use crate::{commands::bench::session::Session, exit::Failure};

use super::{
    TELLING, Way,
    crowd::{Crowd, Turn},
    turns::{Turns, in_turn},
};

const JOBS: u32 = 200_000;
/// How often each way is measured: two drains of the same way differ by up to 15 %.
const ROUNDS: usize = 7;

pub async fn run(session: &mut Session<'_>, redis: &Redis) -> Result<(), Failure> {
    let jobs = session.jobs(JOBS);
    let mut turns = Turns::default();
    for (round, way) in in_turn(ROUNDS) {
        let is_counted = round + 1 == ROUNDS;
        let turn = one(session, redis, way, jobs, is_counted).await?;
        turns.took(way, turn);
    }
    let what = "4 worker processes work off a backlog";
    turns.tell(session, "fleet_drain", jobs, what);
    Ok(())
}

/// One drain; to count its transactions takes two rests.
async fn one(
    session: &Session<'_>,
    redis: &Redis,
    way: Way,
    jobs: u32,
    is_counted: bool,
) -> Result<Turn, Failure> {
    let crowd = Crowd::gather(session, way, redis).await?;
    let bar = session.bar(jobs, way.as_str());
    crowd.pause(true).await?;
    crowd.accept(jobs, 0).await?;
    crowd.settle().await?;
    let before = if is_counted {
        Some(told(&crowd).await?)
    } else {
        None
    };
    let begun = Instant::now();
    crowd.pause(false).await?;
    crowd.drain(jobs.into(), &bar).await?;
    let took = begun.elapsed();
    let transactions = match before {
        Some(before) => Some(told(&crowd).await? - before),
        None => None,
    };
    bar.finish_and_clear();
    crowd.leave(session).await?;
    Ok(Turn { took, transactions })
}

/// How many transactions there were, when everybody has told of his.
async fn told(crowd: &Crowd) -> Result<f64, Failure> {
    sleep(TELLING).await;
    crowd.transactions().await
}
