//! A server far away as a worker's source of jobs, over HTTP.
//!
//! A [`RemoteSource`] is what the worker of a server has in its store: the same loops claim, renew and settle over it, by the
//! calls of [`baton_protocol::remote`]. A claim waits at the server until there is something. Beside the worker's calls a beat
//! waits for news, so that a wish to stop a job arrives at once; while there is nothing to do, the claim does that too. The right to each attempt, its token, stays in here.
//!
//! To teach it another call: its method in `client`, then where it belongs: [`claims`], [`results`], [`beats`], [`cursors`].
#![warn(missing_docs)]

mod answers;
mod beats;
mod claims;
mod cover;
mod cursors;
mod held;
mod results;
mod run_limit;
mod session;
mod source;

pub use run_limit::Until;
pub use source::RemoteSource;
