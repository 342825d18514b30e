//! The requests, responses and problems of the HTTP API, version 1.
//!
//! Server and client share these types, so each reads what the other writes. JSON is in `snake_case`;
//! ids carry a prefix; times are RFC 3339 in UTC; spans of time are texts such as `"30s"`. A request
//! with an unknown field is refused; a reader of responses ignores fields it does not know.
//!
//! To add a call: its request and response here, its route in the `api` crate, its method in the
//! `client` crate. To add a problem: a line in [`ProblemKind`] and a page in `docs/problems`.
#![warn(missing_docs)]

pub mod access;
pub mod audience;
pub mod audit;
pub mod campaign;
pub mod dead_letter;
pub mod dev;
pub mod event;
pub mod health;
pub mod inbox;
pub mod job;
pub mod node;
pub mod notification;
pub mod operation;
pub mod problem;
pub mod queue;
pub mod reason;
pub mod recipient;
pub mod remote;
pub mod schedule;
pub mod worker;

mod list;

pub use baton_domain::Json;
pub use list::{CursorQuery, List, PageQuery, check_limit};
pub use problem::{FieldError, Problem, ProblemKind};
