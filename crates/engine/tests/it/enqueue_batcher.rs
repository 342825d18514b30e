//! Single enqueues share commits, so many bytes at a time.

use std::sync::Arc;

use async_trait::async_trait;
use baton_domain::{
    ManualClock, Timestamp,
    access::Actor,
    job::{JobSpec, NewJob},
};
use baton_engine::{Engine, Settings};
use baton_ports::{
    MemoryStore, Store, Wakeups,
    layer::{Hook, Layer},
    store::{self, Atomicity, Enqueued},
};
use parking_lot::Mutex;

use crate::fixture::{Anything, spec};

/// The payloads of each commit: how many, and how many bytes.
#[derive(Default)]
struct Weighed(Mutex<Vec<(usize, usize)>>);

#[async_trait]
impl Hook for Weighed {
    async fn enqueue(
        &self,
        below: &dyn Store,
        jobs: Vec<NewJob>,
        atomicity: Atomicity,
    ) -> store::Result<Vec<Enqueued>> {
        let bytes = jobs.iter().map(|job| job.payload.len()).sum();
        self.0.lock().push((jobs.len(), bytes));
        below.enqueue(jobs, atomicity).await
    }
}

#[tokio::test(start_paused = true)]
async fn long_jobs_share_a_commit_up_to_its_bytes_and_short_ones_up_to_their_number() {
    let weighed = Layer::over(Arc::new(MemoryStore::new()), Weighed::default());
    let engine = Engine::new(
        weighed.clone(),
        Arc::new(Wakeups::default()),
        Arc::new(ManualClock::at(Timestamp::from_micros(0))),
        vec![Arc::new(Anything("note"))],
        Settings::default(),
    )
    .caller(Actor::anonymous());
    let long = |_| JobSpec {
        payload: format!("\"{}\"", "x".repeat(200_000)),
        ..spec()
    };

    let told = futures::future::join_all((0..100).map(long).map(|one| engine.enqueue(one))).await;
    let heavy = std::mem::take(&mut *weighed.hook.0.lock());
    futures::future::join_all((0..500).map(|_| engine.enqueue(spec()))).await;
    let light = weighed.hook.0.lock().clone();

    assert!(told.iter().all(Result::is_ok));
    assert_eq!(heavy.iter().map(|(jobs, _)| jobs).sum::<usize>(), 100);
    assert!(
        heavy.iter().all(|(_, bytes)| *bytes <= 4 << 20),
        "{heavy:?}"
    );
    assert!(heavy.len() < 20, "they share commits: {heavy:?}");
    assert!(light.len() < 10, "{light:?}");
}
