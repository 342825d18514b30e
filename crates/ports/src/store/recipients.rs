//! Recipients: who is reached, and the walk over those an audience means.

use std::{collections::BTreeSet, ops::RangeInclusive};

use async_trait::async_trait;
use baton_domain::{
    Timestamp,
    audience::Audience,
    page::{Page, PageRequest},
    recipient::{Profile, Recipient},
};

use super::Result;

/// Recipients: who is reached, and the walk over those an audience means.
#[async_trait]
pub trait Recipients: Send + Sync {
    /// Writes recipients down as they are described now, in one transaction; no two have the same id.
    /// Answers in their order. What is known already is left as it is, to its last change.
    async fn put_recipients(
        &self,
        profiles: &[Profile],
        now: Timestamp,
    ) -> Result<Vec<UpsertOutcome>>;

    /// Those of these ids that there are, in no order.
    async fn find_recipients(&self, ids: &[String], urgency: Urgency) -> Result<Vec<Recipient>>;

    /// Those between these numbers that there are, in no order, as a part of bulk work.
    async fn recipients_between(&self, numbers: RangeInclusive<i64>) -> Result<Vec<Recipient>>;

    /// Everybody, the newest first.
    async fn recipients(&self, page: &PageRequest) -> Result<Page<Recipient>>;

    /// The ids from this one on, in their order, whether there is one that is just that or not.
    async fn recipient_ids(&self, from: &str, limit: u32) -> Result<Vec<String>>;

    /// Forgets a recipient. `false`: there is none.
    async fn delete_recipient(&self, id: &str) -> Result<bool>;

    /// Opts a recipient in to a topic or out of it. `false`: it is so already, there is no such
    /// recipient, or it has as many topics as it can have.
    async fn switch_topic(&self, id: &str, topic: &str, on: bool, now: Timestamp) -> Result<bool>;

    /// Takes an address that a provider called dead out of use. `false`: it is out of use already, or
    /// the channel has another one by now.
    async fn bury_address(
        &self,
        id: &str,
        channel: &str,
        address: &str,
        now: Timestamp,
    ) -> Result<bool>;

    /// The highest number given so far: whoever comes later has a higher one, and commits later.
    async fn joined(&self) -> Result<i64>;

    /// The next members of an audience after a number and up to another one, in the order of their
    /// numbers. A page looks at a bounded number of recipients, so it can be short, even empty, and
    /// yet have a next one.
    async fn members(&self, walk: &AudienceRange<'_>, limit: u32) -> Result<Members>;

    /// How many members an audience has up to this number, exactly.
    async fn count_members(&self, audience: &Audience, until: i64) -> Result<AudienceCount>;
}

/// Whether somebody waits for an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Urgency {
    /// For one or a few of whom somebody waits: goes before work in bulk.
    Interactive,
    /// For work in bulk, or for nobody in particular: gives way if it is for many.
    Bulk,
}

/// What became of a recipient that was written down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UpsertOutcome {
    /// It is new.
    Added,
    /// It was described differently before.
    Changed,
    /// It is as it was.
    Unchanged,
    /// It is being erased, and nothing was written: put again later, it is somebody new.
    Erasing,
}

impl UpsertOutcome {
    /// Whether anything was written.
    #[must_use]
    pub const fn has_changed(self) -> bool {
        matches!(self, Self::Added | Self::Changed)
    }
}

/// Where a walk over an audience goes on, and where it ends.
#[derive(Debug, Clone, Copy)]
pub struct AudienceRange<'a> {
    /// Whom it is about.
    pub audience: &'a Audience,
    /// The number it has come to.
    pub after: i64,
    /// The number it ends with, itself included.
    pub until: i64,
}

/// Some members of an audience.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Members {
    /// They.
    pub recipients: Vec<Recipient>,
    /// Where the walk goes on; `None` at its end.
    pub next: Option<i64>,
    /// The numbers of those in whose inboxes the message lies already.
    pub told: BTreeSet<i64>,
}

/// How many members an audience has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct AudienceCount {
    /// All of them.
    pub members: u64,
    /// Those to whom nothing is sent.
    pub disabled: u64,
}
