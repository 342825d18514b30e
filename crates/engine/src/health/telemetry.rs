//! What the metrics say of how this process is. It is told when somebody asks for them, so that it is never older than
//! they are, and costs nothing while nobody asks.

use std::time::Duration;

use baton_domain::Timestamp;
use baton_ports::{hints::HintState, labels};
use futures::FutureExt;

use super::{RoutineHealth, RoutineState};
use crate::Engine;

/// The routine that asks the store the time, on every node.
const ASKS_THE_STORE: &str = "timekeeper";
/// How long ago its last turn may have ended while it waits for an answer.
const SILENCE: Duration = Duration::from_secs(10);
/// Routines that are components of their own, where this node has them.
const COMPONENTS: [&str; 3] = ["leader", "scheduler", "sequencer"];

impl Engine {
    /// Tells the metrics how this process is, as far as that is known here: nobody is asked.
    pub fn show_health(&self) {
        let routines = self.inner.health_board.routines();
        self.show_components(&routines);
        self.show_degraded(&routines);
    }

    fn show_components(&self, routines: &[RoutineHealth]) {
        let (board, now) = (&self.inner.health_board, self.now());
        let named = |name| routines.iter().find(|routine| routine.name == name);
        let answers = named(ASKS_THE_STORE).is_none_or(|routine| is_answered(routine, now));
        component("store", answers);
        component(
            "server",
            !board.is_draining() && board.watchdog().death().is_none(),
        );
        if let Some(hints) = self.inner.offers.hints() {
            component(hints.kind(), !matches!(hints.state(), HintState::Away(_)));
        }
        for routine in COMPONENTS.into_iter().filter_map(named) {
            component(routine.name, routine.makes_progress(now));
        }
    }

    fn show_degraded(&self, routines: &[RoutineHealth]) {
        let now = self.now();
        let hints = self.inner.offers.hints();
        degraded(
            "hints",
            hints.is_some_and(|hints| hints.state() != HintState::Open),
        );
        degraded("clock", self.inner.health_board.clock_step().is_some());
        degraded("labels", labels::have_run_out());
        for (what, most) in labels::newly_run_out() {
            tracing::warn!(
                what,
                most,
                "there are more than {most} {what}: in the metrics those met last share the label {}",
                labels::OTHER
            );
        }
        let is_stuck = |routine: &RoutineHealth| !routine.makes_progress(now);
        degraded("routines", routines.iter().any(is_stuck));
        // The store knows it by heart.
        if let Some(Ok(rows)) = self.inner.store.unreadable().now_or_never() {
            degraded("rows", !rows.is_empty());
        }
    }
}

/// Whether the store has answered a routine that asks it again and again.
fn is_answered(routine: &RoutineHealth, now: Timestamp) -> bool {
    let is_silent = routine.state == RoutineState::Busy
        && routine
            .last_turn_at
            .is_some_and(|at| now.since(at) > SILENCE);
    routine.failures == 0 && !is_silent
}

fn component(name: &'static str, is_up: bool) {
    metrics::gauge!("baton_component_up", "component" => name).set(f64::from(u8::from(is_up)));
}

fn degraded(reason: &'static str, is_so: bool) {
    metrics::gauge!("baton_degraded", "reason" => reason).set(f64::from(u8::from(is_so)));
}
