//! The vocabulary of Baton as pure data and decisions.
//!
//! Nothing here reads a clock, opens a socket or awaits. Start with [`job::State`], whose table of
//! moves is the only source of a [`job::Transition`]; then [`job::NewJob`] for what a client asks,
//! [`job::Backoff`] for when to try again, [`event`] for the facts every move leaves behind. Who is
//! reached is a [`recipient`], which of them an [`audience`], what is said to them a [`message`], and
//! what is sent to a whole audience a [`campaign`]. What happens
//! again and again is a [`schedule`]. Who may ask for any of it stands in [`access`], and what they did in [`audit`].
#![warn(missing_docs)]

pub mod access;
pub mod audience;
pub mod audit;
pub mod campaign;
pub mod chance;
pub mod checkpoint;
pub mod content;
pub mod delivery;
pub mod duration;
pub mod entries;
pub mod erasure;
pub mod event;
pub mod fingerprint;
pub mod fleet;
pub mod globe;
mod hex;
pub mod id;
pub mod inbox;
pub mod job;
pub mod json;
pub mod lifecycle;
pub mod locale;
pub mod message;
pub mod node;
pub mod notification;
pub mod operation;
pub mod page;
pub mod queue;
pub mod reach;
pub mod recipient;
pub mod rollup;
pub mod schedule;
pub mod strict;
pub mod template;
pub mod time;
pub mod trace;
pub mod visible;
pub mod waits;
mod words;

pub use hex::hex;
pub use id::{
    AttemptId, AuditId, CampaignId, InboxItemId, JobId, KeyId, LeaseId, NotificationId,
    OperationId, ScheduleId, UserId, WorkerId,
};
pub use json::Json;
pub use lifecycle::Lifecycle;
#[cfg(feature = "stand-ins")]
pub use time::ManualClock;
pub use time::{Clock, Timestamp};
pub use trace::Trace;
