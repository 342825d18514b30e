//! The audit log: entries by their time, written under the lock of the change itself.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use async_trait::async_trait;
use baton_domain::{
    AuditId, Timestamp,
    audit::{AuditEntry, AuditFilter},
    page::{Page, PageRequest},
};

use super::{MemoryStore, Tables, schedules::page_of};
use crate::store::{AuditCursor, AuditLog, Result, Store};

/// Entries, the oldest first.
pub(super) type Entries = BTreeMap<(Timestamp, AuditId), AuditEntry>;

#[async_trait]
impl AuditLog for MemoryStore {
    fn audited(&self, entry: AuditEntry) -> Arc<dyn Store> {
        Arc::new(Self {
            audit: Some(Arc::new(entry)),
            ..self.clone()
        })
    }

    async fn append_audit(&self, entries: &[AuditEntry]) -> Result<()> {
        let mut tables = self.tables();
        entries.iter().for_each(|entry| tables.append(entry));
        Ok(())
    }

    async fn audit_entries(
        &self,
        filter: &AuditFilter,
        page: &PageRequest,
    ) -> Result<Page<AuditEntry>> {
        let before = page.cursor::<AuditCursor>()?;
        let tables = self.tables();
        let newest_first = tables.entries.iter().rev();
        let older = newest_first.filter(|(place, entry)| {
            before.is_none_or(|before| **place < (before.at, before.id))
                && is_looked_for(entry, filter)
        });
        let shown = older.map(|(_, entry)| entry.clone());
        Ok(page_of(shown, page.limit, |last| {
            AuditCursor::behind(last).to_string()
        }))
    }
}

impl MemoryStore {
    /// Writes the entry of an audited store, if the call has changed anything.
    pub(super) fn put_down(&self, tables: &mut Tables, has_changed: bool) {
        if let Some(entry) = self.audit.as_deref().filter(|_| has_changed) {
            tables.append(entry);
        }
    }
}

impl Tables {
    /// An entry that is here already comes from a call whose answer was lost.
    fn append(&mut self, entry: &AuditEntry) {
        let place = self.entries.entry((entry.at, entry.id));
        place.or_insert_with(|| entry.clone());
    }

    pub(super) fn prune_audit(&mut self, kept: Duration, limit: usize, now: Timestamp) -> u32 {
        let old = self.entries.range(..(now - kept, LOWEST));
        let old: Vec<_> = old.map(|(place, _)| *place).take(limit).collect();
        for place in &old {
            self.entries.remove(place);
        }
        old.len() as u32
    }
}

/// No entry has a lower id.
const LOWEST: AuditId = AuditId::from_uuid(uuid::Uuid::nil());

fn is_looked_for(entry: &AuditEntry, filter: &AuditFilter) -> bool {
    let by = filter.principal.as_ref();
    let to = filter.object.as_ref();
    by.is_none_or(|by| *by == entry.principal)
        && filter.action.is_none_or(|action| action == entry.action)
        && to.is_none_or(|to| *to == entry.object)
        && filter.since.is_none_or(|since| entry.at >= since)
        && filter.until.is_none_or(|until| entry.at < until)
}
