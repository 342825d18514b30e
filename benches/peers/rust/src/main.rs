//! Measures one peer: `baton-peers PEER --jobs N --postgres URL`.
//!
//! Prints one JSON line per workload; what a peer logs goes to standard error.

mod apalis;
mod arguments;
mod database;
mod graphile;
mod job;
mod measure;
mod progress;

use std::env;
use std::process::exit;

use anyhow::{Result, bail};

use crate::arguments::Arguments;

#[tokio::main]
async fn main() -> Result<()> {
    let arguments = Arguments::read(env::args().skip(1))?;
    match arguments.peer.as_str() {
        "graphile-rs-batched" => graphile::measure(&arguments).await?,
        "apalis-pg-batched" => apalis::measure(&arguments).await?,
        other => bail!("`{other}` is not one of graphile-rs-batched, apalis-pg-batched"),
    }
    // Workers have no way to be stopped that both peers share; nothing is left for them to do.
    exit(0)
}
