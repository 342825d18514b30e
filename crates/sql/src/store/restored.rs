//! What is done with a database that was put back from a copy.

use baton_domain::Timestamp;
use baton_ports::store::{Error, Result};

use super::SqlStore;
use crate::{
    kernel::{Lane, Unit},
    statement::{RESTORE_BEGIN_EPOCH, RESTORE_FORGET_HOLDERS, RESTORE_HOLD},
    value::params,
};

impl SqlStore {
    /// Begins another history of events, as this database was put back from a copy: whoever followed the
    /// former one is told so. Forgets who worked on it, and the generation of hints. Says the new epoch.
    ///
    /// # Errors
    /// When the database refuses, or does not answer.
    pub async fn begin_anew_after_restore(&self) -> Result<i64> {
        let scripts = vec![
            (&RESTORE_FORGET_HOLDERS, params! {}),
            (&RESTORE_BEGIN_EPOCH, params! {}),
        ];
        let unit = Unit {
            scripts,
            keep: None,
        };
        let mut rows = self.kernel.transact(Lane::Front, unit).await?;
        let row = rows.pop().and_then(|rows| rows.into_iter().next());
        row.ok_or_else(|| Error::Refused("the stream of events is missing".to_owned()))?
            .cells("stream")
            .int("epoch")
    }

    /// Pauses every queue.
    ///
    /// # Errors
    /// When the database refuses, or does not answer.
    pub async fn hold(&self, now: Timestamp) -> Result<()> {
        let held = self.operate(&RESTORE_HOLD, params! { now: now }).await;
        held.map(drop)
    }
}
