//! The audit log: the entry of an audited call joins the transaction of its change here, and nowhere else.

use std::sync::Arc;

use async_trait::async_trait;
use baton_domain::{
    AuditId, Timestamp,
    audit::{AuditAction, AuditEntry, AuditFilter},
    page::{Page, PageRequest},
};
use baton_ports::store::{AuditCursor, AuditLog, Result, Store};
use serde_json::Value as Json;
use uuid::Uuid;

use super::SqlStore;
use crate::{
    kernel::{ConnectionPool, Unit},
    row::{Row, Rows},
    statement::{self as sql, Script},
    value::{Params, Value, params},
};

#[async_trait]
impl AuditLog for SqlStore {
    fn audited(&self, entry: AuditEntry) -> Arc<dyn Store> {
        Arc::new(Self {
            audit: Some(Arc::new(entry)),
            ..self.clone()
        })
    }

    async fn append_audit(&self, entries: &[AuditEntry]) -> Result<()> {
        if entries.is_empty() {
            return Ok(());
        }
        let scripts = entries.iter().map(appending).collect();
        let unit = Unit {
            scripts,
            keep: None,
        };
        self.kernel.transact(ConnectionPool::Front, unit).await?;
        entries.iter().for_each(count);
        Ok(())
    }

    async fn audit_entries(
        &self,
        filter: &AuditFilter,
        page: &PageRequest,
    ) -> Result<Page<AuditEntry>> {
        let params = looked_for(filter, page)?;
        let rows = self.read(by_index(filter), params).await?;
        // A newer program may have written words that are not known here: the walk goes on behind them.
        let cursor = |row: &Row| {
            let mut cells = row.clone().cells("audit_log");
            let id = AuditId::from_uuid(cells.uuid("id")?);
            let at = cells.time("at")?;
            Ok(AuditCursor { at, id }.to_string())
        };
        Ok(self.page("audit_log", rows, page.limit, entry, cursor))
    }
}

impl SqlStore {
    /// Runs what an audited call does. Its entry is written in the same transaction, and all is taken back if the rows tell that
    /// nothing has changed. Without an entry this is what any other call does.
    pub(super) async fn transact_audited(
        &self,
        mut unit: Unit,
        has_changed: impl Fn(&[Rows]) -> bool + Send + Sync + 'static,
    ) -> Result<Vec<Rows>> {
        let Some(entry) = &self.audit else {
            return self.kernel.transact(ConnectionPool::Front, unit).await;
        };
        unit.scripts.push(appending(entry));
        let keep = unit.keep.take();
        let stands = Arc::new(move |rows: &[Rows]| {
            keep.as_ref().is_none_or(|keep| keep(rows)) && has_changed(rows)
        });
        let decides = Arc::clone(&stands);
        unit.keep = Some(Box::new(move |rows| decides(rows)));
        let rows = self.kernel.transact(ConnectionPool::Front, unit).await?;
        if stands(&rows) {
            count(entry);
        }
        Ok(rows)
    }

    /// As [`transact_audited`](Self::transact_audited), of scripts that stand if their rows say so; whether they do.
    pub(super) async fn audited_if(
        &self,
        scripts: Vec<(&'static Script, Params)>,
        stands: fn(&[Rows]) -> bool,
    ) -> Result<bool> {
        let unit = Unit {
            scripts,
            keep: Some(Box::new(stands)),
        };
        Ok(stands(&self.transact_audited(unit, |_| true).await?))
    }

    /// As [`transact_audited`](Self::transact_audited), of one script.
    pub(super) async fn operate_audited(
        &self,
        script: &'static Script,
        params: Params,
        has_changed: impl Fn(&Rows) -> bool + Send + Sync + 'static,
    ) -> Result<Rows> {
        let has_changed = move |rows: &[Rows]| rows.first().is_some_and(&has_changed);
        let unit = Unit::of(script, params);
        let rows = self.transact_audited(unit, has_changed).await?;
        Ok(rows.into_iter().next().unwrap_or_default())
    }

    /// The same unit with the entry of an audited call, if its first script tells that it has added anything; all is taken back if not.
    /// What its last script tells is still the last.
    pub(super) fn with_entry(&self, mut unit: Unit) -> Unit {
        let Some(entry) = &self.audit else {
            return unit;
        };
        unit.scripts.insert(1, appending(entry));
        let keep = unit.keep.take();
        unit.keep = Some(Box::new(move |rows| {
            let has_added = rows.first().is_some_and(|rows| says_so(rows, 0));
            has_added && keep.as_ref().is_none_or(|keep| keep(rows))
        }));
        unit
    }
}

/// Whether a script that tells what it has changed tells of anything.
pub(super) fn has_rows(rows: &Rows) -> bool {
    !rows.is_empty()
}

/// Whether the script at this place tells of anything.
pub(super) fn has_row(rows: &[Rows], script: usize) -> bool {
    rows.get(script).is_some_and(has_rows)
}

/// Whether a script says in this cell that it has changed what it tells of.
pub(super) fn says_so(rows: &Rows, cell: usize) -> bool {
    let said = rows.first().and_then(|row| row.0.get(cell));
    matches!(said, Some(Value::Int(truth)) if *truth != 0)
}

/// Counts an entry that is written.
fn count(entry: &AuditEntry) {
    let outcome = match entry.action {
        AuditAction::Denied => "refused",
        _ => "done",
    };
    metrics::counter!("baton_audit_events_total", "action" => entry.action.as_str(), "outcome" => outcome)
        .increment(1);
}

/// What writes an entry.
fn appending(entry: &AuditEntry) -> (&'static Script, Params) {
    let text = |value: &Option<Json>| value.as_ref().map(ToString::to_string);
    let count = entry.count.map(|n| i64::try_from(n).unwrap_or(i64::MAX));
    let params = params! {
        at: entry.at, id: entry.id.uuid(), principal: entry.principal.to_string(), name: entry.name.clone(),
        action: entry.action.as_str(), object: entry.object.clone(), was: text(&entry.before), to_be: text(&entry.after),
        reason: entry.reason.clone(), n: count, request_id: entry.request_id.clone(),
    };
    (&sql::audit_log::APPEND, params)
}

/// The script that walks by the index that is most to the point.
const fn by_index(filter: &AuditFilter) -> &'static Script {
    match filter {
        AuditFilter {
            object: Some(_), ..
        } => &sql::audit_log::ENTRIES_ABOUT,
        AuditFilter {
            principal: Some(_), ..
        } => &sql::audit_log::ENTRIES_BY,
        AuditFilter {
            action: Some(_), ..
        } => &sql::audit_log::ENTRIES_OF,
        _ => &sql::audit_log::ENTRIES,
    }
}

fn looked_for(filter: &AuditFilter, page: &PageRequest) -> Result<Params> {
    let beyond = filter.until.map_or(i64::MAX, Timestamp::as_micros);
    let last = Timestamp::from_micros(beyond.saturating_sub(1));
    let cursor = page.cursor::<AuditCursor>()?;
    // Entries are walked from here on back: this moment, and of it those before this id.
    let (until, before) = match cursor.filter(|cursor| cursor.at <= last) {
        Some(cursor) => (cursor.at, cursor.id.uuid()),
        None => (last, Uuid::max()),
    };
    Ok(params! {
        since: filter.since.unwrap_or(Timestamp::from_micros(i64::MIN)), until: until, before: before,
        principal: filter.principal.as_ref().map(ToString::to_string), action: filter.action.map(AuditAction::as_str),
        object: filter.object.clone(), limit: page.limit + 1,
    })
}

fn entry(row: Row) -> Result<AuditEntry> {
    let mut cells = row.cells("audit_log");
    let cells = &mut cells;
    Ok(AuditEntry {
        id: AuditId::from_uuid(cells.uuid("id")?),
        at: cells.time("at")?,
        principal: cells.word("principal")?,
        name: cells.text("name")?,
        action: cells.word("action")?,
        object: cells.text("object")?,
        before: cells.maybe_json("was")?,
        after: cells.maybe_json("to_be")?,
        reason: cells.maybe_text("reason")?,
        count: cells.maybe_count("n")?,
        request_id: cells.maybe_text("request_id")?,
    })
}
