//! The leader wins, keeps or loses the leadership. Nothing is correct because of it: what only the
//! leader does would be harmless twice, it would only be work for nothing.

use std::{
    mem,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use async_trait::async_trait;
use baton_domain::WorkerId;
use baton_ports::{Wakeup, store};

use super::Tools;
use crate::{Next, Routine, routine::about};

/// How long a leadership lasts without renewal.
pub const TERM: Duration = Duration::from_secs(15);
/// How often a node looks whether it leads by now.
const LOOK: Duration = Duration::from_secs(1);

/// Whether this node leads; shared with the routines that only the leader turns.
#[derive(Debug, Clone, Default)]
pub struct Leading(Arc<AtomicBool>);

impl Leading {
    /// Whether this node leads.
    #[must_use]
    pub fn is_true(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }

    /// A routine that is turned while this node leads.
    pub(super) fn only(&self, routine: impl Routine) -> Box<dyn Routine> {
        Box::new(OnLeader {
            leading: self.clone(),
            // What is told as of this moment is told from the beginning.
            has_led: true,
            routine,
        })
    }
}

/// A routine that only the leader turns; any other node looks now and then whether it leads by now.
struct OnLeader<R> {
    leading: Leading,
    /// Whether its last turn was that of a leader, or it has had none.
    has_led: bool,
    routine: R,
}

#[async_trait]
impl<R: Routine> Routine for OnLeader<R> {
    fn name(&self) -> &'static str {
        self.routine.name()
    }

    fn duty(&self) -> &'static str {
        self.routine.duty()
    }

    fn woken_by(&self) -> &'static [Wakeup] {
        self.routine.woken_by()
    }

    fn rest(&self, wakeup: Wakeup) -> Duration {
        self.routine.rest(wakeup)
    }

    async fn turn(&mut self) -> store::Result<Next> {
        let led = mem::replace(&mut self.has_led, self.leading.is_true());
        if self.has_led {
            return self.routine.turn().await;
        }
        if led {
            self.routine.stand_down();
        }
        Ok(Next::After(LOOK))
    }
}

/// Wins, keeps or loses the leadership.
pub struct Leader {
    tools: Tools,
    node: WorkerId,
    leading: Leading,
}

impl Leader {
    /// A candidate, and the word on whether it has won.
    #[must_use]
    pub fn new(tools: Tools, node: WorkerId) -> (Self, Leading) {
        let leading = Leading::default();
        (
            Self {
                tools,
                node,
                leading: leading.clone(),
            },
            leading,
        )
    }
}

#[async_trait]
impl Routine for Leader {
    about!("leader": "settles which node does the single-copy duties");

    async fn turn(&mut self) -> store::Result<Next> {
        let won = self
            .tools
            .store
            .lead(self.node, TERM, self.tools.clock.now())
            .await;
        let leads = *won.as_ref().unwrap_or(&false);
        if self.leading.0.swap(leads, Ordering::SeqCst) != leads {
            tracing::info!(node = %self.node, leads, "the leadership has changed");
            self.tools.wakeups.send(Wakeup::Facts);
        }
        metrics::gauge!("baton_leader").set(if leads { 1.0 } else { 0.0 });
        won.map(|_| Next::After(TERM / 3))
    }
}
