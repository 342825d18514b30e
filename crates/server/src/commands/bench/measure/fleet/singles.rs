//! Jobs that come one by one to an idle fleet.

use std::time::Duration;

use baton_lab::servers::Redis;
use tokio::time::Instant;

use crate::{
    commands::bench::{figure::Figure, session::Session},
    exit::Failure,
};

use super::{
    Source,
    crowd::{self, Crowd, TELLING},
};

/// How many jobs come.
const SINGLES: u32 = 200;
/// How long it is between two of them.
const APART: Duration = Duration::from_millis(25);

pub async fn run(session: &mut Session<'_>, redis: &Redis) -> Result<(), Failure> {
    for way in [Source::Database, Source::Redis] {
        let crowd = Crowd::gather(session, way, redis).await?;
        let bar = session.bar(SINGLES, way.as_str());
        crowd.warm_up().await?;
        let before = crowd.transactions().await?;
        let begun = Instant::now();
        let waits = crowd.singles(SINGLES, APART, &bar).await?;
        let took = begun.elapsed();
        bar.finish_and_clear();
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
