//! A run of `baton faults`: a whole fleet is hurt by chance, one victim beside the other.
//!
//! To add a scenario: a variant of [`Scenario`] with its name and its victim, and what it does in the
//! file of its victim under `nemesis`.

mod address;
mod campaigns;
mod clocks;
mod crew;
mod database;
pub mod deck;
pub mod ends;
mod journal;
pub mod nemesis;
mod node;
mod options;
mod recording;
mod redis;
mod remote;
mod scenario;
mod stage;
mod tally;
mod versions;

pub use address::Address;
pub use campaigns::Campaigns;
pub use journal::{Journal, Whom};
pub use options::Options;
pub use recording::Recording;
pub use remote::{Walkers, program};
pub use scenario::Scenario;
pub use stage::LabInstallation;
pub use tally::{Count, Tally};
