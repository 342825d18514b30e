//! Jobs, attempts and events as the public API writes them. Fields that are not judged are ignored.

use std::{collections::BTreeMap, fmt};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use serde_json::Value;

use super::state::{CampaignState, Outcome, State};

/// A moment, in microseconds since 1970; RFC 3339 on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct At(pub i64);

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match jiff::Timestamp::from_microsecond(self.0) {
            Ok(at) => write!(f, "{at:.6}"),
            Err(_) => write!(f, "{} us", self.0),
        }
    }
}

impl Serialize for At {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for At {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let at: jiff::Timestamp = text
            .parse()
            .map_err(|_| de::Error::custom(format!("{text} is no time in RFC 3339")))?;
        Ok(Self(at.as_microsecond()))
    }
}

/// An item of `GET /v1/jobs`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields of the public contract")]
pub struct Job {
    pub id: String,
    #[serde(default)]
    pub key: Option<String>,
    pub kind: String,
    pub queue: String,
    pub state: State,
    #[serde(default)]
    pub reason: Option<String>,
    pub attempt: u32,
    pub tries: u32,
    pub max_attempts: u32,
    #[serde(default)]
    pub losses: u32,
    pub run_at: At,
    pub created_at: At,
    #[serde(default)]
    pub updated_at: Option<At>,
    #[serde(default)]
    pub finished_at: Option<At>,
    #[serde(default)]
    pub leased_until: Option<At>,
    #[serde(default)]
    pub campaign_id: Option<String>,
    #[serde(default)]
    pub recipient_id: Option<String>,
    #[serde(default)]
    pub payload: Value,
}

/// An item of `GET /v1/campaigns`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields of the public contract")]
pub struct Campaign {
    pub id: String,
    #[serde(default)]
    pub key: Option<String>,
    pub state: CampaignState,
    #[serde(default)]
    pub began_at: Option<At>,
    #[serde(default)]
    pub completed_at: Option<At>,
    pub progress: Progress,
}

/// The books of a campaign.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields of the public contract")]
pub struct Progress {
    pub audience: u64,
    pub counts: BTreeMap<State, u64>,
}

/// An item of `GET /v1/jobs/{id}/attempts`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields of the public contract")]
pub struct Attempt {
    #[serde(default)]
    pub id: String,
    pub job_id: String,
    pub attempt: u32,
    #[serde(default = "first_run")]
    pub run: u32,
    #[serde(default)]
    pub outcome: Option<Outcome>,
    #[serde(default)]
    pub state: Option<State>,
    #[serde(default)]
    pub worker: Option<String>,
    #[serde(default)]
    pub started_at: Option<At>,
    #[serde(default)]
    pub ended_at: Option<At>,
    #[serde(default)]
    pub next_run_at: Option<At>,
    #[serde(default)]
    pub late: Option<Late>,
}

fn first_run() -> u32 {
    1
}

/// A result that came after the lease was lost.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields of the public contract")]
pub struct Late {
    pub outcome: Outcome,
    #[serde(default)]
    pub at: Option<At>,
    #[serde(default)]
    pub adopted: bool,
}

/// An item of `GET /v1/events`, or the data of a message of the stream.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields of the public contract")]
pub struct Event {
    pub id: String,
    pub seq: i64,
    #[serde(rename = "type")]
    pub kind: String,
    pub subject: String,
    pub at: At,
    #[serde(default)]
    pub data: EventData,
}

/// The particulars of a job's move.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields of the public contract")]
pub struct EventData {
    #[serde(default)]
    pub queue: Option<String>,
    #[serde(default)]
    pub from: Option<String>,
    #[serde(default)]
    pub to: Option<String>,
}

impl Event {
    /// The state a job moved to, if this tells of such a move.
    #[must_use]
    pub fn moved_to(&self) -> Option<State> {
        self.kind.strip_prefix("job.").and_then(State::from_word)
    }
}
