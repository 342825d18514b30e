//! What the loss of a Redis costs while jobs flow, and its return.

use std::time::Duration;

use baton_lab::servers::Redis;
use indicatif::ProgressBar;
use tokio::time::{Instant, sleep, sleep_until};

use crate::{
    commands::bench::{figure::Figure, load::per_second, session::Session},
    exit::Failure,
};

use super::{Source, crowd::Crowd};

/// Enough for the time it takes, at what 200 slots do with jobs of this length.
const JOBS: u32 = 320_000;
const JOB_MS: u64 = 20;
/// How long the even flow is looked at, before and after: in 2 s it differs by a tenth from itself.
const SPAN: Duration = Duration::from_secs(6);
/// How long until the flow is even.
const WARM_UP: Duration = Duration::from_secs(3);
/// Within this time of the loss half of the rate is to be back.
const HALF: Duration = Duration::from_secs(2);
/// Within this time of the return all of it is.
const FULL: Duration = Duration::from_secs(15);

pub async fn run(session: &mut Session<'_>, redis: &mut Redis) -> Result<(), Failure> {
    let crowd = Crowd::gather(session, Source::Redis, redis).await?;
    let bar = session.bar(JOBS, "loss");
    crowd.pause(true).await?;
    crowd.accept(JOBS, JOB_MS).await?;
    crowd.pause(false).await?;
    sleep(WARM_UP).await;
    let before = rate(&crowd, SPAN, &bar).await?;

    redis.kill().map_err(broken)?;
    let at_once = rate(&crowd, HALF, &bar).await?;
    let after = rate(&crowd, HALF, &bar).await?;

    redis.restart().map_err(broken)?;
    let returned = Instant::now();
    sleep_until(returned + FULL).await;
    let back = rate(&crowd, SPAN, &bar).await?;
    bar.finish_and_clear();
    crowd.leave(session).await?;

    let note = |what: &str| {
        format!("{what}; 4 workers with 50 slots each, jobs of {JOB_MS} ms, {before:.0}/s before")
    };
    let figures = [
        (
            "fleet_loss_at_once",
            at_once,
            format!("the first {} s after Redis was killed", HALF.as_secs()),
        ),
        (
            "fleet_loss",
            after,
            format!("from {} s after Redis was killed", HALF.as_secs()),
        ),
        (
            "fleet_return",
            back,
            format!("from {} s after Redis came back, empty", FULL.as_secs()),
        ),
    ];
    for (workload, rate, what) in figures {
        session.found(
            Figure::amount(workload, JOBS.into(), rate, "jobs/s")
                .against("before", rate / before)
                .note(note(&what)),
        );
    }
    Ok(())
}

/// How many jobs succeed a second, over a while.
async fn rate(crowd: &Crowd, span: Duration, bar: &ProgressBar) -> Result<f64, Failure> {
    let (first, begun) = (crowd.succeeded().await?, Instant::now());
    sleep(span).await;
    let (last, took) = (crowd.succeeded().await?, begun.elapsed());
    bar.set_position(last);
    Ok(per_second(last - first, took))
}

fn broken(error: impl std::fmt::Display) -> Failure {
    Failure::new(format!("the Redis of the measurement: {error:#}"))
}
