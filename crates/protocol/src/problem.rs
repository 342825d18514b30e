//! Problems: every error as the API tells it (RFC 9457).

mod kind;

pub use kind::ProblemKind;

use std::fmt;

use baton_domain::job::State;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::ToSchema;

/// The media type of a problem.
pub const MEDIA_TYPE: &str = "application/problem+json";

/// What went wrong, what it means and what to do.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Problem {
    /// Names the kind of problem, and is where its page is served.
    #[serde(rename = "type")]
    #[schema(example = "/docs/problems/job-not-found", format = "uri-reference")]
    pub kind: String,
    /// The kind of problem in a few words; the same for each problem of a kind.
    pub title: String,
    /// The HTTP status.
    pub status: u16,
    /// What happened this time.
    pub detail: String,
    /// The path that was asked for.
    pub instance: Option<String>,
    /// The last word of `type`, to compare with.
    #[schema(example = "job-not-found")]
    pub code: String,
    /// Finds this request in the server's log.
    pub request_id: Option<String>,
    /// What is wrong with the request, field by field.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<FieldError>,
    /// Where the job is, when that is why it cannot be done.
    pub current_state: Option<State>,
    /// The job that holds the key, when that is why it cannot be done.
    pub existing_id: Option<String>,
}

impl Problem {
    /// A problem of a kind, with what happened this time.
    #[must_use]
    pub fn new(kind: ProblemKind, detail: impl Into<String>) -> Self {
        Self {
            kind: kind.uri(),
            title: kind.title().to_owned(),
            status: kind.status(),
            detail: detail.into(),
            instance: None,
            code: kind.as_str().to_owned(),
            request_id: None,
            errors: Vec::new(),
            current_state: None,
            existing_id: None,
        }
    }

    /// A request whose fields are wrong.
    #[must_use]
    pub fn invalid(errors: Vec<FieldError>) -> Self {
        let detail = match errors.as_slice() {
            [one] => one.to_string(),
            [first, rest @ ..] => format!("{first}; and {} more, see errors", rest.len()),
            [] => "The request does not make sense.".to_owned(),
        };
        Self {
            errors,
            ..Self::new(ProblemKind::Invalid, detail)
        }
    }

    /// Its kind; `None` if it comes from a newer server, or not from Baton at all.
    #[must_use]
    pub fn known_kind(&self) -> Option<ProblemKind> {
        ProblemKind::from_code(&self.code)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.title, self.detail)
    }
}

impl std::error::Error for Problem {}

impl From<FieldError> for Problem {
    fn from(error: FieldError) -> Self {
        Self::invalid(vec![error])
    }
}

/// One thing wrong with a request, and where.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct FieldError {
    /// The field, as a path.
    #[schema(example = "jobs[3].backoff.base")]
    pub field: String,
    /// What is wrong with it, and what would be right.
    pub message: String,
}

impl FieldError {
    /// Names a field and what is wrong with it.
    #[must_use]
    pub fn new(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            field: field.into(),
            message: message.into(),
        }
    }
}

impl fmt::Display for FieldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.field, self.message)
    }
}

impl From<baton_domain::job::FieldError> for FieldError {
    fn from(error: baton_domain::job::FieldError) -> Self {
        Self::new(error.field, error.message)
    }
}
