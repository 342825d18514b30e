//! The handlers against small servers that behave as badly as the real ones.
#![allow(clippy::unwrap_used, reason = "a test that fails is to panic")]

mod bench;
mod cancel;
mod check;
mod connections;
mod delivery;
mod departure;
mod destination;
mod doubt;
mod names;
mod neighbours;
mod oidc;
mod policy;
mod provider;
mod reading;
mod request;
mod simulate;
mod target;
mod trust;
mod verdict;
mod walk;
