//! Whether the server can do its work.

use baton_domain::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::Problem;

/// The process is alive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Alive {
    /// Always `alive`.
    #[schema(example = "alive")]
    pub status: String,
    /// Baton's version.
    pub version: String,
}

/// Whether the server can do its work, part by part.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Readiness {
    /// Whether requests should be sent here.
    pub ready: bool,
    /// What the server needs to work, and `redis` where there is one: without it work goes on.
    pub components: Vec<Component>,
    /// The repeated duties of the server.
    pub routines: Vec<Routine>,
}

/// Something the server needs to work, or works better with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Component {
    /// Its name.
    #[schema(example = "store")]
    pub name: String,
    /// Whether it is as it should be.
    pub ready: bool,
    /// How it is, in a few words.
    pub detail: String,
}

/// A repeated duty of the server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Routine {
    /// Its name.
    #[schema(example = "releaser")]
    pub name: String,
    /// What it does, in one sentence.
    pub duty: String,
    /// How it is.
    #[schema(example = "idle")]
    pub state: String,
    /// Whether it makes progress.
    pub ready: bool,
    /// How many turns it has made.
    pub turns: u64,
    /// When its last turn ended.
    pub last_turn_at: Option<Timestamp>,
    /// Turns that failed in a row.
    pub failures: u32,
    /// Why the last failed turn failed.
    pub last_error: Option<String>,
}

/// The server is not ready: a problem that also says which part is not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NotReady {
    /// The problem.
    #[serde(flatten)]
    pub problem: Problem,
    /// Part by part.
    #[serde(flatten)]
    pub readiness: Readiness,
}
