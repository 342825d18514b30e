//! The rest of a campaign: those of its audience whom it has not reached.

pub use baton_domain::campaign::RestSpec as SendToRest;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// How many recipients of its audience a campaign that has ended has not reached, and why.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CampaignRest {
    /// All whom `send-to-rest` would be for: the sum of the next four.
    pub recipients: u64,
    /// It was canceled before it came to them.
    pub never_written: u64,
    /// Their deliveries were canceled.
    pub canceled: u64,
    /// Their deliveries have failed for good.
    pub failed: u64,
    /// They were skipped; whoever would be skipped again is.
    pub skipped: u64,
    /// How many besides may have been reached: they are left out until a person has resolved them.
    pub uncertain: u64,
}
