//! The ports: what the engine asks of the world.
//!
//! A [`store`] keeps promises, a [`work_source`] is what a worker asks of one, or of a server far away, [`wakeups`] are for whoever waits, [`hints`] lead to what can be claimed, [`handler`]s do the work, a
//! [`local_dispatch`] is where the local worker takes it at once, [`campaign_snapshots`] say what campaigns say, an [`identity_provider`] says
//! who signs in, [`spans`] tell a collector of traces. What a store refuses
//! of a batch is found by [`bisect`], and left alone for a while, [`quarantine`]. A [`layer`] goes over any store. What tests have
//! instead of the world stands behind the feature `stand-ins`: the model of a store (`memory`), a connection that fails (`faulty`).
//!
//! To add a method to the store: write its sentence in the trait under `store/`, its line in the table of
//! `layer`, its promise, the model in `memory`, then the statements of the `sql` crate.
#![warn(missing_docs)]

pub mod bisect;
pub mod campaign_snapshots;
pub mod checkpoints;
#[cfg(feature = "stand-ins")]
pub mod faulty;
pub mod findings;
pub mod handler;
pub mod hints;
pub mod identity_provider;
mod job_rules;
pub mod labels;
pub mod layer;
pub mod local_dispatch;
#[cfg(feature = "stand-ins")]
pub mod memory;
#[cfg(feature = "promises")]
pub mod promises;
pub mod quarantine;
pub mod spans;
pub mod store;
pub mod wakeups;
pub mod watchdog;
pub mod work_source;

pub use campaign_snapshots::{CampaignSnapshot, CampaignSnapshots};
pub use checkpoints::Checkpoints;
#[cfg(feature = "stand-ins")]
pub use faulty::Faulty;
pub use findings::Findings;
pub use handler::{Call, ChildJob, Handler, Prepared};
pub use hints::{Hint, Hints};
pub use identity_provider::IdentityProvider;
pub use job_rules::JobRules;
pub use layer::Layer;
pub use local_dispatch::{LocalDispatch, SlotReservation};
#[cfg(feature = "stand-ins")]
pub use memory::MemoryStore;
pub use spans::{Origin, Span, SpanKind, SpanSink, Tracer};
pub use store::Store;
pub use wakeups::{Wakeup, Wakeups};
pub use watchdog::{Death, Watchdog};
pub use work_source::{StoreSource, WorkSource};
