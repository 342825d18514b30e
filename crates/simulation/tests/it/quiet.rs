//! A node with nothing to do: what it asks of the store in an hour.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use async_trait::async_trait;
use baton_domain::{Clock, WorkerId, access::Actor};
use baton_engine::{Engine, Settings, Supervisor};
use baton_ports::{
    MemoryStore, Store, Wakeups,
    layer::{Hook, Layer, StoreCall},
    store::{Result, Retention},
};
use baton_worker::{Config, Stop, Worker};
use parking_lot::Mutex;
use tokio::time::sleep;

use crate::{clock::VirtualClock, world::in_virtual_time};

const HOUR: Duration = Duration::from_hours(1);
/// How many calls there may be in a second. The clock is asked the time beside these, each ten seconds.
const MOST: u32 = 2;

/// Counts calls by their names.
#[derive(Default)]
struct Counter(Mutex<BTreeMap<&'static str, u32>>);

#[async_trait]
impl Hook for Counter {
    async fn before(&self, call: StoreCall) -> Result<()> {
        *self.0.lock().entry(call.name).or_default() += 1;
        Ok(())
    }
}

#[test]
fn a_quiet_hour_costs_the_store_little() {
    in_virtual_time(1, async {
        let clock: Arc<dyn Clock> = Arc::new(VirtualClock::start());
        let memory = MemoryStore::with_clock(Arc::clone(&clock));
        let counted = Layer::over(Arc::new(memory), Counter::default());
        let (store, wakeups) = (
            Arc::clone(&counted) as Arc<dyn Store>,
            Arc::<Wakeups>::default(),
        );
        let node = WorkerId::new(clock.now());
        let settings = Settings::default();
        let engine = Engine::new(
            store.clone(),
            wakeups.clone(),
            clock.clone(),
            vec![],
            settings,
        )
        .caller(Actor::anonymous());
        let supervisor = Supervisor::new(&engine);
        for routine in engine.routines(node, Retention::default()) {
            supervisor.start(routine);
        }
        let config = Config::new(node, "host:1", "0.0.0");
        let worker = Worker::new(store, wakeups, clock, vec![], config);
        engine.dispatch_to(worker.local_dispatch());
        tokio::spawn(worker.run(Stop::default()));

        sleep(HOUR).await;

        let calls = counted.hook.0.lock().clone();
        let sum: u32 = calls.values().sum();
        assert!(sum <= MOST * HOUR.as_secs() as u32, "{sum}: {calls:#?}");
        assert!(
            calls["outstanding"] > 0 && calls["ready_queues"] > 0,
            "{calls:#?}"
        );
    });
}
