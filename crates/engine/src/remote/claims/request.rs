//! What a remote worker asks for, and what it gets.

use std::time::Duration;

use baton_domain::{LeaseId, checkpoint::Checkpoint};
use baton_ports::store::Claimed;

/// What a worker asks for.
#[derive(Debug, Clone)]
pub struct ClaimRequest {
    /// From which queues.
    pub wants: Vec<Want>,
    /// How many jobs at the most.
    pub limit: u32,
    /// How long to wait until there is one.
    pub wait: Duration,
    /// How many bytes of payload at the most; one job always fits.
    pub max_bytes: Option<usize>,
    /// Whether it was asked before, and no answer heard.
    pub is_repeated: bool,
}

/// What a worker asks for of one queue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Want {
    /// The queue.
    pub queue: String,
    /// The lease, drawn by the worker.
    pub lease: LeaseId,
    /// How many jobs at the most.
    pub limit: u32,
}

/// What a worker gets.
#[derive(Debug, Clone)]
pub struct ClaimAnswer {
    /// The jobs, by lease.
    pub batches: Vec<RemoteBatch>,
    /// How long the claim had waited before the leases began, or until it was answered without any.
    pub waited: Duration,
    /// Whether the worker is to take nothing new.
    pub drain: bool,
}

/// The jobs under one lease.
#[derive(Debug, Clone)]
pub struct RemoteBatch {
    /// The lease.
    pub lease: LeaseId,
    /// The queue.
    pub queue: String,
    /// The jobs.
    pub jobs: Vec<RemoteJob>,
}

/// A job for a remote worker.
#[derive(Debug, Clone)]
pub struct RemoteJob {
    /// As the store gives it.
    pub claimed: Claimed,
    /// The right to the attempt.
    pub token: String,
    /// Where an earlier attempt left off.
    pub checkpoint: Option<Checkpoint>,
}
