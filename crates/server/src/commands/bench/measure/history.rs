//! The drain and the batches with finished jobs present, beside an empty database.

use std::time::Duration;

use baton_sql::bench::History;

use crate::{
    commands::bench::{
        figure::Figure,
        handlers::NOOP,
        load::{self, QUEUE},
        rig::Rig,
        session::Session,
    },
    exit::Failure,
    store,
};

use super::drain::{Drained, Held, JOBS, drain};

pub async fn run(session: &mut Session<'_>) -> Result<(), Failure> {
    let jobs = session.jobs(JOBS);
    let mut empty: Option<Drained> = None;
    for finished in std::iter::once(0).chain(session.args.histories()) {
        let mut rig = session.rig().await?;
        write(session, &rig, finished).await?;
        rig.turn();
        let drained = drain(session, &mut rig, jobs, Held::Nothing).await?;
        rig.take_down(session.ground).await?;
        show(session, jobs, finished, &drained, empty.as_ref());
        empty.get_or_insert(drained);
    }
    Ok(())
}

/// Writes finished jobs, and leaves the database as it is once it has come to rest.
async fn write(session: &Session<'_>, rig: &Rig, finished: u32) -> Result<(), Failure> {
    let bar = session.bar(finished, "write history");
    let history = History {
        jobs: finished,
        // Nothing of it is old enough to be pruned.
        until: rig.engine().now() - Duration::from_secs(60),
        queue: QUEUE.to_owned(),
        kind: NOOP.to_owned(),
        payload: load::payload().to_string(),
    };
    let written = rig
        .tools
        .write_history(&history, |count| bar.set_position(count.into()))
        .await;
    written.map_err(|error| store::lost(&error))?;
    bar.set_message("vacuum");
    let vacuumed = rig.tools.vacuum().await;
    bar.finish_and_clear();
    vacuumed.map_err(|error| store::lost(&error))
}

fn show(
    session: &mut Session<'_>,
    jobs: u32,
    finished: u32,
    drained: &Drained,
    empty: Option<&Drained>,
) {
    let beside = |workload, concurrency, took: Duration, empty: Option<Duration>| {
        let figure = Figure::rate(workload, jobs.into(), concurrency, took)
            .note(format!("{finished} finished jobs present"));
        match empty {
            Some(empty) => figure.against("empty", empty.as_secs_f64() / took.as_secs_f64()),
            None => figure,
        }
    };
    let filled = empty.map(|empty| empty.filled);
    session.found(beside("enqueue_bulk_history", 1, drained.filled, filled));
    let took = empty.map(|empty| empty.took);
    session.found(beside("drain_history", drained.slots, drained.took, took));
}
