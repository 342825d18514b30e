//! What follows of a step.

use crate::{
    action::Action,
    design::{Flaw, LEASE, Scene},
    node::{Node, ObservedLease, Verdict, WorkerJob},
    state::{NodeId, State},
};

impl State {
    /// What follows of a step; a step that changes nothing is none.
    pub(crate) fn after(&self, scene: &Scene, action: Action) -> Option<Self> {
        let mut next = self.clone();
        next.act(scene, action);
        next.forget_what_matters_no_more(scene);
        (next != *self).then_some(next)
    }

    fn act(&mut self, scene: &Scene, action: Action) {
        match action {
            Action::Claim(node) => self.claim(scene, node),
            Action::Hear(node) => self.hear(node),
            Action::End(node, verdict) => self.end(node, verdict),
            Action::Renew(node) => self.renew_by(scene, node),
            Action::GiveBack(node) => self.give_back_by(node),
            Action::Expire(node) => self.nodes[node].hand = WorkerJob::Empty,
            Action::Settle(node) => {
                self.settle_by(scene, node);
                self.nodes[node].hand = WorkerJob::Empty;
            }
            Action::Look(node) => self.look(scene, node),
            Action::Rescue(node) => {
                if let Some(prey) = self.nodes[node].prey.take() {
                    self.rescue(scene, node, prey);
                }
            }
            Action::Release(_) => self.release(),
            Action::Follow(node) => self.nodes[node].ahead = self.ahead,
            Action::Wake(node) => self.nodes[node].is_awake = true,
            Action::Mend(node) => self.nodes[node].is_reachable = true,
            Action::Restart(node) => {
                self.nodes[node] = Node::fresh(self.ahead);
            }
            Action::Recover => self.is_up = true,
            Action::Tick => self.tick(),
            Action::Hurt(hurt) => self.hurt(scene, hurt),
        }
    }

    fn hear(&mut self, node: NodeId) {
        if let WorkerJob::Asked(run) = self.nodes[node].hand {
            self.nodes[node].hand = WorkerJob::Runs(run);
        }
    }

    fn end(&mut self, node: NodeId, verdict: Verdict) {
        if let WorkerJob::Runs(run) = self.nodes[node].hand {
            self.nodes[node].hand = WorkerJob::Ended(run, verdict);
        }
    }

    fn renew_by(&mut self, scene: &Scene, node: NodeId) {
        if scene.has(Flaw::RenewalOfTheForgotten)
            && let Some(lease) = self.lease().filter(|lease| lease.holder == Some(node))
        {
            self.renew(scene, node, lease.id);
        }
        let Some(run) = self.nodes[node].hand.run() else {
            return;
        };
        let is_held = self.renew(scene, node, run.lease);
        let hand = &mut self.nodes[node].hand;
        match hand {
            // The result is recorded all the same: it may count yet.
            WorkerJob::Ended(run, _) => run.sent = if is_held { 0 } else { LEASE },
            WorkerJob::Asked(run) | WorkerJob::Doubts(run) | WorkerJob::Runs(run) if is_held => {
                run.sent = 0;
            }
            _ => *hand = WorkerJob::Empty,
        }
    }

    fn give_back_by(&mut self, node: NodeId) {
        if let WorkerJob::Doubts(run) = self.nodes[node].hand {
            self.give_back(run);
            self.nodes[node].hand = WorkerJob::Empty;
        }
    }

    /// Records what the worker has to say; it may not hear that it did.
    pub(crate) fn settle_by(&mut self, scene: &Scene, node: NodeId) {
        if let WorkerJob::Ended(run, verdict) = self.nodes[node].hand {
            self.settle(scene, node, run, verdict);
        }
    }

    /// A rescuer takes back what it has watched, unrenewed, for a whole lease.
    fn look(&mut self, scene: &Scene, node: NodeId) {
        let Some(lease) = self.lease() else {
            self.nodes[node].watch = None;
            return;
        };
        let seen = ObservedLease {
            lease: lease.id,
            in_store: true,
            on_disk: self.is_written,
        };
        let is_stopped = lease.holder.is_some_and(|node| !self.nodes[node].is_awake);
        let process = &mut self.nodes[node];
        if scene.has(Flaw::RescueByWallClock) {
            process.prey = (lease.until < process.ahead).then_some(seen);
            return;
        }
        if scene.has(Flaw::RescueWaitsForTheStopped) && is_stopped {
            process.watch = None;
            return;
        }
        match process.watch {
            Some((_, 0..LEASE)) if scene.has(Flaw::WatchBeginsAnew) => {
                process.watch = Some((seen, 0));
            }
            Some((sight, span)) if sight.lease == lease.id && sight.in_store => {
                process.prey = (span >= LEASE).then_some(sight);
            }
            _ => process.watch = Some((seen, 0)),
        }
    }
}
