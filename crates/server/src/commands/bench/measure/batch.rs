//! Enqueue in batches, by one caller and by four.

use futures::future::try_join_all;
use tokio::time::Instant;

use crate::{
    commands::bench::{
        figure::Figure,
        load::{self, BATCH},
        session::Session,
    },
    exit::Failure,
};

use super::drain::JOBS;

const CALLERS: [u32; 2] = [1, 4];

pub async fn run(session: &mut Session<'_>) -> Result<(), Failure> {
    let jobs = session.jobs(JOBS);
    for callers in CALLERS {
        let mut rig = session.rig().await?;
        rig.turn();
        session.checkpoint(&rig).await?;
        let bar = session.bar(jobs, &format!("{callers} callers"));
        let begun = Instant::now();
        let job = load::noop();
        let fills = (0..callers).map(|_| load::fill(rig.engine(), jobs / callers, &job, &bar));
        try_join_all(fills).await?;
        let took = begun.elapsed();
        bar.finish_and_clear();
        rig.take_down(session.ground).await?;
        let enqueued = u64::from(jobs / callers * callers);
        session.found(
            Figure::rate("enqueue_bulk", enqueued, callers, took)
                .note(format!("enqueue_all {BATCH}")),
        );
    }
    Ok(())
}
