//! A worker at work, and when it is done.

use std::time::Duration;

use baton_worker::{Status, Stop, Worker};
use indicatif::ProgressBar;
use tokio::{
    task::JoinHandle,
    time::{Instant, sleep},
};

use crate::exit::{Exit, Failure};

use super::handlers::Count;

/// How often the worker is looked at.
const LOOK: Duration = Duration::from_millis(1);
/// How long nothing may move before the measurement is given up.
const STILL: Duration = Duration::from_mins(1);

pub struct Crew {
    status: Status,
    stop: Stop,
    task: JoinHandle<()>,
    count: Count,
    /// How many attempts had been made when it began.
    begun_at: u64,
}

impl Crew {
    pub fn start(worker: Worker, count: Count) -> Self {
        let (status, stop) = (worker.status(), Stop::default());
        let (begun_at, told) = (count.get(), stop.clone());
        let task = tokio::spawn(async move {
            worker.run(told).await;
        });
        Self {
            status,
            stop,
            task,
            count,
            begun_at,
        }
    }

    /// Waits until so many attempts were made since it began and the store has confirmed every result.
    pub async fn has_run(&self, jobs: u64, bar: &ProgressBar) -> Result<(), Failure> {
        let (mut last, mut last_move) = (0, Instant::now());
        loop {
            let ran = self.count.get() - self.begun_at;
            bar.set_position(ran);
            if ran >= jobs && self.is_idle() {
                return Ok(());
            }
            if ran != last {
                (last, last_move) = (ran, Instant::now());
            }
            if last_move.elapsed() > STILL {
                return Err(Failure::new(format!(
                    "nothing moves any more: {ran} of {jobs} attempts were made"
                ))
                .exit(Exit::TimedOut)
                .then("This must not happen; please report it."));
            }
            sleep(LOOK).await;
        }
    }

    /// Whether nothing runs and nothing is unrecorded. In this order: a result is handed over before
    /// its slot is free.
    pub fn is_idle(&self) -> bool {
        let mut slots = self.status.slots().into_iter();
        slots.all(|lane| lane.running == 0 && lane.buffered == 0) && self.status.unrecorded() == 0
    }

    /// Stops it in order.
    pub async fn leave(mut self) {
        self.stop.soft.cancel();
        // A worker that has ended by itself has nothing to stop.
        let _ = (&mut self.task).await;
    }
}

impl Drop for Crew {
    fn drop(&mut self) {
        self.stop.hard.cancel();
        self.stop.soft.cancel();
    }
}
