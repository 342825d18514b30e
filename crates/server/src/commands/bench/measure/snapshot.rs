//! The drain with a snapshot held open, beside one without.

use std::time::Duration;

use crate::{
    commands::bench::{figure::Figure, session::Session},
    exit::Failure,
};

use super::drain::{HeldOpen, JOBS, drain};

/// Each once early and once late: what else the machine does, coming or going, meets both alike.
const ORDER: [HeldOpen; 4] = [
    HeldOpen::Nothing,
    HeldOpen::Snapshot,
    HeldOpen::Snapshot,
    HeldOpen::Nothing,
];

pub async fn run(session: &mut Session<'_>) -> Result<(), Failure> {
    let jobs = session.jobs(JOBS);
    let (mut without, mut with) = (Duration::ZERO, Duration::ZERO);
    let mut slots = 0;
    for held in ORDER {
        let mut rig = session.rig().await?;
        rig.turn();
        let drained = drain(session, &mut rig, jobs, held).await?;
        rig.take_down(session.ground).await?;
        slots = drained.slots;
        *match held {
            HeldOpen::Nothing => &mut without,
            HeldOpen::Snapshot => &mut with,
        } += drained.took;
    }
    let n = u64::from(jobs) * 2;
    session.found(
        Figure::rate("drain", n, slots, without).note("two drains without a snapshot, to compare"),
    );
    session.found(
        Figure::rate("drain_snapshot", n, slots, with)
            .against("without", without.as_secs_f64() / with.as_secs_f64())
            .note("two drains while a transaction that has read the jobs stays open"),
    );
    Ok(())
}
