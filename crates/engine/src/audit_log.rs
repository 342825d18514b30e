//! The audit log: look at it, and write down what changes nothing else.

use std::{collections::HashMap, fmt::Display, time::Duration};

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
/// How many looks are remembered.
const MOST_LOOKS: usize = 10_000;

/// What this node has written down lately: whoever knocks or looks often does not fill the log.
#[derive(Default)]
pub struct AuditBudgets {
    strangers: Mutex<Budget>,
    known: Mutex<Budget>,
    /// Since when each look stands in the log, or goes on, and how many there were since that were not written down.
    looks: Mutex<HashMap<DataAccess, (Instant, u64)>>,
}

/// A look at what is about people: whose, at what of theirs, and of which thing where that makes a difference.
#[derive(Clone, PartialEq, Eq, Hash)]
struct DataAccess {
    principal: Principal,
    action: AuditAction,
    object: Option<String>,
}

impl DataAccess {
    /// Programs, and whoever comes where nobody is asked, look too often to be written down by each thing.
    fn new(principal: &Principal, action: AuditAction, object: &str) -> Self {
        let is_program = matches!(principal, Principal::Key(_) | Principal::Anonymous);
        Self {
            principal: principal.clone(),
            action,
            object: (!is_program).then(|| object.to_owned()),
        }
    }

    /// Whether it is a person's at what a page shows live, which looks again by itself.
    fn goes_on(&self) -> bool {
        self.object.is_some() && self.action == AuditAction::PayloadRead
    }
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

    /// Whether a look is written down, and as how many: of a program one in a minute; of a person each, but for those that go on
    /// without a pause of a minute.
    fn admit_look(&self, look: &DataAccess) -> Option<u64> {
        if look.object.is_some() && !look.goes_on() {
            return Some(1);
        }
        let mut looks = self.looks.lock();
        if looks.len() >= MOST_LOOKS {
            looks.clear();
        }
        let Some((at, since)) = looks.get_mut(look) else {
            looks.insert(look.clone(), (Instant::now(), 0));
            return Some(1);
        };
        *since += 1;
        let is_due = at.elapsed() >= MINUTE;
        if is_due || look.goes_on() {
            *at = Instant::now();
        }
        let since = if is_due { std::mem::take(since) } else { 0 };
        is_due.then(|| if look.goes_on() { 1 } else { since })
    }

    /// A look that could not be written down is none that stands in the log.
    fn forget(&self, look: &DataAccess) {
        self.looks.lock().remove(look);
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

    /// Writes down that somebody looked at recipients, or into an inbox.
    pub(crate) async fn note_reading(
        &self,
        action: AuditAction,
        object: String,
        particulars: Particulars,
    ) -> Result<()> {
        let budgets = &self.inner.audit_budgets;
        let look = DataAccess::new(&self.actor().principal, action, &object);
        let Some(looks) = budgets.admit_look(&look) else {
            return Ok(());
        };
        let looks = (looks > 1).then(|| json!({ "looks": looks }));
        let particulars = Particulars {
            after: particulars.after.or(looks),
            ..particulars
        };
        let entry = self.entry(action, object, particulars);
        // A look is no change: what fails after it is in no doubt.
        let written = self.inner.store.append_audit(&[entry]).await;
        Ok(written.inspect_err(|_| budgets.forget(&look))?)
    }

    /// Writes down that somebody saw what jobs carry or were answered. A job is looked at most when a database is in trouble: it is
    /// shown even if this cannot be written.
    pub(crate) async fn note_payloads(&self, object: impl Display, count: Option<u64>) {
        if !self.may(Permission::PayloadsRead) {
            return;
        }
        let particulars = Particulars {
            count,
            ..Particulars::default()
        };
        let noted = self.note_reading(AuditAction::PayloadRead, object.to_string(), particulars);
        if let Err(error) = noted.await {
            tracing::warn!(%error, "a look at payloads could not be written to the audit log");
        }
    }
}

#[cfg(test)]
mod tests {
    use baton_domain::{KeyId, Timestamp, UserId};

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

    fn looks(by: &Principal, action: AuditAction, at: &[&str]) -> Vec<u64> {
        let budgets = AuditBudgets::default();
        let looks = at.iter().map(|object| DataAccess::new(by, action, object));
        looks.filter_map(|look| budgets.admit_look(&look)).collect()
    }

    #[test]
    fn a_program_that_looks_often_is_written_down_once_in_a_while() {
        let program = Principal::Key(KeyId::new(Timestamp::from_micros(1)));

        for action in [AuditAction::RecipientRead, AuditAction::PayloadRead] {
            let written = looks(&program, action, &["ann", "ben", "ann"]);

            assert_eq!(written, [1], "{action}");
        }
    }

    #[test]
    fn of_a_program_each_sort_of_look_is_written_down_by_itself() {
        let budgets = AuditBudgets::default();
        let program = Principal::Key(KeyId::new(Timestamp::from_micros(1)));
        let admit = |action| budgets.admit_look(&DataAccess::new(&program, action, "ann"));

        let [people, inboxes] = [AuditAction::RecipientRead, AuditAction::InboxRead].map(admit);

        assert_eq!((people, inboxes), (Some(1), Some(1)));
    }

    #[test]
    fn each_look_of_a_person_is_written_down_but_those_of_a_page_that_stays_open() {
        let person = Principal::User(UserId::new(Timestamp::from_micros(1)));
        let at = ["ann", "ann", "ben"];

        let people = looks(&person, AuditAction::RecipientRead, &at);
        let payloads = looks(&person, AuditAction::PayloadRead, &at);

        assert_eq!((people.len(), payloads.len()), (3, 2));
    }

    #[test]
    fn a_look_that_could_not_be_written_down_leaves_the_next_to_be() {
        let budgets = AuditBudgets::default();
        let program = Principal::Key(KeyId::new(Timestamp::from_micros(1)));
        let look = DataAccess::new(&program, AuditAction::InboxRead, "ann");

        budgets.admit_look(&look);
        budgets.forget(&look);

        assert_eq!(budgets.admit_look(&look), Some(1));
    }

    #[tokio::test(start_paused = true)]
    async fn a_look_goes_on_until_there_is_a_pause() {
        let budgets = AuditBudgets::default();
        let person = Principal::User(UserId::new(Timestamp::from_micros(1)));
        let look = DataAccess::new(&person, AuditAction::PayloadRead, "job");
        let admit_after = async |pause| {
            tokio::time::advance(pause).await;
            budgets.admit_look(&look)
        };

        let first = admit_after(Duration::ZERO).await;
        let live = [
            admit_after(MINUTE / 2).await,
            admit_after(MINUTE / 2).await,
            admit_after(MINUTE / 2).await,
        ];
        let later = admit_after(MINUTE).await;

        assert_eq!((first, live, later), (Some(1), [None; 3], Some(1)));
    }
}
