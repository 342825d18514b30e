//! What hurts Baton, and what judges it.
//!
//! - [`target`] plays the far end of a call: its answers are scripted by the URL, and it writes down
//!   what really arrived;
//! - [`proxy`] stands between a process and its database and breaks the line on demand;
//! - [`servers`] are a PostgreSQL and a Redis of our own, to be killed, frozen and wiped;
//! - [`checker`] compares what clients were told, what arrived, what the database says and what the
//!   event feed told, and names each broken invariant.
//!
//! Nothing here links any other crate of Baton. The lab knows the public HTTP and JSON contract and
//! nothing else, so that the judge cannot share a mistake with the accused.
#![warn(missing_docs)]

pub mod checker;
#[cfg(unix)]
pub mod proxy;
#[cfg(unix)]
pub mod servers;
pub mod target;

mod clock;
