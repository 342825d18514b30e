//! The flusher: records results in batches.
//!
//! A result is kept until the store has answered for it, also past its lease: recording is fenced and
//! safe to repeat, and a success that comes late spares a second call if nobody has claimed the job
//! since. What is kept is bounded, because nothing is claimed while the store takes no results.

use std::{sync::Arc, time::Duration};

use baton_domain::job::State;
use baton_ports::{
    Wake,
    store::{By, Error, Result, Settled, Settlement},
};
use tokio::{task::JoinSet, time::Instant};

use crate::{
    core::Core,
    detached::detached,
    ended::{About, Ended},
    patience::Patience,
    refused,
    results::{FULL, WORTH_A_SECOND},
    returns::{self, is_back},
    telemetry,
};

/// How close flushes follow on one another, unless there is enough for a full one.
const GATHER: Duration = Duration::from_millis(5);

/// Flushes until no more results come and all are recorded.
///
/// The first result after a quiet time goes out at once; what gathers while it is under way is the
/// next batch. A second flush joins only a slow first one, when there is enough for it. Flushes may
/// overtake each other: an attempt has one result.
pub async fn run(core: Arc<Core>) {
    let mut flights = JoinSet::new();
    let mut next = Instant::now();
    while !core.hard.is_cancelled() {
        let waiting = core.results.waiting();
        if is_worth(&core, waiting, flights.len())
            && (is_urgent(&core, waiting) || next <= Instant::now())
        {
            next = Instant::now() + GATHER;
            flights.spawn(flush(Arc::clone(&core), core.results.take()));
        } else if core.results.is_closed() && waiting == 0 && flights.is_empty() {
            return;
        } else {
            let alarm = is_worth(&core, waiting, flights.len()).then_some(next);
            wait(&core, &mut flights, alarm).await;
        }
    }
}

fn is_worth(core: &Core, waiting: usize, flights: usize) -> bool {
    match flights {
        0 => waiting > 0,
        1 => waiting >= WORTH_A_SECOND || waiting > 0 && core.results.is_closed(),
        _ => false,
    }
}

fn is_urgent(core: &Core, waiting: usize) -> bool {
    waiting >= FULL || core.draining.is_cancelled()
}

async fn wait(core: &Core, flights: &mut JoinSet<()>, alarm: Option<Instant>) {
    let alarm = async {
        match alarm {
            Some(at) => tokio::time::sleep_until(at).await,
            None => std::future::pending().await,
        }
    };
    tokio::select! {
        biased;
        () = core.results.wake.notified() => {}
        Some(_) = flights.join_next() => {}
        () = alarm => {}
        () = core.hard.cancelled() => {}
    }
}

/// Records a batch, however long it takes.
async fn flush(core: Arc<Core>, batch: Vec<Ended>) {
    let (settlements, abouts): (Vec<_>, Vec<_>) = batch
        .into_iter()
        .map(|ended| (ended.settlement, ended.about))
        .unzip();
    let settlements = Arc::new(settlements);
    let mut patience = Patience::default();
    loop {
        match settle(&core, &settlements).await {
            Ok(answers) => {
                landed(&core, &settlements, &abouts, &answers);
                break;
            }
            Err(error) if error.is_passing() => {
                complain(&core, &mut patience, settlements.len(), &error);
                wait_for_the_store(&core, &mut patience).await;
            }
            Err(error) => {
                refused::settle_apart(&core, &settlements, abouts, &error).await;
                break;
            }
        }
        if core.hard.is_cancelled() {
            break;
        }
    }
    if !patience.is_fresh() {
        core.results.end_failing();
    }
    core.lanes.freed.notify_one();
}

fn complain(core: &Core, patience: &mut Patience, results: usize, error: &Error) {
    if patience.is_fresh() {
        core.results.begin_failing();
        tracing::warn!(error = %error, results, "{results} results cannot be recorded: {error}; they are kept and nothing is claimed until they are");
    }
}

async fn wait_for_the_store(core: &Core, patience: &mut Patience) {
    tokio::select! {
        () = tokio::time::sleep(patience.wait()) => {}
        () = core.hard.cancelled() => {}
    }
}

/// Asks the store to record results.
pub async fn settle(core: &Core, settlements: &Arc<Vec<Settlement>>) -> Result<Vec<Settled>> {
    let store = Arc::clone(&core.store);
    let settlements = Arc::clone(settlements);
    let by = By::Worker(core.config.worker);
    let now = core.clock.now();
    detached(async move { store.settle(by, &settlements, now).await }).await
}

/// Takes note of what the store has answered.
pub fn landed(core: &Core, settlements: &[Settlement], abouts: &[About], answers: &[Settled]) {
    core.heard();
    core.results.recorded(settlements.len());
    for about in abouts {
        core.book.close_one(&about.lease);
    }
    telemetry::recorded(core, settlements, abouts, answers);
    returns::landed(core, settlements, abouts);
    ring(core, settlements, abouts);
}

fn ring(core: &Core, settlements: &[Settlement], abouts: &[About]) {
    core.signal.ring(Wake::Facts);
    let leads_to = |states: &[State]| {
        settlements
            .iter()
            .any(|settlement| states.contains(&settlement.decision.transition.to()))
    };
    if leads_to(&[State::Pending, State::RetryWait]) {
        core.signal.ring(Wake::Due);
    }
    // Hints tell of the others.
    let mut ends = settlements.iter().zip(abouts);
    if ends.any(|(end, about)| is_back(end) && !about.is_hinted) {
        core.signal.ring(Wake::Ready);
    }
}
