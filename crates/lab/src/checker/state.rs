//! The states of a job, and the checker's own table of how it may move.

use serde::{Deserialize, Serialize};

/// Where a job is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words of the public contract")]
pub enum State {
    Pending,
    Queued,
    Running,
    RetryWait,
    Succeeded,
    Failed,
    Canceled,
    Skipped,
    Uncertain,
}

/// How an attempt ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words of the public contract")]
pub enum Outcome {
    Succeeded,
    Skipped,
    Failed,
    Lost,
    GivenBack,
    Snoozed,
    Throttled,
    Canceled,
    Uncertain,
}

/// Where a campaign is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words of the public contract")]
pub enum CampaignState {
    Scheduled,
    Expanding,
    Sending,
    Done,
    Stopped,
    Canceled,
}

use State as S;

impl State {
    /// The word for it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            S::Pending => "pending",
            S::Queued => "queued",
            S::Running => "running",
            S::RetryWait => "retry_wait",
            S::Succeeded => "succeeded",
            S::Failed => "failed",
            S::Canceled => "canceled",
            S::Skipped => "skipped",
            S::Uncertain => "uncertain",
        }
    }

    /// Reads the word.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        [
            S::Pending,
            S::Queued,
            S::Running,
            S::RetryWait,
            S::Succeeded,
            S::Failed,
            S::Canceled,
            S::Skipped,
            S::Uncertain,
        ]
        .into_iter()
        .find(|state| state.as_str() == word)
    }

    /// Whether only a person moves a job on from here.
    #[must_use]
    pub fn is_terminal(self) -> bool {
        !matches!(self, S::Pending | S::Queued | S::Running | S::RetryWait)
    }

    /// Whether a job may begin here.
    pub(super) fn is_beginning(self) -> bool {
        matches!(self, S::Pending | S::Queued)
    }

    /// Whether a job may move from here to there, a person's redrive included.
    pub(super) fn may_become(self, to: Self) -> bool {
        match self {
            // Released or run now; canceled; expired.
            S::Pending => matches!(to, S::Queued | S::Canceled | S::Failed),
            // The same, and a late success adopted.
            S::RetryWait => matches!(to, S::Queued | S::Canceled | S::Failed | S::Succeeded),
            // Claimed; canceled; expired; a late success adopted.
            S::Queued => matches!(to, S::Running | S::Canceled | S::Failed | S::Succeeded),
            S::Running => to != S::Running,
            S::Failed | S::Canceled | S::Skipped => to == S::Queued,
            S::Uncertain => matches!(to, S::Queued | S::Succeeded | S::Failed),
            S::Succeeded => false,
        }
    }
}
