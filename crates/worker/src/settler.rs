//! The settler: records results in batches.
//!
//! A result is kept until the store has answered for it, also past its lease: recording is fenced and
//! safe to repeat, and a success that comes late spares a second call if nobody has claimed the job
//! since. What is kept is bounded, because nothing is claimed while the store takes no results.

use std::{future, panic, sync::Arc, time::Duration};

use baton_domain::job::State;
use baton_ports::{
    Wakeup,
    bisect::SUSPICIOUS,
    store::{AttemptResult, Error, Result},
    work_source::Settled,
};
use tokio::{task::JoinSet, time::Instant};

use crate::{
    core::Core,
    detached::detached,
    finished_attempt::{AttemptContext, FinishedAttempt},
    refused_results,
    results::{self, FULL, WORTH_A_SECOND},
    store_backoff::StoreBackoff,
    telemetry,
};

/// How close flushes follow on one another, unless there is enough for a full one. A process that dies has those that
/// gather made again, so only who makes many calls at once, all of which it would repeat as well, gathers for longer: what
/// a statement costs by itself is then shared by more.
const GATHER: Duration = Duration::from_millis(5);
/// How many times as long at the most.
const LONGEST: u32 = 3;
/// For how many slots it gathers once as long.
const MANY: u32 = 250;
/// How long a result may wait before the store counts as behind: for the flush that was under way when it came, and for its
/// own. Where batches of a thousand follow each other on two busy cores, the store answers each 13 to 20 ms.
const LATE: Duration = Duration::from_millis(100);

/// Flushes until no more results come and all are recorded.
///
/// The first result after a quiet time goes out at once; what gathers while it is under way is the
/// next batch. A second flush joins only a slow first one, when there is enough for it. Flushes may
/// overtake each other: an attempt has one result.
pub async fn run(core: Arc<Core>) {
    let mut in_flight = InFlight::new();
    let mut next = Instant::now();
    while !core.hard.is_cancelled() {
        let waiting = core.results.waiting();
        let oldest = oldest(&core, &in_flight);
        core.results
            .set_behind(oldest.is_some_and(|since| since.elapsed() >= LATE));
        if is_worth(&core, waiting, in_flight.count())
            && (is_urgent(&core, waiting) || next <= Instant::now())
        {
            next = Instant::now() + gather(&core);
            in_flight.begin(&core);
        } else if core.results.is_closed() && waiting == 0 && in_flight.count() == 0 {
            break;
        } else {
            let alarm = is_worth(&core, waiting, in_flight.count()).then_some(next);
            // Nobody has to be told twice.
            let late = oldest
                .map(|since| since + LATE)
                .filter(|late| *late > Instant::now());
            wait(&core, &mut in_flight, [alarm, late]).await;
        }
    }
    core.results.set_behind(false);
}

fn gather(core: &Core) -> Duration {
    GATHER * (core.config.slots.most() / MANY).clamp(1, LONGEST)
}

/// Since when the oldest result waits that the store does not have.
fn oldest(core: &Core, in_flight: &InFlight) -> Option<Instant> {
    let waiting = core.results.waiting_since();
    waiting
        .into_iter()
        .chain(in_flight.since.iter().copied())
        .min()
}

/// Flushes under way.
struct InFlight {
    tasks: JoinSet<Instant>,
    /// Since when the oldest result of each waits.
    since: Vec<Instant>,
}

impl InFlight {
    fn new() -> Self {
        Self {
            tasks: JoinSet::new(),
            since: Vec::new(),
        }
    }

    fn count(&self) -> usize {
        self.tasks.len()
    }

    fn begin(&mut self, core: &Arc<Core>) {
        let batch = core.results.take();
        let since = results::oldest(&batch).unwrap_or_else(Instant::now);
        self.since.push(since);
        let flush = flush(Arc::clone(core), batch);
        self.tasks.spawn(async move {
            flush.await;
            since
        });
    }

    /// Waits until one lands; for ever if there is none.
    async fn land(&mut self) {
        match self.tasks.join_next().await {
            Some(Ok(landed)) => {
                let place = self.since.iter().position(|since| *since == landed);
                place.map(|place| self.since.swap_remove(place));
            }
            // What it carried is in nobody's hands any more, and would be renewed for ever.
            Some(Err(broken)) => panic::resume_unwind(broken.into_panic()),
            None => future::pending().await,
        }
    }
}

fn is_worth(core: &Core, waiting: usize, in_flight: usize) -> bool {
    match in_flight {
        0 => waiting > 0,
        1 => waiting >= WORTH_A_SECOND || waiting > 0 && core.results.is_closed(),
        _ => false,
    }
}

fn is_urgent(core: &Core, waiting: usize) -> bool {
    waiting >= FULL || core.draining.is_cancelled()
}

async fn wait(core: &Core, in_flight: &mut InFlight, alarms: [Option<Instant>; 2]) {
    let alarm = alarms.into_iter().flatten().min();
    let alarm = async {
        match alarm {
            Some(at) => tokio::time::sleep_until(at).await,
            None => future::pending().await,
        }
    };
    tokio::select! {
        biased;
        () = core.results.wake.notified() => {}
        () = in_flight.land() => {}
        () = alarm => {}
        () = core.hard.cancelled() => {}
    }
}

/// Records a batch, however long it takes.
async fn flush(core: Arc<Core>, batch: Vec<FinishedAttempt>) {
    let (results, contexts): (Vec<_>, Vec<_>) = batch
        .into_iter()
        .map(|ended| (ended.result, ended.context))
        .unzip();
    let results = Arc::new(results);
    let mut delay = StoreBackoff::default();
    let mut failures = 0;
    loop {
        match settle(&core, &results).await {
            Ok(answers) => {
                landed(&core, &results, &contexts, &answers);
                break;
            }
            Err(error) if error.is_passing() && failures < SUSPICIOUS => {
                failures += 1;
                complain(&core, &mut delay, results.len(), &error);
                wait_for_the_store(&core, &mut delay).await;
            }
            Err(error) => {
                tracing::error!(error = %error, results = results.len(), "the store does not take a batch of results: {error}; it is halved until what is in the way stands alone");
                refused_results::settle_apart(&core, &results, contexts, &mut delay).await;
                break;
            }
        }
        if core.hard.is_cancelled() {
            break;
        }
    }
    if !delay.is_fresh() {
        core.results.end_failing();
    }
    core.slots.freed.notify_one();
}

/// Takes note that results cannot be recorded.
pub fn complain(core: &Core, delay: &mut StoreBackoff, results: usize, error: &Error) {
    if delay.is_fresh() {
        core.results.begin_failing();
        tracing::warn!(error = %error, results, "{results} results cannot be recorded: {error}; they are kept and nothing is claimed until they are");
    }
}

/// Waits before the store is asked again.
pub async fn wait_for_the_store(core: &Core, delay: &mut StoreBackoff) {
    tokio::select! {
        () = tokio::time::sleep(delay.wait()) => {}
        () = core.hard.cancelled() => {}
    }
}

/// Asks the store to record results.
pub async fn settle(core: &Core, results: &Arc<Vec<AttemptResult>>) -> Result<Vec<Settled>> {
    let source = Arc::clone(&core.source);
    let results = Arc::clone(results);
    let worker = core.config.worker;
    let now = core.clock.now();
    detached(async move { source.settle(worker, &results, now).await }).await
}

/// Takes note of what the store has answered.
pub fn landed(
    core: &Core,
    results: &[AttemptResult],
    contexts: &[AttemptContext],
    answers: &[Settled],
) {
    core.heard();
    core.results.recorded(results.len());
    for context in contexts {
        core.leases.close_one(&context.lease);
    }
    telemetry::recorded(core, results, contexts, answers);
    core.claim_source().recorded(results, contexts);
    wake_up(core, results, contexts);
}

fn wake_up(core: &Core, results: &[AttemptResult], contexts: &[AttemptContext]) {
    core.wakeups.send(Wakeup::Facts);
    let leads_to = |states: &[State]| {
        results
            .iter()
            .any(|result| states.contains(&result.decision.transition.to()))
    };
    if leads_to(&[State::Pending, State::RetryWait]) {
        core.wakeups.send(Wakeup::Due);
    }
    // The source tells of the others.
    let mut ends = results.iter().zip(contexts);
    if ends.any(|(end, context)| is_back(end) && !context.is_named) {
        core.wakeups.send(Wakeup::Ready);
    }
}

/// Whether a job stands in line again, as it came.
pub fn is_back(result: &AttemptResult) -> bool {
    result.decision.transition.to() == State::Queued
}
