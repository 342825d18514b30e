//! The worker against the model store, in virtual time.

mod attempts;
mod claims;
mod leases;
mod recording;
mod spy;
mod stopping;
mod world;
