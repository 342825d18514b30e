//! The drain with a snapshot held open, beside one without.

use crate::{
    commands::bench::{figure::Figure, session::Session},
    exit::Failure,
};

use super::drain::{Held, JOBS, drain};

pub async fn run(session: &mut Session<'_>) -> Result<(), Failure> {
    let jobs = session.jobs(JOBS);
    let mut rates = Vec::new();
    for held in [Held::Nothing, Held::Snapshot] {
        let mut rig = session.rig().await?;
        rig.turn();
        let drained = drain(session, &mut rig, jobs, held).await?;
        rig.take_down(session.ground).await?;
        let (workload, note) = match held {
            Held::Nothing => ("drain", "no snapshot, for comparison"),
            Held::Snapshot => (
                "drain_snapshot",
                "a transaction that has read the jobs stays open",
            ),
        };
        let figure = Figure::rate(workload, jobs.into(), drained.slots, drained.took).note(note);
        rates.extend(figure.per_second);
        session.found(match *rates {
            [without, with] => figure.against("drain without", with / without),
            _ => figure,
        });
    }
    Ok(())
}
