//! What a person asks of a job.

use std::time::Duration;

use baton_domain::duration::{self, Span};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

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

/// Says how an uncertain job ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Resolve {
    /// How it ended.
    #[serde(rename = "as")]
    pub outcome: Resolution,
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

/// A call that has nothing to say: no body, or an empty object.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Nothing {}

/// Runs a job again.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Retry {
    /// Begins anew instead of behind its cursor, which is emptied.
    #[serde(default)]
    pub afresh: bool,
}

/// How long to wait for the end of a job.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct JobQuery {
    /// Answers when the job has ended, or with what it is after this span, 25s at the most.
    #[serde(default, with = "duration::option")]
    #[param(value_type = Option<Span>)]
    pub wait: Option<Duration>,
}
