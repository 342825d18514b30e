//! The rescuer leaves leases alone while the poller has just seen that nothing is held.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use async_trait::async_trait;
use baton_domain::{ManualClock, Timestamp};
use baton_engine::{Engine, Routine, Settings, routines::Rescuer};
use baton_ports::{
    Findings, MemoryStore, Wakeups,
    layer::{Hook, Layer, StoreCall},
    store::{Outstanding, Result},
};
use tokio::time::{Instant, advance};

const LEASE: Duration = Duration::from_secs(30);

/// Counts how often leases are looked at.
#[derive(Default)]
struct Looks(AtomicU32);

#[async_trait]
impl Hook for Looks {
    async fn before(&self, call: StoreCall) -> Result<()> {
        let is_look = call.name == "leases";
        self.0.fetch_add(u32::from(is_look), Ordering::Relaxed);
        Ok(())
    }
}

#[tokio::test(start_paused = true)]
async fn leases_are_looked_at_unless_the_poller_has_just_seen_that_nothing_is_held() {
    let clock = ManualClock::at(Timestamp::from_micros(1_800_000_000_000_000));
    let memory = MemoryStore::with_clock(Arc::new(clock.clone()));
    let store = Layer::over(Arc::new(memory), Looks::default());
    let looks = store.hook.clone();
    let (wakeups, settings) = (Arc::<Wakeups>::default(), Settings::default());
    let engine = Engine::new(store, wakeups, Arc::new(clock), vec![], settings);
    let findings = Findings::default();
    let mut rescuer = Rescuer::new(engine.tools(), findings.clone(), LEASE);
    let nothing = Outstanding::default();
    let something = Outstanding {
        held: true,
        ..nothing
    };

    let mut counts = Vec::new();
    for (found, since) in [
        (None, 0),
        (Some(nothing), 0),
        (Some(something), 0),
        (Some(nothing), 2),
        (Some(nothing), 3),
    ] {
        if let Some(found) = found {
            findings.tell(Instant::now(), found);
        }
        advance(Duration::from_secs(since)).await;
        rescuer.turn().await.unwrap();
        counts.push(looks.0.load(Ordering::Relaxed));
    }

    assert_eq!(counts, [1, 1, 2, 2, 3]);
}
