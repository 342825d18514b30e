//! What is true: the vocabulary of Baton as pure data and decisions.
//!
//! Nothing here reads a clock, opens a socket or awaits. Start with [`job::State`], whose table of
//! moves is the only source of a [`job::Transition`]; then [`job::NewJob`] for what a client asks,
//! [`job::Backoff`] for when to try again, [`event`] for the facts every move leaves behind. Who is
//! reached is a [`recipient`], and which of them an [`audience`]. What happens again and again is a
//! [`schedule`].
#![warn(missing_docs)]

pub mod audience;
pub mod chance;
pub mod duration;
pub mod event;
pub mod fingerprint;
pub mod fleet;
pub mod globe;
pub mod id;
pub mod job;
pub mod operation;
pub mod page;
pub mod queue;
pub mod recipient;
pub mod schedule;
pub mod time;

pub use id::{AttemptId, JobId, LeaseId, OperationId, ScheduleId, WorkerId};
pub use time::{Clock, ManualClock, Timestamp};
