//! `baton operations`.

use baton_domain::OperationId;
use clap::Subcommand;

/// What can be asked of operations: what is done to many jobs at once, and erasures.
#[derive(Debug, Subcommand)]
pub enum OperationsCommand {
    /// List them, the newest first
    List {
        /// How many, 500 at most
        #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=500))]
        limit: u32,
    },
    /// Say how far one is
    Show {
        /// The operation
        id: OperationId,
    },
    /// Wait until one has ended
    Watch {
        /// The operation
        id: OperationId,
    },
    /// Stop one: what it has done stays done
    Stop {
        /// The operation
        id: OperationId,
    },
}
