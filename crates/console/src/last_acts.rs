//! What people did last, kept from look to look: nothing else that is written into the audit log hides it.

use std::{
    sync::{Mutex, PoisonError},
    time::Duration,
};

use baton_domain::{
    Timestamp,
    access::Principal,
    audit::{AuditAction, AuditEntry, AuditFilter},
    page::PageRequest,
};
use baton_engine::{Caller, Result};

/// How many are kept.
const KEPT: usize = 5;
/// How many entries a look reads at once.
const PAGE: u32 = 100;
/// How many pages it reads at the most.
const PAGES: usize = 10;
/// How much later than what was read an entry with an earlier moment may be written.
const OVERLAP: Duration = Duration::from_secs(10);

/// The last acts of people, and until when all entries were read.
#[derive(Default)]
pub struct LastActs(Mutex<(Vec<AuditEntry>, Option<Timestamp>)>);

impl LastActs {
    /// Those that were found by earlier looks, newest first.
    pub fn known(&self) -> Vec<AuditEntry> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.0.clone()
    }

    /// Reads what was written since the last look.
    pub async fn look(&self, engine: &Caller) -> Result<()> {
        let read_to = self.0.lock().unwrap_or_else(PoisonError::into_inner).1;
        // Of a clock that was put back since nothing is known.
        let read_to = read_to.filter(|at| *at <= engine.now());
        let since = AuditFilter {
            since: read_to.map(|at| at - OVERLAP),
            ..AuditFilter::default()
        };
        let (mut found, mut newest, mut after) = (Vec::new(), read_to, None);
        for _ in 0..PAGES {
            let page = PageRequest { limit: PAGE, after };
            let read = engine.audit_entries(&since, &page).await?;
            newest = newest.max(read.items.first().map(|entry| entry.at));
            found.extend(read.items.into_iter().filter(is_act));
            after = read.next;
            if after.is_none() || found.len() >= KEPT {
                break;
            }
        }
        self.keep(found, newest);
        Ok(())
    }

    fn keep(&self, found: Vec<AuditEntry>, newest: Option<Timestamp>) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (acts, read_to) = &mut *known;
        acts.extend(found);
        acts.sort_by_key(|entry| std::cmp::Reverse((entry.at, entry.id)));
        acts.dedup_by_key(|entry| entry.id);
        acts.truncate(KEPT);
        *read_to = newest;
    }
}

/// Whether a person has changed something; signing in, looking and being refused change nothing.
const fn is_act(entry: &AuditEntry) -> bool {
    let is_person = matches!(
        entry.principal,
        Principal::User(_) | Principal::CommandLine | Principal::Anonymous
    );
    let changes_nothing = matches!(
        entry.action,
        AuditAction::SignIn
            | AuditAction::SignOut
            | AuditAction::RecipientRead
            | AuditAction::InboxRead
            | AuditAction::PayloadRead
            | AuditAction::AuditExport
            | AuditAction::Denied
    );
    is_person && !changes_nothing
}
