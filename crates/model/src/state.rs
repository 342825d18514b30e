//! The state: one job in the store, what the disk has of it, and two nodes.

use crate::{
    design::{Flaw, Scene},
    node::{Node, ObservedLease},
};

/// A lease's id: made by the claimer, never made twice.
pub type LeaseId = u8;
/// Which node.
pub type NodeId = usize;

/// How many nodes there are, each a worker and a rescuer.
pub const NODES: usize = 2;
/// How many attempts can be told apart.
const ATTEMPTS: usize = 8;

/// Everything.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct State {
    /// What statements see.
    pub store: Tables,
    /// What a crash of the database leaves of it.
    pub disk: Tables,
    /// Whether the database answers.
    pub is_up: bool,
    /// Whether the disk has the lease as it stands, and not as it was before its last renewal.
    pub is_written: bool,
    /// How long ago the lease was granted or renewed in true time, in ticks; no statement sees it.
    pub age: u8,
    /// How far the store's wall clock is ahead of true time, in ticks.
    pub ahead: i8,
    /// The nodes.
    pub nodes: [Node; NODES],
    /// The id of the next lease.
    pub next_lease: LeaseId,
    /// How many faults may still happen.
    pub faults_left: u8,
    /// What has happened.
    pub seen: Happened,
}

/// The tables, as far as they concern the job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Tables {
    /// Where the job is.
    pub place: Place,
    /// How often it was claimed.
    pub attempt: u8,
    /// How often it was lost.
    pub losses: u8,
    /// Under which lease an attempt was recorded: `attempts` and its key.
    pub recorded: [Option<LeaseId>; ATTEMPTS],
}

/// Where the job is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Place {
    /// `ready`
    Ready,
    /// `leases`
    Leased(Lease),
    /// `waiting`, and in how many ticks of true time its moment would come.
    Waiting(i8),
    /// `finished`: it succeeded.
    Succeeded,
    /// `finished`: a dead letter.
    Dead,
}

/// A row of `leases`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Lease {
    /// Its id.
    pub id: LeaseId,
    /// Whose it is, while the process lives that claimed it.
    pub holder: Option<NodeId>,
    /// In how many ticks of true time its end would come.
    pub until: i8,
}

/// What has happened. The first three must not.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Happened {
    /// An attempt was recorded twice.
    pub recorded_twice: bool,
    /// A result changed a job that was not its worker's to change.
    pub changed_by_stale: bool,
    /// A lease was taken back that had been renewed within its length.
    pub rescued_early: bool,
    /// A crash of the database forgot a claim.
    pub claim_forgotten: bool,
    /// A late success counted.
    pub adopted: bool,
}

impl State {
    /// A job in line, and two idle nodes.
    #[must_use]
    pub fn first(scene: &Scene) -> Self {
        let tables = Tables {
            place: Place::Ready,
            attempt: 0,
            losses: 0,
            recorded: [None; ATTEMPTS],
        };
        Self {
            store: tables,
            disk: tables,
            is_up: true,
            is_written: true,
            age: 0,
            ahead: 0,
            nodes: [Node::fresh(0); NODES],
            next_lease: 1,
            faults_left: scene.budget,
            seen: Happened::default(),
        }
    }

    /// The same, as far as it matters when nothing more goes wrong: fewer states.
    #[must_use]
    pub(crate) fn without_its_past(mut self) -> Self {
        self.faults_left = 0;
        self.seen = Happened::default();
        self
    }

    /// Whether the job has ended.
    #[must_use]
    pub const fn is_over(&self) -> bool {
        matches!(self.store.place, Place::Succeeded | Place::Dead)
    }

    /// Whether this node can speak with the store.
    pub(crate) fn speaks(&self, node: NodeId) -> bool {
        self.is_up && self.nodes[node].is_at_work() && self.nodes[node].is_reachable
    }

    pub(crate) fn lease(&self) -> Option<Lease> {
        self.store.lease()
    }

    /// Writes what is committed to the disk.
    pub(crate) fn flush(&mut self) {
        self.disk = self.store;
        self.is_written = true;
        self.for_each_sight(|sight| sight.on_disk = sight.in_store);
    }

    /// States that differ only in what nobody will ever use are one.
    pub(crate) fn forget_what_matters_no_more(&mut self, scene: &Scene) {
        let ids = [self.store.lease(), self.disk.lease()].map(|lease| lease.map(|lease| lease.id));
        let is_unguarded =
            scene.has(Flaw::RescueByWallClock) || scene.has(Flaw::RescueFromAnEarlierRead);
        for node in &mut self.nodes {
            let stands = |sight: &ObservedLease| {
                ids.contains(&Some(sight.lease)) && (sight.in_store || sight.on_disk)
            };
            node.watch = node.watch.filter(|(sight, _)| stands(sight));
            node.prey = node
                .prey
                .filter(|prey| stands(prey) || is_unguarded && ids.contains(&Some(prey.lease)));
        }
        if self.store.lease().is_none() {
            self.age = 0;
        }
    }

    pub(crate) fn for_each_sight(&mut self, mut change: impl FnMut(&mut ObservedLease)) {
        for node in &mut self.nodes {
            if let Some((sight, _)) = &mut node.watch {
                change(sight);
            }
            if let Some(sight) = &mut node.prey {
                change(sight);
            }
        }
    }
}

impl Tables {
    pub(crate) const fn lease(&self) -> Option<Lease> {
        match self.place {
            Place::Leased(lease) => Some(lease),
            _ => None,
        }
    }
}
