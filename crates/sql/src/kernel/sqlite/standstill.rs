//! Whether anything can be written: somebody else may hold the database for long, and reading goes on beside that.

use std::{sync::Arc, time::Duration};

use baton_ports::store::{Error, Result};
use parking_lot::Mutex;
use tokio::time::Instant;

/// How long nothing may be written before that is told. SQLite waits ten seconds for who holds the database.
const LONG: Duration = Duration::from_secs(5);

/// Since when what is tried to be written does not come through.
#[derive(Debug, Clone, Default)]
pub struct Standstill(Arc<Mutex<Option<Instant>>>);

impl Standstill {
    /// Takes note that something is tried.
    pub fn begin(&self) {
        self.0.lock().get_or_insert_with(Instant::now);
    }

    /// Takes note of what became of it.
    pub fn end<T>(&self, answers: &[Result<T>]) {
        let is_through = |answer: &Result<T>| {
            !matches!(answer, Err(Error::Unavailable(_) | Error::Unconfirmed(_)))
        };
        if answers.iter().any(is_through) {
            *self.0.lock() = None;
        }
    }

    /// An error where nothing has come through for long.
    pub fn check(&self) -> Result<()> {
        match *self.0.lock() {
            Some(since) if since.elapsed() > LONG => Err(Error::Unavailable(format!(
                "nothing could be written for {} s: does another program hold the database, such as a shell with an open transaction?",
                since.elapsed().as_secs()
            ))),
            _ => Ok(()),
        }
    }
}
