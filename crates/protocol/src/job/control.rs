//! What a person asks of a job.

use std::time::Duration;

use baton_domain::{
    duration::{self, Span},
    job::Resolution,
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// Says how an uncertain job ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Resolve {
    /// How it ended.
    #[serde(rename = "as")]
    pub outcome: Resolution,
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
