//! The supervisor runs the routines.
//!
//! It wakes them, backs off after errors, contains panics, writes down how they are, and lets them finish their turn
//! when the process stops.

use std::{panic::AssertUnwindSafe, sync::Arc, time::Duration};

use baton_domain::{Clock, chance};
use baton_ports::{Wakeup, Wakeups, store, wakeups::Subscription, watchdog};
use futures::{FutureExt, StreamExt, future, stream::FuturesUnordered};
use rand::RngExt;
use tokio::time::Instant;
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use crate::{
    Engine, HealthBoard, Next, Routine,
    health::{RoutineHealth, RoutineState},
};

/// The first pause after a failed turn, doubled with each further one.
const FIRST_PAUSE: Duration = Duration::from_millis(100);
/// The longest pause after a failed turn.
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// Turns routines until it is told to stop.
pub struct Supervisor {
    wakeups: Arc<Wakeups>,
    clock: Arc<dyn Clock>,
    health_board: HealthBoard,
    stop: CancellationToken,
    tasks: TaskTracker,
}

impl Supervisor {
    /// A supervisor for an engine's routines.
    #[must_use]
    pub fn new(engine: &Engine) -> Self {
        Self {
            wakeups: engine.inner.wakeups.clone(),
            clock: engine.inner.clock.clone(),
            health_board: engine.inner.health_board.clone(),
            stop: CancellationToken::new(),
            tasks: TaskTracker::new(),
        }
    }

    /// Starts to turn a routine.
    pub fn start(&self, routine: Box<dyn Routine>) {
        let turner = RoutineLoop {
            subscriptions: routine
                .woken_by()
                .iter()
                .map(|wakeup| (*wakeup, self.wakeups.subscribe(*wakeup)))
                .collect(),
            clock: self.clock.clone(),
            health_board: self.health_board.clone(),
            stop: self.stop.clone(),
            routine,
        };
        let (watchdog, stop) = (self.health_board.watchdog().clone(), self.stop.clone());
        self.tasks.spawn(async move {
            let name = turner.routine.name();
            let run = turner.run();
            watchdog.guard(name, || stop.is_cancelled(), run).await;
        });
    }

    /// Lets every routine finish its turn, and begins no other.
    pub async fn stop(self) {
        self.stop.cancel();
        self.tasks.close();
        self.tasks.wait().await;
    }
}

struct RoutineLoop {
    routine: Box<dyn Routine>,
    subscriptions: Vec<(Wakeup, Subscription)>,
    clock: Arc<dyn Clock>,
    health_board: HealthBoard,
    stop: CancellationToken,
}

impl RoutineLoop {
    async fn run(mut self) {
        let (name, duty) = (self.routine.name(), self.routine.duty());
        self.health_board.write(name, |health| health.duty = duty);
        metrics::counter!("baton_routine_failures_total", "routine" => name).increment(0);
        drop(metrics::histogram!("baton_routine_turn_seconds", "routine" => name));
        let mut failures = 0;
        while !self.stop.is_cancelled() {
            self.write(|health| health.state = RoutineState::Busy);
            let started = Instant::now();
            let next = match self.turn().await {
                Ok(next) => {
                    failures = 0;
                    next
                }
                Err(error) => {
                    failures += 1;
                    self.record_failure(failures, &error);
                    Next::After(pause_after(failures))
                }
            };
            self.record_turn(failures, started.elapsed());
            self.wait(next, failures == 0).await;
        }
        self.write(|health| health.state = RoutineState::Stopped);
    }

    async fn turn(&mut self) -> Result<Next, String> {
        let turn = AssertUnwindSafe(self.routine.turn()).catch_unwind().await;
        let turned: store::Result<Next> =
            turn.map_err(|panic| format!("it panicked: {}", watchdog::message(&*panic)))?;
        turned.map_err(|error| error.to_string())
    }

    /// Waits for the next turn. A wake-up shortens the wait, but not the pause after a failure.
    async fn wait(&mut self, next: Next, heed_wakeups: bool) {
        let Next::After(span) = next else {
            // A routine that always has more to do still lets others run.
            return tokio::task::yield_now().await;
        };
        let stop = self.stop.clone();
        let mut woken = self.woken(heed_wakeups);
        let wakeup = async {
            if woken.next().await.is_none() {
                future::pending::<()>().await;
            }
        };
        tokio::select! {
            biased;
            () = tokio::time::sleep(span) => {}
            () = wakeup => {}
            () = stop.cancelled() => {}
        }
    }

    /// Waits for each wake-up, and for the rest after the last turn.
    fn woken(&mut self, heed_wakeups: bool) -> FuturesUnordered<impl Future<Output = ()>> {
        let (routine, ended) = (&self.routine, Instant::now());
        let subscriptions = self.subscriptions.iter_mut().filter(|_| heed_wakeups);
        subscriptions
            .map(|(wakeup, subscription)| woken_after(subscription, ended + routine.rest(*wakeup)))
            .collect()
    }

    fn record_failure(&self, failures: u32, error: &str) {
        let name = self.routine.name();
        tracing::warn!(
            routine = name,
            failures,
            error,
            "the {name} could not do its turn; it tries again"
        );
        metrics::counter!("baton_routine_failures_total", "routine" => name).increment(1);
        self.write(|health| health.last_error = Some(error.to_owned()));
    }

    fn record_turn(&self, failures: u32, took: Duration) {
        let name = self.routine.name();
        metrics::histogram!("baton_routine_turn_seconds", "routine" => name)
            .record(took.as_secs_f64());
        let now = self.clock.now();
        self.write(|health| {
            health.state = if failures > 0 {
                RoutineState::Failing
            } else {
                RoutineState::Idle
            };
            health.failures = failures;
            health.turns += 1;
            health.last_turn_at = Some(now);
            health.last_turn_took = took;
        });
    }

    fn write(&self, change: impl FnOnce(&mut RoutineHealth)) {
        self.health_board.write(self.routine.name(), change);
    }
}

/// Waits until a wake-up has come and its routine has rested.
async fn woken_after(subscription: &mut Subscription, rested: Instant) {
    subscription.recv().await;
    tokio::time::sleep_until(rested).await;
}

fn pause_after(failures: u32) -> Duration {
    let ceiling = FIRST_PAUSE
        .saturating_mul(1 << failures.min(10))
        .min(LONGEST_PAUSE);
    ceiling.mul_f64(chance::draw(|chance| chance.random_range(0.5..1.0)))
}
