//! A steady stream of other work.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use baton_domain::job::JobSpec;
use baton_engine::Caller;
use tokio::{
    task::JoinHandle,
    time::{Instant, MissedTickBehavior, interval},
};

use crate::exit::Failure;

use super::{load, rig::Rig};

/// How many jobs come at once.
const PER_TICK: u32 = 10;
/// How often they come: 2,000 jobs a second.
const TICK: Duration = Duration::from_millis(5);

/// A stream that flows until it is ended.
pub struct Stream {
    begun: Instant,
    task: JoinHandle<Failure>,
    sent: Arc<AtomicU64>,
}

impl Stream {
    /// Starts to enqueue no-op jobs to this queue.
    pub fn start(rig: &Rig, queue: &str) -> Self {
        let sent = Arc::new(AtomicU64::new(0));
        let job = JobSpec {
            queue: Some(queue.to_owned()),
            ..load::noop()
        };
        Self {
            begun: Instant::now(),
            task: tokio::spawn(flow(rig.engine().clone(), job, sent.clone())),
            sent,
        }
    }

    /// Ends it, and says how many jobs it really sent each second.
    pub async fn end(mut self) -> Result<f64, Failure> {
        let took = self.begun.elapsed();
        self.task.abort();
        match (&mut self.task).await {
            Ok(failure) => Err(failure),
            Err(_) => Ok(load::per_second(self.sent.load(Ordering::Relaxed), took)),
        }
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Enqueues a few jobs each tick, late ones at once, until it fails.
async fn flow(engine: Caller, job: JobSpec, sent: Arc<AtomicU64>) -> Failure {
    let mut ticks = interval(TICK);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Burst);
    loop {
        ticks.tick().await;
        let specs = vec![job.clone(); PER_TICK as usize];
        if let Err(error) = engine.enqueue_all(specs).await {
            return load::refused(&error);
        }
        sent.fetch_add(PER_TICK.into(), Ordering::Relaxed);
    }
}
