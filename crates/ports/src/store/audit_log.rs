//! The audit log: who did what to what.

use std::sync::Arc;

use async_trait::async_trait;
use baton_domain::{
    audit::{AuditEntry, AuditFilter},
    page::{Page, PageRequest},
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

/// The calls that write the entry of an [`audited`](AuditLog::audited) store.
pub const AUDITED: &[&str] = &[
    "transition",
    "request_cancel",
    "force_cancel",
    "change_queue",
    "create_campaign",
    "command",
    "begin",
    "begin_erasure",
    "put_recipients",
    "delete_recipient",
    "add_schedule",
    "change_schedule",
    "delete_schedule",
    "fire",
    "add_key",
    "revoke_key",
    "add_user",
    "set_up",
    "change_user",
    "begin_session",
    "end_session",
    "end_sessions",
];
