//! Remote workers: jobs claimed and settled over HTTP, how soon a job and a wish to stop one arrive, and what idle workers cost.

mod arrival;
mod drain;
mod ground;
mod idle;

use crate::{
    commands::bench::{figure::Figure, session::Session},
    exit::Failure,
};

use super::drain as embedded;
use ground::Ground;

/// How many jobs go through by default.
const JOBS: u32 = 200_000;
/// By how many jobs at once, and which part of the jobs goes through so.
const SIZES: [(u32, u32); 3] = [(500, 1), (50, 4), (1, 100)];

pub async fn run(session: &mut Session<'_>) -> Result<(), Failure> {
    let jobs = session.jobs(JOBS);
    let mut ground = Ground::make(session).await?;
    match session.args.worker.clone() {
        Some(worker) => drain::by_command(session, &mut ground, &worker, jobs).await?,
        None => all(session, &mut ground, jobs).await?,
    }
    ground.give_up(session).await
}

async fn all(session: &mut Session<'_>, ground: &mut Ground, jobs: u32) -> Result<(), Failure> {
    // First, while the database has nothing to tidy up that a drain has left behind.
    arrival::of_jobs(session, ground).await?;
    arrival::of_wishes(session, ground).await?;
    let embedded = embedded_drain(session, jobs).await?;
    for (slots, part) in SIZES {
        drain::by_slots(session, ground, slots, jobs / part, embedded).await?;
    }
    idle::run(session, ground).await
}

/// Jobs a second by the worker of a server, beside which the remote one is held.
async fn embedded_drain(session: &mut Session<'_>, jobs: u32) -> Result<f64, Failure> {
    let mut rig = session.rig().await?;
    rig.turn();
    let nothing = embedded::HeldOpen::Nothing;
    let drained = embedded::drain(session, &mut rig, jobs, nothing).await?;
    rig.take_down(session.ground).await?;
    let figure = Figure::rate("remote_embedded", jobs.into(), drained.slots, drained.took);
    session.found(figure.note("the same jobs by the worker of a server, in the same minutes"));
    Ok(f64::from(jobs) / drained.took.as_secs_f64())
}
