//! The drain and the batches with finished jobs present, beside an empty database.
//!
//! Ten million jobs take minutes to write, and what a shared machine gives changes by half meanwhile. So all the
//! databases are there first, and then take turns of seconds.

use std::time::Duration;

use baton_sql::bench::History;

use crate::{
    commands::bench::{
        figure::Figure,
        handlers::NOOP,
        load::{self, QUEUE},
        rig::Rig,
        session::Session,
        took::Took,
    },
    exit::Failure,
    store,
};

use super::drain::{HeldOpen, JOBS, drain};

/// How often each database is filled and drained. Even, so that each is as often early as late in a turn.
const TURNS: usize = 6;

pub async fn run(session: &mut Session<'_>) -> Result<(), Failure> {
    let jobs = session.jobs(JOBS);
    let mut pasts = Vec::new();
    for finished in std::iter::once(0).chain(session.args.histories()) {
        pasts.push(Past::write(session, finished).await?);
    }
    for turn in 0..TURNS {
        // The order turns as well: a machine that slows down meanwhile favours none.
        if turn % 2 == 0 {
            for past in &mut pasts {
                past.turn(session, jobs).await?;
            }
        } else {
            for past in pasts.iter_mut().rev() {
                past.turn(session, jobs).await?;
            }
        }
    }
    show(session, jobs, &pasts);
    for past in pasts {
        past.rig.take_down(session.ground).await?;
    }
    Ok(())
}

/// A database with finished jobs, and what its turns took.
struct Past {
    rig: Rig,
    finished: u32,
    slots: u32,
    filled: Took,
    drained: Took,
}

impl Past {
    /// Writes finished jobs, and leaves the database as it is once it has come to rest.
    async fn write(session: &Session<'_>, finished: u32) -> Result<Self, Failure> {
        let mut rig = session.rig().await?;
        write(session, &rig, finished).await?;
        rig.turn();
        Ok(Self {
            slots: rig.slots(),
            rig,
            finished,
            filled: Took::default(),
            drained: Took::default(),
        })
    }

    async fn turn(&mut self, session: &mut Session<'_>, jobs: u32) -> Result<(), Failure> {
        let drained = drain(session, &mut self.rig, jobs, HeldOpen::Nothing).await?;
        self.filled.add(drained.filled);
        self.drained.add(drained.took);
        Ok(())
    }
}

async fn write(session: &Session<'_>, rig: &Rig, finished: u32) -> Result<(), Failure> {
    let bar = session.bar(finished, "write history");
    let history = History {
        jobs: finished,
        // Nothing of it is old enough to be pruned.
        until: rig.engine().now() - Duration::from_mins(1),
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

/// The first of them is the empty one.
fn show(session: &mut Session<'_>, jobs: u32, pasts: &[Past]) {
    for (place, past) in pasts.iter().enumerate() {
        let empty = pasts.first().filter(|_| place > 0);
        let beside = |workload, concurrency, took: &Took, empty: Option<&Took>| {
            let (finished, turns) = (past.finished, took.in_turn());
            let note = format!("{finished} finished jobs present, median of {turns} s");
            let median = took.median();
            let figure = Figure::rate(workload, jobs.into(), concurrency, median).note(note);
            match empty {
                Some(empty) => figure.against("empty", ratio(empty.median(), median)),
                None => figure,
            }
        };
        let filled = empty.map(|empty| &empty.filled);
        let drained = empty.map(|empty| &empty.drained);
        let figures = [
            beside("enqueue_bulk_history", 1, &past.filled, filled),
            beside("drain_history", past.slots, &past.drained, drained),
        ];
        figures.into_iter().for_each(|figure| session.found(figure));
    }
}

fn ratio(of: Duration, to: Duration) -> f64 {
    of.as_secs_f64() / to.as_secs_f64()
}
