//! Asks Redis every moment whether it does its work, and which generation is open.

use std::{sync::Arc, time::Duration};

use baton_ports::hints::HintState;
use metrics::gauge;
use tokio::time::{Instant, MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;

use crate::{call::generation_of, errors::LinkError, hints::Inner, script::call};

/// How long what a probe writes stays.
const STAYS: Duration = Duration::from_secs(10);

/// Probes until it is told to stop.
pub async fn watch(inner: Arc<Inner>, every: Duration, stop: CancellationToken) {
    let mut ticks = interval(every);
    // A probe that took long is followed by the next at once: silence has to be seen within a second.
    ticks.set_missed_tick_behavior(MissedTickBehavior::Skip);
    loop {
        tokio::select! {
            _ = ticks.tick() => probe(&inner).await,
            () = stop.cancelled() => return,
        }
    }
}

/// Asks once. It writes too: a Redis that is full or read-only answers questions all the same.
pub async fn probe(inner: &Inner) {
    let turn = inner.view.turn();
    match ask(inner).await {
        Ok(generation) => inner.view.well(generation, turn),
        Err(trouble) => inner.view.failed(&trouble),
    }
    tell(&inner.view.state());
}

async fn ask(inner: &Inner) -> Result<Option<i64>, LinkError> {
    let script = &inner.scripts.probe;
    let keys = [inner.keys.sentinel(), inner.keys.probe(inner.node)];
    let mut command = call(script, &keys, None);
    command.arg(u64::try_from(STAYS.as_millis()).unwrap_or(u64::MAX));
    let asked = Instant::now();
    let value: Option<Vec<u8>> = inner.connection.call(script, &command).await?;
    gauge!("baton_redis_answer_seconds").set(asked.elapsed().as_secs_f64());
    Ok(generation_of(value))
}

fn tell(state: &HintState) {
    let states = [
        ("open", matches!(state, HintState::Open)),
        ("building", matches!(state, HintState::Building)),
        ("away", matches!(state, HintState::Away(_))),
    ];
    for (name, is_it) in states {
        gauge!("baton_redis_state", "state" => name).set(f64::from(u8::from(is_it)));
    }
}
