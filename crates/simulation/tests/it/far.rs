//! Remote workers in virtual time: the worker and its source as they are, over the API of nodes in memory.
//!
//! A seed decides which calls are lost, before or after they have done something, who is killed, frozen, drained or
//! stopped, and what is canceled. [`rules`] judges what was written down.

mod bugs;
mod handlers;
mod rules;
mod scribe;
mod seeds;
mod transport;
mod workers;
mod world;
