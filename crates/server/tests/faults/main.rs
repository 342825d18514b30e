//! Real processes and real databases, hurt in every way the design promises to bear, and judged.
//!
//! Each story has a fixture of its own: a target, a database, processes of the real binary. Clients ask
//! for work without a pause while the faults happen; afterwards everything heals, and `baton_lab`'s
//! checker compares what the clients were told, what the target received, what the database says and
//! what the feed told. A fault waits for its moment ("the target has seen 80 more calls"), never for
//! a while. `FAULTS_SEED` repeats the chances of a story that failed; its logs and its history stay where
//! it says, and with `FAULTS_KEEP` those of all stories do.
//!
//! How most starts are refused (a taken port, a folder that cannot be written, an old schema, a database
//! that is down) is told in `tests/it`; a URL that names no database is refused here.
//!
//! Processes, clients, subscribers and the journal are `baton_faults`'s, which `baton faults` runs on as well.
//!
//! To add a story: a file of its own that builds a `Fixture`, starts processes and a `Load`, does harm,
//! notes it in the `Journal`, and ends with `Fixture::judge`.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod brands;
mod fixture;
mod history;

mod away;
mod calm;
mod campaign;
mod commit;
mod database;
mod fleet;
mod pause;
mod redis;
mod replica;
mod server;
mod shutdown;
mod start;
mod walk;
mod worker;
