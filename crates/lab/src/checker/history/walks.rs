//! What is known of the jobs of remote workers: walks, and what their programs saw.

use serde::{Deserialize, Serialize};

/// The kind of a job that walks over items, and makes a job of each.
pub const WALK: &str = "lab.walk";
/// The kind of those jobs, and of others that remote workers do.
pub const ITEM: &str = "lab.item";

/// What is known of the jobs of remote workers.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Walks {
    /// Walks that were accepted.
    pub asked: Vec<AcceptedWalk>,
    /// What programs saw, in the order in which each wrote it.
    pub sights: Vec<ObservedAttempt>,
    /// Workers that were told to take nothing new.
    pub drains: Vec<Drain>,
    /// Programs that lived on after their worker was killed.
    pub orphans: Vec<Orphan>,
}

/// A walk that was accepted. The job of its item 7 has the key `walk-1-7`, if its own is `walk-1`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AcceptedWalk {
    /// The job's id.
    pub job: String,
    /// Its key.
    pub key: String,
    /// Over how many items it walks.
    pub items: u64,
    /// How many of them make a checkpoint.
    pub chunk: u64,
}

/// What a program saw of an attempt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ObservedAttempt {
    /// When, in microseconds since 1970.
    pub at_us: i64,
    /// The name of its worker.
    pub worker: String,
    /// The job.
    pub job: String,
    /// The number of the attempt.
    pub attempt: u32,
    /// What.
    pub did: Did,
}

/// What happened in an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Did {
    /// It began, at this cursor.
    Began(u64),
    /// It asked for a checkpoint here.
    Asked(u64),
    /// It was told that the cursor is here.
    Saved(u64),
}

/// A program that lived on after its worker was killed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Orphan {
    /// The name of the worker.
    pub worker: String,
    /// The program's process id and command.
    pub program: String,
}

/// A worker that was told to take nothing new.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Drain {
    /// Its name.
    pub worker: String,
    /// When that was answered, in microseconds since 1970.
    pub from_us: i64,
    /// When it was about to be taken back.
    pub until_us: i64,
}
