//! For tests of handlers: without a server, and with a real one.

mod run;
mod server;

pub use run::{Attempted, Run, Step, run};
pub use server::{NoServer, Server, ServerOptions};
