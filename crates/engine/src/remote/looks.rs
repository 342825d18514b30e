//! Looks: one at the store for all claims that wait, and the jobs that are handed to them as they come in.

use std::{sync::Arc, time::Duration};

use baton_domain::WorkerId;
use baton_ports::Wakeup;
use tokio::time::{Instant, sleep};

use super::{
    unheard::spawn_give_back,
    waiting_claims::{Dispatch, Orphaned},
    waiting_workers::WORD_SHARE,
};
use crate::Engine;

/// How often the store is looked at for those who wait: without a wake-up, while a limited queue gave less than wanted, and
/// at the most.
pub const LOOK: Duration = Duration::from_secs(2);
const LIMITED: Duration = Duration::from_millis(250);
const PAUSE: Duration = Duration::from_millis(2);
/// For how long those that join gather, until it is asked what is wanted of their workers.
const GATHER: Duration = Duration::from_millis(500);

impl Engine {
    /// Hands single jobs of remote queues to claims that wait here, with the commit that accepts them.
    pub(crate) fn dispatch_to_waiting_claims(&self) {
        let weak = Arc::downgrade(&self.inner);
        let (clock, lease) = (Arc::clone(&self.inner.clock), self.inner.settings.lease);
        let orphaned: Orphaned = Arc::new(move |worker, lease, until| {
            if let Some(inner) = weak.upgrade() {
                spawn_give_back(Self { inner }, worker, vec![lease], until);
            }
        });
        let dispatch = Dispatch {
            claims: Arc::clone(&self.remote().waiting),
            until: move || clock.now() + lease,
            orphaned: Arc::clone(&orphaned),
        };
        let _ = self.remote().waiting.orphaned.set(orphaned);
        self.inner.batcher.dispatch_remotely_to(Arc::new(dispatch));
    }
}

/// Looks at the store for all claims that wait, until none does.
pub async fn look(engine: Engine) {
    let waiting = Arc::clone(&engine.remote().waiting);
    let mut wakeups = engine.inner.wakeups.subscribe(Wakeup::Ready);
    let mut wishes = engine.inner.wakeups.subscribe(Wakeup::Cancel);
    let mut word = Instant::now() + engine.inner.settings.lease / WORD_SHARE;
    while waiting.goes_on_looking() {
        let is_limited = match engine.inner.store.ready_queues().await {
            Ok(ready) => {
                let sides = ready.iter().map(|one| (one.name.clone(), one.worked_by));
                engine.inner.sides.learn(sides);
                waiting.seen(&ready)
            }
            Err(error) => {
                tracing::debug!(%error, "the queues cannot be looked at for claims that wait");
                false
            }
        };
        metrics::gauge!("baton_remote_waiters").set(waiting.len() as f64);
        if Instant::now() >= word {
            let lease = engine.inner.settings.lease;
            let pause = match engine.speak_for_waiting().await {
                Ok(()) => lease / WORD_SHARE,
                Err(error) => {
                    tracing::debug!(%error, "it cannot be written that those live who wait for jobs");
                    LOOK.min(lease / (4 * WORD_SHARE))
                }
            };
            word = Instant::now() + pause;
        }
        let pause = if is_limited { LIMITED } else { LOOK };
        let pause = pause.min(word.saturating_duration_since(Instant::now()));
        tokio::select! {
            () = wakeups.recv() => sleep(PAUSE).await,
            () = wishes.recv() => {
                end_drained(&engine, &waiting.workers()).await;
            }
            () = sleep(pause) => {}
        }
    }
    metrics::gauge!("baton_remote_waiters").set(0.0);
}

/// Asks what is wanted of the workers of those that have joined others, some at once, until there are none.
pub async fn ask_for_joined(engine: Engine) {
    let waiting = &engine.remote().waiting;
    loop {
        sleep(GATHER).await;
        let joined = waiting.joined();
        if joined.is_empty() {
            return;
        }
        let workers: Vec<_> = joined.iter().map(|one| one.worker).collect();
        if end_drained(&engine, &workers).await {
            joined.iter().for_each(|one| one.admit());
        }
    }
}

/// Ends the claims of those workers that are to take nothing new; `false` if the store did not say which.
async fn end_drained(engine: &Engine, workers: &[WorkerId]) -> bool {
    let Ok(wishes) = engine.inner.store.wishes(workers).await else {
        return false;
    };
    engine.remote().known.wanted(workers, &wishes);
    let drained = wishes
        .iter()
        .filter(|(_, wish)| wish.drain || wish.has_left);
    for (worker, wish) in drained {
        if wish.has_left {
            engine.remote().known.forget(*worker);
        }
        engine.remote().waiting.end(*worker);
    }
    true
}
