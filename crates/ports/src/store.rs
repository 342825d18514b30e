//! The store: where promises are kept.
//!
//! A method is one atomic intention; no transaction is handed out. A lost race is an outcome, not an
//! error. `now` is always an argument. What every store must do is written once, as promises.

mod access;
mod audit_log;
mod campaigns;
mod dead_letters;
mod erasures;
mod error;
mod events;
mod fleet;
mod hinting;
mod inbox;
mod jobs;
mod nodes;
mod notifications;
mod operations;
mod queues;
mod recipients;
mod rollups;
mod schedules;
mod staging;
mod upkeep;
mod work;

pub use baton_domain::job::JobArgs;

pub use access::{Access, SignInAttempt, UserChanged};
pub use audit_log::{AUDITED, AuditCursor, AuditLog};
pub use campaigns::{
    AWAITS_APPROVAL, Approving, CampaignMove, Campaigns, Chunk, Created, Unreached, UnreachedCount,
};
pub use dead_letters::DeadLetters;
pub use erasures::{Erasing, Erasures};
pub use error::{Error, Result};
pub use events::{EventBounds, EventFilter, Events, NewEvent, Sequenced};
pub use fleet::{Fleet, Wish};
pub use hinting::{Claimable, Generation, Hinting, Turn};
pub use inbox::{Inbox, NewItem, NewItems, Reading};
pub use jobs::{Atomicity, Counted, Enqueued, Forgotten, JobFilter, Jobs, UnclaimedTransition};
pub use nodes::Nodes;
pub use notifications::{Dispatch, Notifications, Notified};
pub use operations::{JobAct, JobsStep, Operations};
pub use queues::{Queues, ReadyQueue};
pub use recipients::{AudienceCount, AudienceRange, Members, Recipients, UpsertOutcome, Urgency};
pub use rollups::{RollupRequest, Rollups};
pub use schedules::{
    DueSchedules, Fired, Firing, Named, Passing, ScheduleChange, ScheduledWork, Schedules, Turning,
    schedule_data,
};
pub use staging::{StagedJob, Staging};
pub use upkeep::{
    Backlog, Drift, Durability, Finding, Outstanding, Pruned, Retention, Schema, Unreadable, Upkeep,
};
pub use work::{
    AttemptResult, BEHIND, By, CheckpointOutcome, CheckpointStep, Claim, Claimed, HeldJob,
    InlineStart, InlineStarted, LATE, LeaseView, ProgressReport, QueueClaim, Released, Renewed,
    SettleOutcome, Work,
};

/// Everything a store does, as one object.
pub trait Store:
    Jobs
    + Work
    + DeadLetters
    + Operations
    + Queues
    + Recipients
    + Erasures
    + Campaigns
    + Inbox
    + Notifications
    + Schedules
    + Staging
    + Fleet
    + Nodes
    + Events
    + Hinting
    + Access
    + AuditLog
    + Rollups
    + Upkeep
    + 'static
{
}

impl<
    T: Jobs
        + Work
        + DeadLetters
        + Operations
        + Queues
        + Recipients
        + Erasures
        + Campaigns
        + Inbox
        + Notifications
        + Schedules
        + Staging
        + Fleet
        + Nodes
        + Events
        + Hinting
        + Access
        + AuditLog
        + Rollups
        + Upkeep
        + 'static,
> Store for T
{
}
