//! How fast a campaign goes, until when, and what keeps it from going faster.

use std::{fmt, time::Duration};

use super::{Campaign, SendAt, State};
use crate::{CampaignId, Timestamp, job};

/// What keeps a campaign from going faster.
#[derive(Debug, Clone, PartialEq)]
pub enum Limit {
    /// Its time has not come.
    Time(Timestamp),
    /// Another campaign of its lane is walked.
    Lane(CampaignId),
    /// Nobody has approved it yet.
    Approval,
    /// Somebody stopped it.
    Stopped,
    /// Its audience is still walked.
    Walk,
    /// Its deliveries are written, and due later.
    Due,
    /// Its rate.
    Rate(f64),
    /// Deliveries wait for free workers.
    Workers,
    /// What is left failed, and waits to be tried again.
    Retries,
    /// Nothing: the last calls are under way, or there is nothing left.
    Nothing,
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Time(at) => write!(f, "begins at {at}"),
            Self::Lane(other) => write!(f, "waits for {other}, which is ahead of it in its lane"),
            Self::Approval => f.write_str("waits for a second person to approve it"),
            Self::Stopped => f.write_str("stopped"),
            Self::Walk => f.write_str("the audience is still walked"),
            Self::Due => f.write_str("written ahead, and not due yet"),
            Self::Rate(rate) => write!(f, "its rate of {rate} a second"),
            Self::Workers => f.write_str("workers: deliveries wait for free slots"),
            Self::Retries => f.write_str("retries: what is left waits for its next attempt"),
            Self::Nothing => f.write_str("nothing"),
        }
    }
}

impl Campaign {
    /// What keeps it from going faster now.
    #[must_use]
    pub fn limit(&self, now: Timestamp) -> Limit {
        let count = |state| self.counts.of(state);
        match self.state {
            State::Stopped if self.awaits_approval() => Limit::Approval,
            State::Stopped => Limit::Stopped,
            State::Done | State::Canceled => Limit::Nothing,
            State::Scheduled => match self.waits_for {
                Some(other) => Limit::Lane(other),
                None if self.start_at > now => Limit::Time(self.start_at),
                None => Limit::Walk,
            },
            _ if count(job::State::Queued) > 0 => self.rate.map_or(Limit::Workers, Limit::Rate),
            State::Expanding => Limit::Walk,
            _ if count(job::State::Pending) > 0 && self.is_ahead(now) => Limit::Due,
            _ if count(job::State::RetryWait) + count(job::State::Pending) > 0 => Limit::Retries,
            State::Sending => Limit::Nothing,
        }
    }

    fn is_ahead(&self, now: Timestamp) -> bool {
        match &self.plan.send_at {
            SendAt::Now => false,
            SendAt::At(at) => *at > now,
            SendAt::Local { .. } => true,
        }
    }

    /// How many deliveries are still to come to an end, as far as is known.
    #[must_use]
    pub fn remaining(&self) -> u64 {
        let unwalked = self.expected.unwrap_or(0).saturating_sub(self.expanded);
        let unwalked = if self.is_complete() { 0 } else { unwalked };
        self.counts.live() + unwalked
    }

    /// How long it has been going on, on the clock.
    #[must_use]
    pub fn ran(&self, now: Timestamp) -> Duration {
        self.began_at
            .map_or(Duration::ZERO, |began| now.since(began))
    }

    /// How long it takes to its end at the speed of the last minute, if that can be said.
    #[must_use]
    pub fn eta(&self) -> Option<Duration> {
        let moves = matches!(self.state, State::Expanding | State::Sending);
        let is_known =
            moves && self.per_second > 0.0 && (self.is_complete() || self.expected.is_some());
        is_known.then(|| Duration::from_secs_f64(self.remaining() as f64 / self.per_second))
    }
}
