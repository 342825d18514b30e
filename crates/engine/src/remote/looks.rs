//! Looks: one at the store for all claims that wait, and the jobs that are handed to them as they come in.

use std::{sync::Arc, time::Duration};

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
            () = wishes.recv() => end_drained(&engine).await,
            () = sleep(pause) => {}
        }
    }
    metrics::gauge!("baton_remote_waiters").set(0.0);
}

/// Ends the claims of workers that are to take nothing new.
async fn end_drained(engine: &Engine) {
    let waiting = &engine.remote().waiting;
    let workers = waiting.workers();
    let Ok(wishes) = engine.inner.store.wishes(&workers).await else {
        return;
    };
    engine.remote().known.wanted(&workers, &wishes);
    let drained = wishes
        .iter()
        .filter(|(_, wish)| wish.drain || wish.has_left);
    drained.for_each(|(worker, _)| waiting.end(*worker));
}
