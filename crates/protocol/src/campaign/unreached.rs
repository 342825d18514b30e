//! The rest of a campaign: those of its audience whom it has not reached.

use baton_domain::campaign;
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

/// What may be different about the campaign for the rest of another one.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SendToRest {
    /// What people call it; the name of the other one with `, the rest` if nothing is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 200)]
    pub name: Option<String>,
    /// How many deliveries may start each second; as with the other one if nothing is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate: Option<f64>,
}

impl From<SendToRest> for campaign::RestSpec {
    fn from(wanted: SendToRest) -> Self {
        Self {
            name: wanted.name,
            rate: wanted.rate,
        }
    }
}
