//! Two versions side by side: a run that begins with the one before, upgrades under load, rolls back, and upgrades again.

use std::{
    path::PathBuf,
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use parking_lot::Mutex;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use crate::{Failure, server::this_program};

use super::{crew, options::Options, stage::LabInstallation, tally::Count};

/// How often the time is looked at.
const LOOK: Duration = Duration::from_millis(100);

/// What a server is started as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Previous,
    /// Either, in turn.
    Both,
    This,
}

/// What comes after the beginning, and with which part of the time, in percent. The first server of this
/// version applies the steps, while those of the version before work on.
const COURSE: [(u32, Phase); 5] = [
    (15, Phase::Both),
    (35, Phase::This),
    (55, Phase::Both),
    (70, Phase::Previous),
    (85, Phase::This),
];

/// Which programs the servers of a run are.
pub struct Versions {
    this: PathBuf,
    previous: Option<PathBuf>,
    phase: Mutex<Phase>,
    started: AtomicU64,
    span: Duration,
}

impl Versions {
    pub fn of(args: &Options) -> Result<Self, Failure> {
        let previous = match &args.previous {
            None => None,
            Some(program) => Some(program.canonicalize().map_err(|error| {
                let program = program.display();
                Failure::usage(format!("there is no program {program}: {error}"))
                    .then("`cargo xtask previous` builds it and says where it is.")
            })?),
        };
        let phase = if previous.is_some() {
            Phase::Previous
        } else {
            Phase::This
        };
        Ok(Self {
            this: this_program()?,
            previous,
            phase: Mutex::new(phase),
            started: AtomicU64::new(0),
            span: args.span,
        })
    }

    /// What the next server is started as.
    pub fn next(&self) -> PathBuf {
        let Some(previous) = &self.previous else {
            return self.this.clone();
        };
        let number = self.started.fetch_add(1, Ordering::Relaxed);
        let is_previous = match *self.phase.lock() {
            Phase::Previous => true,
            Phase::Both => number.is_multiple_of(2),
            Phase::This => false,
        };
        (if is_previous { previous } else { &self.this }).clone()
    }
}

/// How many servers are changed for another version.
pub fn goal(args: &Options) -> Result<u64, Failure> {
    if args.previous.is_none() {
        return Ok(0);
    }
    let servers = crew::of(args)?.members().count();
    Ok((servers * COURSE.len()) as u64)
}

/// Changes the servers one after another, in order, whatever else is done to them.
pub async fn change(stage: &LabInstallation, stop: &CancellationToken) -> Result<(), Failure> {
    let versions = &stage.versions;
    if versions.previous.is_none() {
        return Ok(());
    }
    for (percent, phase) in COURSE {
        while stage.tally.elapsed() < versions.span * percent / 100 {
            tokio::select! {
                () = sleep(LOOK) => {}
                () = stop.cancelled() => return Ok(()),
            }
        }
        *versions.phase.lock() = phase;
        for node in &stage.nodes {
            let mut held = node.wait().await;
            held.stop().await?;
            held.start().await?;
            stage.tally.add(Count::VersionChanges, 1);
        }
    }
    Ok(())
}
