//! The audit log: who did what to what.

use std::{fmt, str::FromStr, sync::Arc};

use async_trait::async_trait;
use baton_domain::{
    AuditId, Timestamp,
    audit::{AuditEntry, AuditFilter},
    page::{BadCursor, Page, PageRequest},
};

use super::{Result, Store};

/// The audit log: who did what to what.
#[async_trait]
pub trait AuditLog: Send + Sync {
    /// The same store; whatever the next call to it changes, it writes this entry in the same transaction. A call that
    /// changes nothing (a lost race, a missing row, a key that is known) writes no entry. It is for one change; which calls it
    /// holds for stands in [`AUDITED`].
    fn audited(&self, entry: AuditEntry) -> Arc<dyn Store>;

    /// Writes entries of what changes nothing else: refusals, and reading about people.
    async fn append_audit(&self, entries: &[AuditEntry]) -> Result<()>;

    /// Entries, the newest first.
    async fn audit_entries(
        &self,
        filter: &AuditFilter,
        page: &PageRequest,
    ) -> Result<Page<AuditEntry>>;
}

/// Where a page of entries ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AuditCursor {
    /// When the last entry was written.
    pub at: Timestamp,
    /// Which it was, of those of that moment.
    pub id: AuditId,
}

impl AuditCursor {
    /// Behind this entry.
    #[must_use]
    pub const fn behind(last: &AuditEntry) -> Self {
        Self {
            at: last.at,
            id: last.id,
        }
    }
}

impl fmt::Display for AuditCursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.at.as_micros(), self.id)
    }
}

impl FromStr for AuditCursor {
    type Err = BadCursor;

    fn from_str(text: &str) -> std::result::Result<Self, BadCursor> {
        let (at, id) = text.split_once('.').ok_or(BadCursor)?;
        Ok(Self {
            at: Timestamp::from_micros(at.parse().map_err(|_| BadCursor)?),
            id: id.parse().map_err(|_| BadCursor)?,
        })
    }
}

/// The calls that write the entry of an [`audited`](AuditLog::audited) store.
pub const AUDITED: &[&str] = &[
    "enqueue",
    "transition",
    "request_cancel",
    "force_cancel",
    "change_queue",
    "drain_worker",
    "create_campaign",
    "command",
    "approve",
    "begin",
    "begin_erasure",
    "begin_on_jobs",
    "stop_operation",
    "put_recipients",
    "delete_recipient",
    "add_schedule",
    "change_schedule",
    "delete_schedule",
    "fire",
    "add_key",
    "rotate_key",
    "revoke_key",
    "add_user",
    "set_up",
    "change_user",
    "begin_session",
    "end_session",
    "end_sessions",
];
