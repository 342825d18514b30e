//! A history in a few numbers, for people.

mod campaigns;

pub use campaigns::CampaignSummary;

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::{
    History,
    history::Posted,
    index::Index,
    repeats::{Why, why},
    state::{Outcome, State},
    wire::Attempt,
};
use crate::target::Arrival;

/// A history in a few numbers.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Summary {
    /// Jobs that were answered with an id.
    pub accepted: usize,
    /// Of them, those that succeeded.
    pub succeeded: usize,
    /// Of them, those whose attempts failed at least once and were followed by another.
    pub retried: usize,
    /// Attempts whose worker went silent and which were taken back.
    pub rescued: usize,
    /// Accepted jobs that failed for good, by their reason.
    pub dead: BTreeMap<String, usize>,
    /// Accepted jobs in any other state.
    pub other: BTreeMap<State, usize>,
    /// Calls that were made again although the earlier answer did not ask for it.
    pub duplicates: Vec<Duplicate>,
    /// Accepted jobs that do not exist.
    pub lost: Vec<String>,
    /// What campaigns did.
    pub campaigns: CampaignSummary,
}

/// A call that was made again although the earlier answer did not ask for it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Duplicate {
    /// The job.
    pub job_id: String,
    /// The idempotency key, by which the target can tell.
    pub key: String,
    /// The attempt that repeated it.
    pub attempt: u32,
    /// When, in microseconds since 1970.
    pub at_us: i64,
    /// Why.
    pub reason: String,
}

/// Sums a history up.
#[must_use]
pub fn summary(history: &History) -> Summary {
    let index = Index::new(history);
    let accepted: BTreeSet<_> = history
        .requests
        .iter()
        .filter_map(|request| match &request.answer {
            Posted::Ok { id, .. } => Some(&**id),
            _ => None,
        })
        .collect();
    let mut summary = Summary {
        accepted: accepted.len(),
        duplicates: duplicates(&index),
        campaigns: CampaignSummary::of(&index),
        ..Summary::default()
    };
    for id in accepted {
        match index.jobs.get(id) {
            None => summary.lost.push(id.to_owned()),
            Some(job) => {
                let reason = job.reason.as_deref();
                summary.count(job.state, reason, index.attempts(id));
            }
        }
    }
    summary
}

impl Summary {
    fn count(&mut self, state: State, reason: Option<&str>, attempts: &[&Attempt]) {
        match state {
            State::Succeeded => self.succeeded += 1,
            State::Failed => {
                let reason = reason.unwrap_or("unknown").to_owned();
                *self.dead.entry(reason).or_default() += 1;
            }
            other => *self.other.entry(other).or_default() += 1,
        }
        let has_retried = attempts
            .iter()
            .rev()
            .skip(1)
            .any(|one| matches!(one.outcome, Some(Outcome::Failed | Outcome::Throttled)));
        self.retried += usize::from(has_retried);
        let is_lost = |one: &&&Attempt| one.outcome == Some(Outcome::Lost);
        self.rescued += attempts.iter().filter(is_lost).count();
    }
}

fn duplicates(index: &Index<'_>) -> Vec<Duplicate> {
    let mut duplicates = Vec::new();
    for arrivals in index.by_key.values() {
        for pair in arrivals.windows(2) {
            if let Some(reason) = reason(index, pair[0], pair[1]) {
                duplicates.push(Duplicate {
                    job_id: pair[1].job_id.clone(),
                    key: pair[1].key.clone(),
                    attempt: pair[1].attempt,
                    at_us: pair[1].at_us,
                    reason,
                });
            }
        }
    }
    duplicates.sort_by_key(|one| one.at_us);
    duplicates
}

fn reason(index: &Index<'_>, earlier: &Arrival, later: &Arrival) -> Option<String> {
    Some(match why(index, earlier, later) {
        Why::Asked | Why::Redriven => return None,
        Why::Unanswered => "the answer to the earlier call never left the target".to_owned(),
        Why::Fault(_, fault) => format!(
            "{} came before the answer to the earlier call was recorded",
            fault.kind.as_str()
        ),
        Why::Nothing => "no reason is known".to_owned(),
    })
}
