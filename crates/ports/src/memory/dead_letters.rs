//! Dead letters: failed jobs, grouped by cause, and what is done to many of them at once.

use std::collections::BTreeMap;

use async_trait::async_trait;
use baton_domain::{
    JobId, Lifecycle, OperationId, Timestamp,
    job::{State, Trigger},
    operation::{Action, DeadLetterFilter, DeadLetterGroup, Operation},
    page::{Page, PageRequest},
};

use super::{DeadLetter, Finished, MemoryStore, StoredOperation, Tables, facts::Fact};
use crate::store::{DeadLetters, Error, Result};

#[async_trait]
impl DeadLetters for MemoryStore {
    async fn dead_letters(&self, page: &PageRequest) -> Result<Page<DeadLetterGroup>> {
        self.tables().group_page(page)
    }

    async fn begin(
        &self,
        id: OperationId,
        action: Action,
        filter: &DeadLetterFilter,
        now: Timestamp,
    ) -> Result<Operation> {
        let mut tables = self.tables();
        let is_new = !tables.operations.contains_key(&id);
        let operation = tables.begin(id, action, filter, now);
        self.put_down(&mut tables, is_new);
        Ok(operation)
    }

    async fn step(&self, limit: u32, now: Timestamp) -> Result<Option<Operation>> {
        Ok(self.tables().step(limit, now))
    }

    async fn operation(&self, id: OperationId) -> Result<Option<Operation>> {
        let tables = self.tables();
        let running = tables.operations.get(&id);
        Ok(running.map(|running| running.operation.clone()))
    }

    async fn operations(&self, page: &PageRequest) -> Result<Page<Operation>> {
        self.tables().operation_page(page)
    }
}

impl Tables {
    fn group_page(&self, page: &PageRequest) -> Result<Page<DeadLetterGroup>> {
        let after = page.after.as_deref().map(read_cursor).transpose()?;
        let mut groups: Vec<_> = self.groups().into_values().collect();
        groups.sort_by_key(|group| std::cmp::Reverse(turn(group)));
        groups.retain(|group| after.as_ref().is_none_or(|after| turn(group) < *after));
        let has_more = groups.len() > page.limit as usize;
        groups.truncate(page.limit as usize);
        let last = groups.last().filter(|_| has_more);
        Ok(Page {
            next: last.map(|group| {
                let (at, fingerprint) = turn(group);
                format!("{}.{fingerprint}", at.as_micros())
            }),
            items: groups,
        })
    }

    pub(super) fn groups(&self) -> BTreeMap<String, DeadLetterGroup> {
        let mut groups = BTreeMap::<String, DeadLetterGroup>::new();
        for (job, row, letter) in self.letters() {
            let one = DeadLetterGroup {
                fingerprint: letter.fingerprint.clone(),
                kind: self.jobs[&job].kind.clone(),
                reason: row.reason.clone().unwrap_or_default(),
                sample: letter.failure.clone(),
                sample_job: job,
                count: 1,
                first_at: row.at,
                last_at: row.at,
            };
            let group = groups.remove(&letter.fingerprint);
            let group = match group {
                None => one,
                Some(group) => joined(group, one),
            };
            groups.insert(letter.fingerprint.clone(), group);
        }
        groups
    }

    /// The dead letters that nobody has discarded, by job.
    fn letters(&self) -> impl Iterator<Item = (JobId, &Finished, &DeadLetter)> {
        self.finished.iter().filter_map(|(job, row)| {
            let letter = row.letter.as_ref().filter(|letter| !letter.is_discarded)?;
            Some((*job, row, letter))
        })
    }

    fn begin(
        &mut self,
        id: OperationId,
        action: Action,
        filter: &DeadLetterFilter,
        now: Timestamp,
    ) -> Operation {
        // The same id again comes from a call whose answer was lost.
        if let Some(begun) = self.operations.get(&id) {
            return begun.operation.clone();
        }
        let operation = Operation {
            filter: filter.clone(),
            total: self.matching(filter, now).count() as u64,
            ..Operation::begun(id, action, now)
        };
        let running = StoredOperation {
            operation: operation.clone(),
            cursor: None,
        };
        self.operations.insert(id, running);
        let fact = Fact::about("operation.started", id.to_string(), now)
            .with("action", action.as_str())
            .with("total", operation.total);
        self.ledger.tell(vec![fact]);
        operation
    }

    fn step(&mut self, limit: u32, now: Timestamp) -> Option<Operation> {
        let unfinished = |running: &&StoredOperation| {
            let operation = &running.operation;
            let is_on_letters = operation.action != Action::Erase && operation.jobs.is_none();
            operation.finished_at.is_none() && is_on_letters
        };
        let running = self.operations.values().find(unfinished)?;
        let (mut operation, cursor) = (running.operation.clone(), running.cursor);
        let matching = self.matching(&operation.filter, operation.created_at);
        let next = matching.filter(|job| Some(*job) > cursor);
        let jobs: Vec<_> = next.take(limit as usize).collect();
        let cursor = jobs.last().copied().or(cursor);

        operation.done += jobs.len() as u64;
        let is_last = jobs.len() < limit as usize;
        let mut facts: Vec<_> = jobs
            .into_iter()
            .filter_map(|job| self.act(operation.action, job, now))
            .collect();
        if is_last {
            operation.skipped = operation.total.saturating_sub(operation.done);
            operation.finished_at = Some(now);
            let subject = operation.id.to_string();
            facts.push(Fact::about("operation.finished", subject, now));
        }
        self.ledger.tell(facts);
        let running = StoredOperation {
            operation: operation.clone(),
            cursor,
        };
        self.operations.insert(operation.id, running);
        Some(operation)
    }

    /// The dead letters that match a filter and failed no later than `until`, by job.
    fn matching(&self, filter: &DeadLetterFilter, until: Timestamp) -> impl Iterator<Item = JobId> {
        let letters = self.letters().filter(move |(_, row, _)| row.at <= until);
        let matching = letters.filter(move |(job, row, letter)| {
            let asked = &self.jobs[job];
            let is = |wanted: &Option<String>, have: &str| {
                wanted.as_deref().is_none_or(|wanted| wanted == have)
            };
            is(&filter.fingerprint, &letter.fingerprint)
                && is(&filter.kind, &asked.kind)
                && is(&filter.queue, &asked.queue)
                && is(&filter.reason, row.reason.as_deref().unwrap_or_default())
        });
        matching.map(|(job, _, _)| job)
    }

    fn act(&mut self, action: Action, job: JobId, now: Timestamp) -> Option<Fact> {
        match action {
            Action::Retry => {
                let transition = State::Failed.on(Trigger::Redrive).ok()?;
                self.transition(job, transition, None, now)
            }
            Action::Discard => {
                let letter = self.finished.get_mut(&job)?.letter.as_mut()?;
                letter.is_discarded = true;
                let queue = self.jobs[&job].queue.as_str();
                Some(Fact::about("job.discarded", job.to_string(), now).with("queue", queue))
            }
            // They take steps of their own.
            Action::Cancel | Action::Erase => None,
        }
    }

    fn operation_page(&self, page: &PageRequest) -> Result<Page<Operation>> {
        let after = page.cursor::<OperationId>()?;
        let newest = self.operations.iter().rev();
        let mut older = newest.filter(|(id, _)| after.is_none_or(|after| **id < after));
        let items = older.by_ref().take(page.limit as usize);
        let items: Vec<_> = items.map(|(_, row)| row.operation.clone()).collect();
        let last = items.last().filter(|_| older.next().is_some());
        Ok(Page {
            next: last.map(|operation| operation.id.to_string()),
            items,
        })
    }
}

/// Which group comes first: the one that last grew.
fn turn(group: &DeadLetterGroup) -> (Timestamp, String) {
    (group.last_at, group.fingerprint.clone())
}

fn read_cursor(text: &str) -> Result<(Timestamp, String)> {
    let cursor = text.split_once('.').and_then(|(micros, fingerprint)| {
        let at = Timestamp::from_micros(micros.parse().ok()?);
        Some((at, fingerprint.to_owned()))
    });
    cursor.ok_or(Error::BadCursor)
}

/// Two parts of one group as one; the later failure speaks for it.
fn joined(a: DeadLetterGroup, b: DeadLetterGroup) -> DeadLetterGroup {
    let (count, first_at) = (a.count + b.count, a.first_at.min(b.first_at));
    let later = if b.last_at >= a.last_at { b } else { a };
    DeadLetterGroup {
        count,
        first_at,
        ..later
    }
}
