//! The audit log: look at it, and write down what changes nothing else.

use std::{collections::HashMap, time::Duration};

use baton_domain::{
    access::{Actor, Permission, Principal},
    audit::{AuditAction, AuditEntry, AuditFilter},
    page::{Page, PageRequest},
};
use parking_lot::Mutex;
use serde_json::{Value, json};
use tokio::time::Instant;

use crate::{Caller, Result, caller::Particulars};

/// How many refusals a node writes down in a minute, of those who are known and of those who are not; of the others it tells
/// how many there were.
const DENIALS: u32 = 60;
const MINUTE: Duration = Duration::from_mins(1);
/// How many who look at people are remembered.
const MOST_READERS: usize = 10_000;

/// What this node has written down lately: whoever knocks or looks often does not fill the log.
#[derive(Default)]
pub struct AuditBudgets {
    strangers: Mutex<Budget>,
    known: Mutex<Budget>,
    /// When each was last written down as looking at people, and how many looks there were since.
    readers: Mutex<HashMap<Principal, (Instant, u64)>>,
}

#[derive(Default)]
struct Budget {
    since: Option<Instant>,
    written: u32,
    passed_over: u64,
}

impl Budget {
    /// Whether one more is written down, and how many were not since the last one that was.
    fn admit(&mut self) -> Option<u64> {
        if self.since.is_none_or(|since| since.elapsed() >= MINUTE) {
            (self.since, self.written) = (Some(Instant::now()), 0);
        }
        if self.written >= DENIALS {
            self.passed_over += 1;
            return None;
        }
        self.written += 1;
        Some(std::mem::take(&mut self.passed_over))
    }
}

impl AuditBudgets {
    fn admit_denial(&self, principal: &Principal) -> Option<u64> {
        match principal {
            Principal::Nobody => self.strangers.lock().admit(),
            _ => self.known.lock().admit(),
        }
    }

    /// Whether a look at people is written down: of a program one in a minute, with how many there were; of a person each.
    fn admit_reading(&self, principal: &Principal) -> Option<u64> {
        if !matches!(principal, Principal::Key(_)) {
            return Some(1);
        }
        let mut readers = self.readers.lock();
        if readers.len() >= MOST_READERS {
            readers.clear();
        }
        let Some((at, looks)) = readers.get_mut(principal) else {
            readers.insert(principal.clone(), (Instant::now(), 0));
            return Some(1);
        };
        *looks += 1;
        if at.elapsed() < MINUTE {
            return None;
        }
        *at = Instant::now();
        Some(std::mem::take(looks))
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
        let whom = match self.actor().principal {
            Principal::Nobody => "nobody",
            Principal::Key(_) => "key",
            Principal::User(_) => "user",
            Principal::Anonymous => "anonymous",
            Principal::CommandLine | Principal::System(_) => "server",
        };
        metrics::counter!("baton_access_denied_total", "whom" => whom).increment(1);
        let Some(passed_over) = self
            .inner
            .audit_budgets
            .admit_denial(&self.actor().principal)
        else {
            return;
        };
        let particulars = Particulars {
            after,
            reason: Some(why.to_owned()),
            ..Particulars::default()
        };
        let mut entries = vec![self.entry(AuditAction::Denied, object, particulars)];
        if passed_over > 0 {
            let particulars = Particulars {
                reason: Some("more refusals than are written down one by one".to_owned()),
                count: Some(passed_over),
                ..Particulars::default()
            };
            let gate = self.caller(Actor::system("gate"));
            entries.push(gate.entry(AuditAction::Denied, "others", particulars));
        }
        if let Err(error) = self.inner.store.append_audit(&entries).await {
            tracing::warn!(%error, "a refusal could not be written to the audit log");
        }
    }

    /// Writes down that somebody looked at people.
    pub(crate) async fn note_reading(&self, object: String, count: Option<u64>) -> Result<()> {
        let Some(looks) = self
            .inner
            .audit_budgets
            .admit_reading(&self.actor().principal)
        else {
            return Ok(());
        };
        let particulars = Particulars {
            count,
            after: (looks > 1).then(|| json!({ "looks": looks })),
            ..Particulars::default()
        };
        let entry = self.entry(AuditAction::RecipientRead, object, particulars);
        Ok(self.store().append_audit(&[entry]).await?)
    }
}

#[cfg(test)]
mod tests {
    use baton_domain::{KeyId, Timestamp};

    use super::*;

    #[test]
    fn whoever_knocks_often_does_not_fill_the_log() {
        let budgets = AuditBudgets::default();
        let knocks = |principal: &Principal| {
            let admitted = (0..1_000).filter_map(|_| budgets.admit_denial(principal));
            admitted.count()
        };

        assert_eq!(knocks(&Principal::Nobody), DENIALS as usize);
        // Strangers hide nobody who is known.
        assert_eq!(knocks(&Principal::Anonymous), DENIALS as usize);
    }

    #[test]
    fn a_program_that_looks_often_is_written_down_once_in_a_while() {
        let budgets = AuditBudgets::default();
        let program = Principal::Key(KeyId::new(Timestamp::from_micros(1)));

        let written = (0..1_000).filter_map(|_| budgets.admit_reading(&program));

        assert_eq!(written.count(), 1);
    }
}
