//! What a test may ask for: a private PostgreSQL, a headless browser, a free port, a condition to
//! wait for.
//!
//! For tests only, and it knows none of our crates: it makes *empty* databases, the caller migrates
//! them. Whatever it starts ends with the test process, also when that is killed; [`home`] is how.
//!
//! To add a server: give it a [`Home`](home::Home), start it with its working directory in that
//! home, and wait until it answers. Its package goes into the list of `cargo xtask setup`.

mod browser;
mod home;
mod port;
mod postgres;
mod process;
mod wait;

pub use browser::Browser;
pub use port::free_port;
pub use postgres::{Database, Postgres};
pub use process::signal;
pub use wait::eventually;
