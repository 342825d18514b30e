//! placeholder
use crate::{cli::DemoArgs, exit::{Exit, Failure}, output::Output};
pub async fn run(_args: DemoArgs, _output: &Output) -> Result<Exit, Failure> { Ok(Exit::Ok) }
