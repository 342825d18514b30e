//! Rollups: what pictures are drawn from.

use async_trait::async_trait;
use baton_domain::{
    Timestamp,
    rollup::{Resolution, Rollup},
};

use super::Result;

/// Rollups: what pictures are drawn from. They are written with the numbers of facts, and kept for
/// [`Resolution::kept`].
#[async_trait]
pub trait Rollups: Send + Sync {
    /// How many jobs came to each state and went from it since a moment, in order. Reads what it answers of, and counts no table.
    async fn rollups(&self, request: &RollupRequest, since: Timestamp) -> Result<Vec<Rollup>>;
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
