//! What the metrics say of how a node is, when they are asked for.

use std::{sync::Arc, time::Duration};

use baton_domain::{Clock, ManualClock, Timestamp, access::Actor, time::StoreClock};
use baton_engine::{Caller, Engine, Settings, Supervisor};
use baton_ports::{
    MemoryStore, Wakeups,
    faulty::{Faulty, Odds},
    hints::MemoryHints,
};
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};

const BEGIN: Timestamp = Timestamp::from_micros(1_800_000_000_000_000);
const NEVER: Odds = Odds {
    before: 0.0,
    after: 0.0,
};
const ALWAYS: Odds = Odds {
    before: 1.0,
    after: 0.0,
};

/// A node whose store fails when it is told to, and whose timekeeper turns.
struct Node {
    faults: Arc<Faulty>,
    engine: Caller,
    told: PrometheusHandle,
    _supervisor: Supervisor,
}

impl Node {
    fn start(told: PrometheusHandle) -> Self {
        let clock: Arc<dyn Clock> = Arc::new(ManualClock::at(BEGIN));
        let memory = MemoryStore::with_clock(Arc::clone(&clock));
        let faults = Faulty::new(Arc::new(memory), 7, NEVER);
        let wakeups = Arc::new(Wakeups::default());
        let engine = Engine::new(faults.clone(), wakeups, clock, vec![], Settings::default());
        let engine = engine.caller(Actor::anonymous());
        let supervisor = Supervisor::new(&engine);
        supervisor.start(engine.timekeeper(Arc::new(StoreClock::starting_at(BEGIN))));
        Self {
            faults,
            engine,
            told,
            _supervisor: supervisor,
        }
    }

    /// Waits until the metrics have this line.
    async fn tells(&self, line: &str) {
        let wanted = format!("{line}\n");
        let tells = async {
            loop {
                self.engine.show_health();
                if self.told.render().contains(&wanted) {
                    return;
                }
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        };
        let told = tokio::time::timeout(Duration::from_mins(1), tells).await;
        told.unwrap_or_else(|_| panic!("no {line} in {}", self.told.render()));
    }
}

#[tokio::test(start_paused = true)]
async fn a_store_that_does_not_answer_is_told_and_told_no_more_when_it_does() {
    let recorder = PrometheusBuilder::new().build_recorder();
    let _metrics = metrics::set_default_local_recorder(&recorder);
    let node = Node::start(recorder.handle());

    node.tells(r#"baton_component_up{component="store"} 1"#)
        .await;
    node.faults.set(ALWAYS);
    node.tells(r#"baton_component_up{component="store"} 0"#)
        .await;
    node.tells(r#"baton_degraded{reason="routines"} 1"#).await;
    node.faults.set(NEVER);

    node.tells(r#"baton_component_up{component="store"} 1"#)
        .await;
    node.tells(r#"baton_degraded{reason="routines"} 0"#).await;
}

#[tokio::test(start_paused = true)]
async fn hints_that_are_away_are_a_component_that_is_down_and_hints_that_are_built_are_not() {
    let recorder = PrometheusBuilder::new().build_recorder();
    let _metrics = metrics::set_default_local_recorder(&recorder);
    let node = Node::start(recorder.handle());
    let hints = Arc::new(MemoryHints::new());
    node.engine.hint_by(hints.clone());

    node.tells(r#"baton_component_up{component="memory"} 1"#)
        .await;
    node.tells(r#"baton_degraded{reason="hints"} 1"#).await;
    hints.go_away("it was stopped");

    node.tells(r#"baton_component_up{component="memory"} 0"#)
        .await;
}

#[tokio::test(start_paused = true)]
async fn a_server_that_stops_is_no_component_that_is_up() {
    let recorder = PrometheusBuilder::new().build_recorder();
    let _metrics = metrics::set_default_local_recorder(&recorder);
    let node = Node::start(recorder.handle());

    node.tells(r#"baton_component_up{component="server"} 1"#)
        .await;
    node.engine.health_board().drain();

    node.tells(r#"baton_component_up{component="server"} 0"#)
        .await;
}
