//! Enqueue one job a call, inside the process: each call returns when its own job is durable.

use crate::{
    commands::bench::{figure::Figure, hammer::hammer, load, session::Session},
    exit::Failure,
};

pub const CALLERS: [u32; 4] = [1, 8, 32, 256];

pub async fn run(session: &mut Session<'_>) -> Result<(), Failure> {
    let mut rig = session.rig().await?;
    rig.turn();
    for callers in CALLERS {
        session.checkpoint(&rig).await?;
        let bar = session.timed_bar(callers);
        let (engine, job) = (rig.engine().clone(), load::noop());
        let call = move || {
            let (engine, job) = (engine.clone(), job.clone());
            async move {
                let enqueued = engine.enqueue(job).await;
                enqueued.map(drop).map_err(|error| load::refused(&error))
            }
        };
        let hammered = hammer(callers, session.args.span, &bar, call).await?;
        bar.finish_and_clear();
        let count = hammered.calls.len() as u64;
        session.found(
            Figure::rate("enqueue_single", count, callers, hammered.took)
                .taking(hammered.calls)
                .note("inside the process, no worker"),
        );
    }
    rig.take_down(session.ground).await
}
