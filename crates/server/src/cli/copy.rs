//! The words of `baton copy`.

use clap::Args;

#[derive(Debug, Args)]
pub struct CopyArgs {
    /// The database to copy, which no server uses
    #[arg(long, value_name = "URL")]
    pub from: String,
    /// An empty database, or one that this copy has begun to fill
    #[arg(long, value_name = "URL")]
    #[arg(required_unless_present = "reopen", conflicts_with = "reopen")]
    pub to: Option<String>,
    /// Give the copy up: servers may start on the database again
    #[arg(long)]
    pub reopen: bool,
    /// Reopen a database all of which was copied. If its copy is ever served, both call and send the same
    #[arg(long, requires = "reopen")]
    pub force: bool,
    /// Connect to a database on another machine although nothing proves that it is the one, or that
    /// nobody listens
    #[arg(long, env = "BATON_ALLOW_UNVERIFIED_DATABASE")]
    pub allow_unverified_database: bool,
}
