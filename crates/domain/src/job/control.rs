//! What a person asks of a job.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Cancels a job.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Cancel {
    /// Takes a running job away from its worker at once, instead of asking it to stop.
    #[serde(default)]
    pub force: bool,
    /// Why, as the job will show it; 500 characters at most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 500)]
    pub reason: Option<String>,
}

/// How an uncertain job ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Resolution {
    /// The call was made, and did what was asked.
    Succeeded,
    /// The call was not made, or did not do what was asked.
    Failed,
}
