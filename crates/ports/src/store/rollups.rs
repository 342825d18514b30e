//! Rollups: what pictures are drawn from.

use async_trait::async_trait;
use baton_domain::{
    Timestamp,
    rollup::{Marker, Resolution, Rollup},
    waits::WaitRollup,
};

use super::Result;

/// Rollups: what pictures are drawn from. They are written with the numbers of facts, waits by the processes that claim; and kept for
/// [`Resolution::kept`].
#[async_trait]
pub trait Rollups: Send + Sync {
    /// How many jobs came to each state and went from it since a moment, in order. Reads what it answers of, and counts no table.
    async fn rollups(&self, request: &RollupRequest, since: Timestamp) -> Result<Vec<Rollup>>;

    /// How long the jobs waited that were claimed since a moment, in order. What was not written down yet is not among them.
    async fn waits(&self, request: &RollupRequest, since: Timestamp) -> Result<Vec<WaitRollup>>;

    /// Writes down how long the jobs waited that this process has claimed since it last did; says of how many jobs. What cannot be
    /// written, and what a process that is killed had not written, is in no picture.
    async fn write_waits(&self) -> Result<u64>;

    /// What pictures are marked with since a moment, so many minutes told as one, in order.
    async fn markers(&self, minutes: u32, since: Timestamp) -> Result<Vec<Marker>>;
}

/// Which rollups somebody wants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RollupRequest {
    /// Of this queue; of all together if none is named. One queue has minutes alone.
    pub queue: Option<String>,
    /// How long the spans are.
    pub resolution: Resolution,
    /// How many spans side by side are told as one; 1 at least.
    pub step: u32,
}
