//! Whoever hangs up while the local worker is being given his job leaves the worker a word.

use std::{
    future::pending,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    time::Duration,
};

use async_trait::async_trait;
use baton_domain::{
    Clock, LeaseId, ManualClock, Timestamp, WorkerId, access::Actor, job::State, page::PageRequest,
    queue::QueueChange,
};
use baton_engine::{Engine, Settings};
use baton_ports::{
    LocalDispatch, MemoryStore, SlotReservation, Store, Wakeups,
    layer::{Hook, Layer, StoreCall},
    store::{Claimed, InlineStart, JobFilter, Jobs, Queues, Result},
};
use tokio::time::timeout;

use crate::fixture::{Anything, QUEUE, spec};

/// Does what it is asked to start, and never says so.
struct Silent;

#[async_trait]
impl Hook for Silent {
    async fn after(&self, call: StoreCall) -> Result<()> {
        if call.name == "enqueue_and_claim" {
            pending::<()>().await;
        }
        Ok(())
    }
}

/// A local worker that counts the reservations of which nobody said what became.
#[derive(Clone, Default)]
pub struct Neighbour(Arc<AtomicUsize>);

struct Seats {
    start: InlineStart,
    unheard: Option<Neighbour>,
}

impl LocalDispatch for Neighbour {
    fn reserve(&self, queue: &str, _: u32) -> Option<Box<dyn SlotReservation>> {
        let start = InlineStart {
            worker: WorkerId::new(Timestamp::from_micros(0)),
            queue: queue.to_owned(),
            lease: LeaseId::random(),
            until: Timestamp::from_micros(i64::MAX / 2),
        };
        let unheard = Some(self.clone());
        Some(Box::new(Seats { start, unheard }))
    }

    fn joined(&self, _: &str) {}
}

impl SlotReservation for Seats {
    fn inline_start(&self) -> &InlineStart {
        &self.start
    }

    fn accept(mut self: Box<Self>, _: Vec<Claimed>) {
        self.unheard = None;
    }
}

impl Drop for Seats {
    fn drop(&mut self) {
        if let Some(neighbour) = &self.unheard {
            neighbour.0.fetch_add(1, SeqCst);
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_job_whose_caller_hangs_up_is_there_and_its_lease_is_in_doubt() {
    let clock = ManualClock::at(Timestamp::from_micros(1_800_000_000_000_000));
    let store = Arc::new(MemoryStore::with_clock(Arc::new(clock.clone())));
    let open = QueueChange {
        paused: Some(false),
        ..QueueChange::default()
    };
    store.change_queue(QUEUE, &open, clock.now()).await.unwrap();
    let silent: Arc<dyn Store> = Layer::over(store.clone(), Silent);
    let engine = Engine::new(
        silent,
        Arc::new(Wakeups::default()),
        Arc::new(clock),
        vec![Arc::new(Anything("note"))],
        Settings::default(),
    )
    .caller(Actor::anonymous());
    let neighbour = Neighbour::default();
    engine.dispatch_to(Arc::new(neighbour.clone()));

    let called = timeout(Duration::from_secs(1), engine.enqueue(spec())).await;

    assert!(called.is_err(), "nobody answered");
    let (any, first) = (JobFilter::default(), PageRequest::default());
    let jobs = store.jobs(&any, &first).await.unwrap();
    assert_eq!(jobs.items[0].state, State::Running);
    assert_eq!(neighbour.0.load(SeqCst), 1);
}
