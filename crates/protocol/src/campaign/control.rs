//! What a person asks of a campaign.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Stops, resumes or cancels a campaign.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CommandCampaign {
    /// Why, as the campaign will show it; 500 characters at most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 500)]
    pub reason: Option<String>,
}

/// Changes a campaign while it runs.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ChangeCampaign {
    /// How many deliveries may start each second; `null` for as many as can.
    pub rate: Option<f64>,
}

/// Runs failed deliveries of a campaign again.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RetryFailed {
    /// Those of one cause only, as the failures of the campaign name it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fingerprint: Option<String>,
}
