//! The routines, on one page: what the server does by itself, how often, and who.
//!
//! | routine | wakes | who |
//! |---|---|---|
//! | poller | each 2 s, at the next moment that only the clock knows of | every node |
//! | releaser | at the next due moment, when an earlier one comes | every node |
//! | rescuer | when a lease it watches can have ended, each 1.5 to 3 s | every node |
//! | expirer | when jobs have expired | every node |
//! | sequencer | when facts were written | every node |
//! | operation-runner | when an operation was started | every node |
//! | expander | when a campaign was created or resumed, or is due | every node |
//! | timekeeper | each 3 s; it writes each 15 s that the node is there | every node |
//! | leader | each third of its term | every node |
//! | wait-recorder | each 10 s; it writes if jobs were claimed | every node |
//! | health-monitor | each 250 ms, where there are hints | every node |
//! | hinter | each 500 ms, where there are hints; asks the store while somebody stands in line | the leader |
//! | conductor | when a campaign was written, each 500 ms while facts are numbered | the leader |
//! | job-operator | when an operation on jobs was started | the leader |
//! | scheduler | at the next due schedule, when one was written | the leader |
//! | stager | when a job was asked for in a transaction of the database | the leader |
//! | gauges | each 5 s; they look while facts are numbered | the leader |
//! | pruner | each five minutes | the leader |
//! | reconciler | each minute, and for no more than a twentieth of the time | the leader |
//!
//! The poller wakes the others for what it finds. Beside that, each of them looks by
//! itself once in [`SAFETY`], whatever becomes of the poller.

mod conductor;
mod expander;
mod expirer;
mod gauges;
mod health_monitor;
mod hinter;
mod job_operator;
mod leader;
mod operation_runner;
mod poller;
mod pruner;
mod reconciler;
mod releaser;
mod rescuer;
mod scheduler;
mod sequencer;
mod stager;
mod timekeeper;
mod wait_recorder;

pub use conductor::Conductor;
pub use expander::Expander;
pub use expirer::Expirer;
pub use gauges::Gauges;
pub use health_monitor::HealthMonitor;
pub use hinter::Hinter;
pub use job_operator::JobOperator;
pub use leader::{Leader, Leading};
pub use operation_runner::OperationRunner;
pub use poller::Poller;
pub use pruner::Pruner;
pub use reconciler::Reconciler;
pub use releaser::Releaser;
pub use rescuer::Rescuer;
pub use scheduler::Scheduler;
pub use sequencer::Sequencer;
pub use stager::Stager;
pub use timekeeper::Timekeeper;
pub use wait_recorder::WaitRecorder;
pub(crate) use {leader::TERM, timekeeper::WAITING};

use std::{sync::Arc, time::Duration};

use baton_domain::{
    Clock, WorkerId,
    node::Node,
    time::{Machine, StoreClock},
};
use baton_ports::{Store, Wakeups, store::Retention};

use crate::{Engine, Routine, offers::Offers};

/// The longest sleep of a routine that others wake.
const SAFETY: Duration = Duration::from_mins(1);

/// What every routine works with.
#[derive(Clone)]
pub struct Tools {
    /// Where the truth is.
    pub store: Arc<dyn Store>,
    /// The wake-ups.
    pub wakeups: Arc<Wakeups>,
    /// Where what became claimable is hinted at.
    pub offers: Offers,
    /// The present moment.
    pub clock: Arc<dyn Clock>,
}

impl Engine {
    /// What a routine of this engine works with.
    #[must_use]
    pub fn tools(&self) -> Tools {
        Tools {
            store: self.inner.store.clone(),
            wakeups: self.inner.wakeups.clone(),
            offers: self.inner.offers.clone(),
            clock: self.inner.clock.clone(),
        }
    }

    /// Every routine of a node with the engine role.
    #[must_use]
    pub fn routines(&self, node: WorkerId, retention: Retention) -> Vec<Box<dyn Routine>> {
        let tools = || self.tools();
        let (leader, leading) = Leader::new(tools(), node);
        let settings = self.inner.settings.clone();
        let findings = self.findings();
        let hinter = self.inner.offers.hints().map(|hints| {
            let hinter = Hinter::new(tools(), hints.clone(), settings.lease);
            leading.only(hinter.beside(findings.clone()))
        });
        let mut routines: Vec<Box<dyn Routine>> = vec![
            Box::new(Poller {
                tools: tools(),
                findings: findings.clone(),
            }),
            Box::new(Releaser { tools: tools() }),
            Box::new(Rescuer::new(tools(), findings.clone(), settings.lease)),
            Box::new(Expirer { tools: tools() }),
            Box::new(Sequencer {
                tools: tools(),
                numbered: 0,
            }),
            Box::new(OperationRunner { tools: tools() }),
            Box::new(Expander::new(tools(), node)),
            leading.only(Conductor { tools: tools() }),
            leading.only(JobOperator { tools: tools() }),
            Box::new(leader),
            leading.only(Scheduler::new(tools(), settings.clone())),
            leading.only(Stager {
                engine: self.clone(),
            }),
            leading.only(Gauges::new(
                tools(),
                findings,
                settings.lease,
                settings.wait_targets.clone(),
            )),
            leading.only(Pruner {
                tools: tools(),
                retention,
            }),
            leading.only(Reconciler { tools: tools() }),
        ];
        routines.extend(hinter);
        routines
    }

    /// The routine that tells when hints are not to be had; every role needs it, where there are hints.
    #[must_use]
    pub fn health_monitor(&self, node: WorkerId) -> Option<Box<dyn Routine>> {
        let hints = self.inner.offers.hints()?;
        Some(Box::new(HealthMonitor::new(
            self.tools(),
            hints.clone(),
            node,
        )))
    }

    /// The routine that writes down how long jobs waited; every role needs it that claims, here or for remote workers.
    #[must_use]
    pub fn wait_recorder(&self) -> Box<dyn Routine> {
        Box::new(WaitRecorder {
            tools: self.tools(),
        })
    }

    /// The routine that keeps a clock with the store's.
    #[must_use]
    pub fn timekeeper<M: Machine>(&self, clock: Arc<StoreClock<M>>) -> Box<dyn Routine> {
        Box::new(self.keeper_of(clock))
    }

    /// The same of a node, which also writes that the node is there; every role needs it.
    #[must_use]
    pub fn timekeeper_of<M: Machine>(
        &self,
        node: Node,
        clock: Arc<StoreClock<M>>,
    ) -> Box<dyn Routine> {
        Box::new(self.keeper_of(clock).beating(node))
    }

    fn keeper_of<M: Machine>(&self, clock: Arc<StoreClock<M>>) -> Timekeeper<M> {
        Timekeeper::new(self.tools(), self.inner.health_board.clone(), clock)
    }
}
