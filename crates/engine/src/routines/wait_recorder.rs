//! The wait recorder writes down how long the jobs waited that this process has claimed.

use std::time::Duration;

use async_trait::async_trait;
use baton_ports::store;

use super::Tools;
use crate::{Next, Routine, routine::about};

/// How old what pictures show can be, and how much of it is lost with a process that is killed.
const PAUSE: Duration = Duration::from_secs(10);

/// Writes down how long jobs waited.
pub struct WaitRecorder {
    /// What it works with.
    pub tools: Tools,
}

#[async_trait]
impl Routine for WaitRecorder {
    about!("wait-recorder": "writes down how long jobs waited, for the pictures");

    async fn turn(&mut self) -> store::Result<Next> {
        self.tools.store.write_waits().await?;
        Ok(Next::After(PAUSE))
    }
}
