//! Hints on Redis, which may vanish at any time.
//!
//! Everything that is read and written goes through a script that first compares the generation, so
//! that nobody offers to, or takes from, what is gone. What does not answer in time, or refuses, is
//! [away](baton_ports::hints::HintState::Away) after a second at most; then every call fails at once, and a prober looks
//! when it is well again.
//!
//! To add a command: write its script under `scripts/`, which begins where the prelude has compared
//! the generation, and a constant for it in `script.rs`.
//!
//! [`HintState::Away`]: baton_ports::hints::HintState::Away
#![warn(missing_docs)]

mod breaker;
mod call;
mod connection;
mod endpoint;
mod entry;
mod errors;
mod findings;
mod generations;
mod hints;
mod info;
mod keys;
mod offer;
mod options;
mod prober;
mod refusals;
mod script;
mod take;
mod taken;
mod telemetry;
mod view;
mod waiters;
mod wakeups;

pub use hints::RedisHints;
pub use options::{Options, UrlError};
pub use telemetry::describe;
