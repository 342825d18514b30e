//! The audit log: look at it, and write down what changes nothing else.

use std::time::{Duration, Instant};

use baton_domain::{
    access::Permission,
    audit::{AuditAction, AuditEntry, AuditFilter},
    page::{Page, PageRequest},
};
use parking_lot::Mutex;
use serde_json::Value;

use crate::{Caller, Result, caller::Particulars};

/// How many refusals a node writes down in a minute; of the others it tells how many there were.
const DENIALS: u32 = 60;
const MINUTE: Duration = Duration::from_mins(1);

/// How many refusals this node has written down lately: whoever knocks often does not fill the log.
#[derive(Default)]
pub struct Denials(Mutex<Option<Lately>>);

struct Lately {
    since: Instant,
    written: u32,
    passed_over: u64,
}

impl Denials {
    /// Whether one more is written down, and how many were not since the last one that was.
    fn admit(&self) -> Option<u64> {
        let mut lately = self.0.lock();
        let lately = lately.get_or_insert_with(|| Lately {
            since: Instant::now(),
            written: 0,
            passed_over: 0,
        });
        if lately.since.elapsed() >= MINUTE {
            (lately.since, lately.written) = (Instant::now(), 0);
        }
        if lately.written >= DENIALS {
            lately.passed_over += 1;
            return None;
        }
        lately.written += 1;
        Some(std::mem::take(&mut lately.passed_over))
    }
}

impl Caller {
    /// Entries of the audit log, the newest first.
    pub async fn audit_entries(
        &self,
        filter: &AuditFilter,
        page: &PageRequest,
    ) -> Result<Page<AuditEntry>> {
        self.needs(Permission::AuditRead)?;
        Ok(self.store().audit_entries(filter, page).await?)
    }

    /// Writes down that the log was exported.
    pub async fn note_audit_export(&self, filter: &AuditFilter) -> Result<()> {
        self.needs(Permission::AuditRead)?;
        let particulars = Particulars {
            after: serde_json::to_value(filter).ok(),
            ..Particulars::default()
        };
        let entry = self.entry(AuditAction::AuditExport, "audit log", particulars);
        Ok(self.store().append_audit(&[entry]).await?)
    }

    /// Writes down that something was refused; whoever asked hears no other answer if that fails.
    pub async fn note_denial(&self, object: String, why: &str, after: Option<Value>) {
        let Some(passed_over) = self.inner.denials.admit() else {
            return;
        };
        let particulars = Particulars {
            after,
            reason: Some(why.to_owned()),
            count: Some(passed_over + 1).filter(|count| *count > 1),
            ..Particulars::default()
        };
        let entry = self.entry(AuditAction::Denied, object, particulars);
        if let Err(error) = self.inner.store.append_audit(&[entry]).await {
            tracing::warn!(%error, "a refusal could not be written to the audit log");
        }
    }

    /// Writes down that somebody looked at people. Programs are not watched at it: what they read is theirs to show.
    pub(crate) async fn note_reading(&self, object: String, count: Option<u64>) -> Result<()> {
        use baton_domain::access::Principal;
        if !matches!(self.actor().principal, Principal::User(_)) {
            return Ok(());
        }
        let particulars = Particulars {
            count,
            ..Particulars::default()
        };
        let entry = self.entry(AuditAction::RecipientRead, object, particulars);
        Ok(self.store().append_audit(&[entry]).await?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_knocks_often_does_not_fill_the_log() {
        let denials = Denials::default();

        let written = (0..1_000).filter_map(|_| denials.admit()).count();

        assert_eq!(written, DENIALS as usize);
    }
}
