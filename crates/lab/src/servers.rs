//! Private servers, real and empty, gone with this process.
//!
//! A PostgreSQL, three of them under Patroni, a MariaDB or MySQL, and a Redis to be hurt.
//!
//! Whatever is started here ends with the process that started it, however that ends, also when it is
//! killed; [`Home`] is how. Each server has a folder, a port and a log of its own.
//!
//! To add a server: give it a [`Home`], start it with its working directory in that home, and wait
//! until it answers. Its package goes into the list of `cargo xtask setup`.

mod home;
mod mysql;
mod owner;
mod patroni;
mod pgbouncer;
mod port;
mod postgres;
mod process;
mod redis;
mod sentinels;
mod wait;
mod wall;

pub use home::Home;
pub use mysql::{Brand, Confirms, Galera, Mysql, Replicated};
pub use patroni::{Moved, Patroni};
pub use pgbouncer::PgBouncer;
pub use port::free_port;
pub use postgres::{Database, Postgres};
pub use process::{last_words, log_to, signal};
pub use redis::{Redis, Reply, ask as ask_redis};
pub use sentinels::Sentinels;
pub use wait::until;
pub use wall::{Threads, WallClock};
