//! What `baton faults` takes.

use std::path::PathBuf;

use baton_faults::run::Options;
use clap::Args;

/// Hurts a fleet of real servers in every way there is, and judges what comes of it.
///
/// Starts a private PostgreSQL, or MariaDB, and Redis, servers of this program, and clients; kills, freezes, wipes and
/// cuts them; waits until all has come to rest; then compares what clients were told, what the target of
/// the calls received, what the database says and what the event feed told.
#[derive(Debug, Args)]
#[command(
    after_help = "Exit code 0: every invariant held. 1: one is broken, or a goal was not reached; the \
history is then kept, and `baton faults --judge FILE` judges it again. The seed repeats what is drawn, \
not how the machine's processes fall in with it."
)]
pub struct FaultsArgs {
    #[command(flatten)]
    pub options: Options,
    /// Write the history here in any case [default: only when an invariant is broken]
    #[arg(long, value_name = "FILE")]
    pub history: Option<PathBuf>,
    /// Judge a history that an earlier run has left, and do nothing else
    #[arg(long, value_name = "FILE")]
    pub judge: Option<PathBuf>,
}
