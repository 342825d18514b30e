//! Real servers that are killed, frozen and cut off while clients go on, and the journal for the judge.
//!
//! What the stories of the tests, `baton demo` and `baton faults` share: processes, clients, readers of the
//! feed, what a server says of its jobs. A [`run`] is all of it together, by chance. The judge is the
//! [lab's](baton_lab::checker) and links nothing from here.

mod clients;
pub mod evidence;
mod failure;
mod load;
#[cfg(unix)]
pub mod run;
mod server;
mod subscriber;

pub use evidence::now_us;
pub use failure::{Cause, Failure};
pub use load::{Counters, Load, Log, Mix};
pub use server::{Server, serve_command};
pub use subscriber::Subscriber;

use rand::{SeedableRng, rngs::StdRng};

/// Chance of its own for each part of a run.
#[must_use]
pub fn chance(seed: u64, part: u64) -> StdRng {
    StdRng::seed_from_u64(seed.wrapping_mul(1_000_003).wrapping_add(part))
}
