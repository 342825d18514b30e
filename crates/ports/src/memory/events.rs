//! Events: facts, numbered densely in the order in which they were committed.

use async_trait::async_trait;
use baton_domain::{JobId, Timestamp, event::Event};

use super::{
    MemoryStore, Tables,
    facts::{EPOCH, Fact},
};
use crate::store::{EventBounds, EventFilter, Events, NewEvent, Result, Sequenced};

/// How many events one call looks at.
const LOOK: usize = 10_000;

#[async_trait]
impl Events for MemoryStore {
    async fn sequence(&self, limit: u32, _now: Timestamp) -> Result<Sequenced> {
        Ok(self.tables().sequence(limit))
    }

    async fn events(
        &self,
        after: i64,
        limit: u32,
        filter: &EventFilter,
    ) -> Result<(Vec<Event>, i64)> {
        Ok(self.tables().events(after, limit, filter))
    }

    async fn job_events(&self, job: JobId) -> Result<Vec<Event>> {
        let subject = job.to_string();
        let tables = self.tables();
        let events = tables.ledger.events.values();
        Ok(events.filter(|e| e.subject == subject).cloned().collect())
    }

    async fn recoveries(&self, before: i64, limit: u32) -> Result<(Vec<Event>, Option<i64>)> {
        let tables = self.tables();
        let newest = tables.ledger.events.range(..before).rev();
        let events = newest.map(|(_, event)| event);
        let found = events.filter(|event| event.is_recovery());
        let found: Vec<_> = found.take(limit as usize).cloned().collect();
        let last = found.last().filter(|_| found.len() == limit as usize);
        let next = last.map(|event| event.id.seq);
        Ok((found, next))
    }

    async fn bounds(&self) -> Result<EventBounds> {
        let tables = self.tables();
        let (ledger, first) = (&tables.ledger, tables.ledger.events.keys().next());
        Ok(EventBounds {
            epoch: EPOCH,
            first: first.copied().unwrap_or(ledger.last + 1),
            last: ledger.last,
        })
    }

    async fn note(&self, note: &NewEvent, now: Timestamp) -> Result<()> {
        let fact = Fact::about(&note.kind, note.subject.as_str(), now).with_all(&note.data);
        self.tables().ledger.tell(vec![fact]);
        Ok(())
    }
}

impl Tables {
    fn sequence(&mut self, limit: u32) -> Sequenced {
        let mut count = 0;
        while count < limit {
            let Some(more) = self.ledger.number_batch() else {
                break;
            };
            count += more;
        }
        Sequenced {
            count,
            last: self.ledger.last,
        }
    }

    fn events(&self, after: i64, limit: u32, filter: &EventFilter) -> (Vec<Event>, i64) {
        let mut found = Vec::new();
        let mut looked_at = after;
        for (seq, event) in self
            .ledger
            .events
            .range(after.saturating_add(1)..)
            .take(LOOK)
        {
            if found.len() >= limit as usize {
                break;
            }
            looked_at = *seq;
            found.extend(filter.matches(event).then(|| event.clone()));
        }
        (found, looked_at)
    }
}

impl EventFilter {
    fn matches(&self, event: &Event) -> bool {
        let is_of = |kind: &String| *kind == event.kind || is_family_of(kind, &event.kind);
        let queue = event.data.get("queue").and_then(|queue| queue.as_str());
        (self.types.is_empty() || self.types.iter().any(is_of))
            && self.subject.as_ref().is_none_or(|s| *s == event.subject)
            && self.queue.as_deref().is_none_or(|name| queue == Some(name))
    }
}

/// `job.` stands for every type that begins so.
fn is_family_of(family: &str, kind: &str) -> bool {
    family.ends_with('.') && kind.starts_with(family)
}
