//! What may go wrong, and how time passes.

use crate::{
    action::Action,
    design::{Fault, Flaw, LEASE, STEP, Scene},
    node::{Loop, Node, WorkerJob},
    state::{NODES, NodeId, Place, State, Tables},
};

/// Something that goes wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hurt {
    /// A process is killed.
    Kill(NodeId),
    /// A process is stopped.
    Pause(NodeId),
    /// A node no longer reaches the store.
    Cut(NodeId),
    /// The answer to a claim or a settlement is lost.
    Unanswered(NodeId),
    /// A worker forgets what it runs.
    Forget(NodeId),
    /// A node's idea of the store's time steps.
    StepNode(NodeId, i8),
    /// The store's clock steps.
    StepStore(i8),
    /// The database crashes.
    Database,
    /// A loop of a worker dies.
    Die(NodeId, Loop),
}

impl State {
    /// What may go wrong now.
    pub(crate) fn faults(&self, scene: &Scene, actions: &mut Vec<Action>) {
        if self.faults_left == 0 || self.is_over() {
            return;
        }
        for fault in scene.faults {
            match fault {
                Fault::StepStore => {
                    actions.extend([STEP, -STEP].map(|by| Action::Hurt(Hurt::StepStore(by))));
                }
                Fault::Database if self.is_up => actions.push(Action::Hurt(Hurt::Database)),
                Fault::Database => {}
                _ => (0..NODES).for_each(|node| self.faults_of(node, *fault, actions)),
            }
        }
    }

    fn faults_of(&self, node: NodeId, fault: Fault, actions: &mut Vec<Action>) {
        let process = &self.nodes[node];
        if !process.is_up {
            return;
        }
        let mut push = |hurt| actions.push(Action::Hurt(hurt));
        match fault {
            Fault::Kill => push(Hurt::Kill(node)),
            Fault::Pause if process.is_awake => push(Hurt::Pause(node)),
            Fault::Cut if process.is_reachable => push(Hurt::Cut(node)),
            Fault::Forget if matches!(process.hand, WorkerJob::Runs(_)) => push(Hurt::Forget(node)),
            Fault::StepNode => [STEP, -STEP]
                .into_iter()
                .for_each(|by| push(Hurt::StepNode(node, by))),
            Fault::Loop => [Loop::Claimer, Loop::Renewer, Loop::Flusher]
                .into_iter()
                .for_each(|which| push(Hurt::Die(node, which))),
            Fault::Unanswered if self.speaks(node) => {
                let is_asking = matches!(process.hand, WorkerJob::Asked(_) | WorkerJob::Ended(..));
                if is_asking {
                    push(Hurt::Unanswered(node));
                }
            }
            _ => {}
        }
    }

    pub(crate) fn hurt(&mut self, scene: &Scene, hurt: Hurt) {
        self.faults_left -= 1;
        match hurt {
            Hurt::Kill(node) => self.kill(node),
            Hurt::Pause(node) => self.nodes[node].is_awake = false,
            Hurt::Cut(node) => self.nodes[node].is_reachable = false,
            Hurt::Unanswered(node) => self.lose_an_answer(scene, node),
            Hurt::Forget(node) => self.nodes[node].hand = WorkerJob::Empty,
            Hurt::StepNode(node, by) => step(&mut self.nodes[node].ahead, by),
            Hurt::StepStore(by) => step(&mut self.ahead, by),
            Hurt::Database => self.crash(),
            Hurt::Die(node, which) if scene.has(Flaw::SilentDeath) => {
                self.nodes[node].dead[which as usize] = true;
            }
            // A loop that dies ends its process.
            Hurt::Die(node, _) => self.kill(node),
        }
    }

    fn kill(&mut self, node: NodeId) {
        let ahead = self.nodes[node].ahead;
        self.nodes[node] = Node::fresh(ahead);
        self.nodes[node].is_up = false;
        for tables in [&mut self.store, &mut self.disk] {
            if let Place::Leased(lease) = &mut tables.place
                && lease.holder == Some(node)
            {
                lease.holder = None;
            }
        }
    }

    fn lose_an_answer(&mut self, scene: &Scene, node: NodeId) {
        match self.nodes[node].hand {
            WorkerJob::Asked(_) if scene.has(Flaw::RenewalOfTheForgotten) => {
                self.nodes[node].hand = WorkerJob::Empty;
            }
            WorkerJob::Asked(run) => self.nodes[node].hand = WorkerJob::Doubts(run),
            _ => self.settle_by(scene, node),
        }
    }

    /// What was not on the disk is forgotten.
    fn crash(&mut self) {
        self.seen.claim_forgotten |= self.store.attempt != self.disk.attempt;
        self.store = self.disk;
        self.is_up = false;
        self.is_written = true;
        self.for_each_sight(|sight| sight.in_store = sight.on_disk);
    }

    pub(crate) fn tick(&mut self) {
        pass(&mut self.store);
        pass(&mut self.disk);
        self.age = (self.age + 1).min(LEASE);
        for node in &mut self.nodes {
            if let Some((_, span)) = &mut node.watch {
                *span = (*span + 1).min(LEASE);
            }
            if let Some(run) = node.hand.run_mut() {
                run.sent = (run.sent + 1).min(LEASE);
            }
        }
        if self.is_up {
            self.flush();
        }
    }
}

/// A clock that stands right is put wrong, and the other way round.
fn step(ahead: &mut i8, by: i8) {
    *ahead = if *ahead == 0 { by } else { 0 };
}

/// What lies ahead comes nearer; what is further back than any clock is wrong is all the same.
fn pass(tables: &mut Tables) {
    match &mut tables.place {
        Place::Waiting(due) => *due = (*due - 1).max(-STEP),
        Place::Leased(lease) => lease.until = (lease.until - 1).max(-STEP - 1),
        _ => {}
    }
}
