//! Who may do what.

use crate::{
    design::{Flaw, LEASE, Scene},
    faults::Hurt,
    node::{Loop, Verdict, WorkerJob},
    state::{NODES, NodeId, Place, State},
};

/// A step that needs no fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// A worker claims the job.
    Claim(NodeId),
    /// It hears that it has it, and starts.
    Hear(NodeId),
    /// The job ends.
    End(NodeId, Verdict),
    /// The worker renews its lease.
    Renew(NodeId),
    /// The worker gives back what it was granted without hearing of it.
    GiveBack(NodeId),
    /// The worker's own watch says that the lease may be over.
    Expire(NodeId),
    /// The worker records a result, and hears so.
    Settle(NodeId),
    /// A rescuer looks.
    Look(NodeId),
    /// A rescuer takes back what it found.
    Rescue(NodeId),
    /// A releaser lets the job stand in line.
    Release(NodeId),
    /// A node follows the store's clock.
    Follow(NodeId),
    /// A process that was stopped goes on.
    Wake(NodeId),
    /// A node reaches the store again.
    Mend(NodeId),
    /// A process is started anew.
    Restart(NodeId),
    /// The database is there again.
    Recover,
    /// Time passes, and what was committed reaches the disk.
    Tick,
    /// Something goes wrong.
    Hurt(Hurt),
}

impl State {
    /// What can happen without a fault.
    pub(crate) fn calm(&self, scene: &Scene, actions: &mut Vec<Action>) {
        for node in 0..NODES {
            self.of_processes(node, actions);
            if self.speaks(node) {
                self.of_workers(scene, node, actions);
                self.of_routines(node, actions);
            }
        }
        if !self.is_up {
            actions.push(Action::Recover);
        }
        if !self.must_renew(scene) {
            actions.push(Action::Tick);
        }
    }

    fn of_processes(&self, node: NodeId, actions: &mut Vec<Action>) {
        let process = &self.nodes[node];
        if !process.is_up {
            actions.push(Action::Restart(node));
            return;
        }
        if !process.is_awake {
            actions.push(Action::Wake(node));
        }
        if !process.is_reachable {
            actions.push(Action::Mend(node));
        }
        if let (true, WorkerJob::Runs(run)) = (process.is_at_work(), process.hand) {
            actions.push(Action::End(node, Verdict::Success));
            // One failure tells all that more would.
            if run.attempt == 1 {
                actions.push(Action::End(node, Verdict::Retry));
            }
            if run.sent >= LEASE {
                actions.push(Action::Expire(node));
            }
        }
    }

    fn of_workers(&self, scene: &Scene, node: NodeId, actions: &mut Vec<Action>) {
        let process = &self.nodes[node];
        match process.hand {
            WorkerJob::Empty if self.store.place == Place::Ready && process.runs(Loop::Claimer) => {
                actions.push(Action::Claim(node));
            }
            WorkerJob::Asked(_) => actions.push(Action::Hear(node)),
            WorkerJob::Doubts(run) if self.lease().is_some_and(|lease| lease.id == run.lease) => {
                actions.push(Action::GiveBack(node));
            }
            WorkerJob::Ended(..) if process.runs(Loop::Flusher) => {
                actions.push(Action::Settle(node));
            }
            _ => {}
        }
        if process.runs(Loop::Renewer) && self.renewal_age(scene, node).is_some_and(|age| age > 0) {
            actions.push(Action::Renew(node));
        }
    }

    fn of_routines(&self, node: NodeId, actions: &mut Vec<Action>) {
        let process = &self.nodes[node];
        if process.prey.is_some() {
            actions.push(Action::Rescue(node));
        } else {
            actions.push(Action::Look(node));
        }
        if matches!(self.store.place, Place::Waiting(due) if due <= process.ahead) {
            actions.push(Action::Release(node));
        }
        if process.ahead != self.ahead {
            actions.push(Action::Follow(node));
        }
    }

    /// A worker that is alive, awake and reachable renews in time: time waits for it.
    fn must_renew(&self, scene: &Scene) -> bool {
        (0..NODES).any(|node| {
            let is_able = self.speaks(node) && self.nodes[node].runs(Loop::Renewer);
            is_able && (1..LEASE).contains(&self.renewal_age(scene, node).unwrap_or(0))
        })
    }

    /// How long ago the worker renewed what it would renew now.
    fn renewal_age(&self, scene: &Scene, node: NodeId) -> Option<u8> {
        if scene.has(Flaw::RenewalOfTheForgotten) {
            let lease = self.lease()?;
            return (lease.holder == Some(node)).then_some(self.age);
        }
        self.nodes[node].hand.run().map(|run| run.sent)
    }
}
