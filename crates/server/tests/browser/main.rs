//! The live pages as an operator has them: a real server, a real browser, real jobs.
#![expect(clippy::unwrap_used, reason = "in a test a panic is the report")]

mod access;
mod accessibility;
mod buttons;
mod campaigns;
mod compose;
mod dead_letters;
mod language;
mod live;
mod oidc;
mod page;
mod palette;
mod questions;
mod quiet;
mod roles;
mod schedules;
mod server;
mod timeline;
mod walks;
