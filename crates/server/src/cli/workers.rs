//! `baton workers`.

use baton_domain::WorkerId;
use clap::Subcommand;

/// What can be asked of workers.
#[derive(Debug, Subcommand)]
pub enum WorkersCommand {
    /// List them
    List,
    /// Have one take nothing new, and finish what it has
    Drain {
        /// The worker
        id: WorkerId,
        /// Have it go on
        #[arg(long)]
        undo: bool,
    },
}
