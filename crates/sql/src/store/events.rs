//! Events: facts, numbered densely in an order that is safe to follow.

mod facts;

use async_trait::async_trait;
use baton_domain::{
    JobId, Timestamp,
    event::{Event, UNREADABLE},
};
use baton_ports::store::{Error, EventBounds, EventFilter, Events, NewEvent, Result, Sequenced};

use self::facts::Facts;
use super::{SqlStore, first};
use crate::{
    row::Rows,
    statement as sql,
    value::{Params, params},
};

/// How many rows of facts one look takes; a row can hold a thousand facts.
const ROWS: u32 = 64;
/// How many rows of facts are looked at for what the system did by itself.
const LOOK: u32 = 20_000;
/// How many facts a filtered call looks at, about.
const SEARCH: i64 = 20_000;

#[async_trait]
impl Events for SqlStore {
    async fn sequence(&self, limit: u32, _now: Timestamp) -> Result<Sequenced> {
        match self.number(limit, true).await {
            Err(Error::Refused(_) | Error::Corrupt { .. }) => self.number_in_parts(limit).await,
            numbered => numbered,
        }
    }

    async fn events(
        &self,
        after: i64,
        limit: u32,
        filter: &EventFilter,
    ) -> Result<(Vec<Event>, i64)> {
        let epoch = self.bounds().await?.epoch;
        let mut found = Vec::new();
        let mut looked = after;
        while looked - after < SEARCH {
            let rows = self
                .read(&sql::events::AFTER, params! { after: looked, limit: ROWS })
                .await?;
            let is_last = rows.len() < ROWS as usize;
            // Each row is taken apart only once the last one was not enough.
            for row in rows {
                let from = looked;
                let events = self.expand(vec![row], epoch, from).into_iter();
                for event in events.filter(|event| event.id.seq > from) {
                    looked = event.id.seq;
                    if matches(filter, &event) {
                        found.push(event);
                    }
                    if found.len() == limit as usize {
                        return Ok((found, looked));
                    }
                }
                if looked - after >= SEARCH {
                    break;
                }
            }
            if is_last {
                break;
            }
        }
        Ok((found, looked))
    }

    async fn job_events(&self, job: JobId) -> Result<Vec<Event>> {
        let epoch = self.bounds().await?.epoch;
        let rows = self
            .read(&sql::events::OF_JOB, params! { job: job.uuid() })
            .await;
        if let Err(error @ Error::Corrupt { .. }) = &rows {
            self.note_unreadable("settlements", format!("of {job}"), error);
        }
        let subject = job.to_string();
        let mut events = self.expand(rows?, epoch, 0);
        events.retain(|event| event.subject == subject);
        Ok(events)
    }

    async fn recoveries(&self, before: i64, limit: u32) -> Result<(Vec<Event>, Option<i64>)> {
        let EventBounds { epoch, last, .. } = self.bounds().await?;
        // Both looks are at the same facts, whatever is numbered between them.
        let before = before.min(last + 1);
        let looked = params! { before: before, budget: LOOK };
        let wanted = params! { before: before, budget: LOOK, limit: limit };
        let mut rows = self.read(&sql::events::RECOVERIES, wanted).await?;
        let last = rows.last().filter(|_| rows.len() == limit as usize);
        let next = match last.cloned() {
            Some(row) => Some(row.cells("facts").int("last_seq")?),
            None => self.looked_at(looked).await?,
        };
        rows.reverse();
        let mut events = self.expand(rows, epoch, 0);
        events.retain(Event::is_recovery);
        events.reverse();
        Ok((events, next))
    }

    async fn bounds(&self) -> Result<EventBounds> {
        let (bounds, is_another) = self.look_at_bounds().await?;
        if !is_another {
            return Ok(bounds);
        }
        // Nothing is told of a history that may not be the one its readers know.
        self.recognise().await?;
        self.look_at_bounds().await.map(|(bounds, _)| bounds)
    }

    async fn note(&self, note: &NewEvent, now: Timestamp) -> Result<()> {
        self.write(&sql::events::NOTE, noted(note, now))
            .await
            .map(drop)
    }
}

impl SqlStore {
    /// Where a look goes on that has not come to the first fact.
    async fn looked_at(&self, look: Params) -> Result<Option<i64>> {
        let Some(row) = first(self.read(&sql::events::LOOKED_AT, look).await?) else {
            return Ok(None);
        };
        let mut cells = row.cells("facts");
        let lowest = cells.maybe_int("last_seq")?;
        let is_full = cells.int("count")? >= i64::from(LOOK);
        Ok(lowest.filter(|_| is_full))
    }

    /// Numbers facts, and folds them into the counters. Those of failures are taken apart for it.
    async fn number(&self, limit: u32, takes_apart: bool) -> Result<Sequenced> {
        let params = params! { limit: limit, takes_apart: takes_apart };
        let row = first(self.write(&sql::events::SEQUENCE, params).await?);
        let row =
            row.ok_or_else(|| Error::Refused("the stream of events is missing".to_owned()))?;
        let mut cells = row.cells("stream");
        Ok(Sequenced {
            last: cells.int("last_seq")?,
            count: cells.count("numbered")?,
        })
    }

    /// Numbers as many as were wanted in smaller batches, for one of them may be damaged: where a batch is refused it
    /// is halved, and what stands alone is numbered as it is.
    async fn number_in_parts(&self, limit: u32) -> Result<Sequenced> {
        let mut sequenced = Sequenced { last: 0, count: 0 };
        let mut step = (limit / 2).max(1);
        while sequenced.count < limit {
            let part = match self.number(step, true).await {
                Err(Error::Refused(_) | Error::Corrupt { .. }) if step > 1 => {
                    step /= 2;
                    continue;
                }
                Err(Error::Refused(_) | Error::Corrupt { .. }) => self.number_one_as_it_is().await,
                part => part,
            };
            let part = match part {
                Err(_) if sequenced.count > 0 => break,
                part => part?,
            };
            sequenced.last = part.last;
            if part.count == 0 {
                break;
            }
            sequenced.count += part.count;
            step = step.saturating_mul(2).min(limit);
        }
        Ok(sequenced)
    }

    async fn number_one_as_it_is(&self) -> Result<Sequenced> {
        let numbered = self.number(1, false).await?;
        self.note_unreadable("facts", numbered.last.to_string(), &damaged_items());
        Ok(numbered)
    }

    /// The events of some rows, of which the first comes after a number. In the place of what cannot be read stands
    /// that it cannot: readers are told, and the numbers stay dense.
    fn expand(&self, rows: Rows, epoch: i64, mut after: i64) -> Vec<Event> {
        let mut events = Vec::new();
        for row in rows {
            after = match Facts::read(row) {
                Ok(facts) => {
                    let last = facts.number();
                    self.mended("facts", last);
                    facts.told(epoch, &mut events);
                    last
                }
                Err(damaged) => {
                    let last = damaged.number();
                    self.note_unreadable("facts", last.to_string(), &damaged.error);
                    damaged.told(epoch, after, &mut events);
                    last
                }
            };
        }
        events
    }

    /// Which events there are, and whether the history has to be begun anew first.
    async fn look_at_bounds(&self) -> Result<(EventBounds, bool)> {
        let row = first(self.read(&sql::events::BOUNDS, params! {}).await?);
        let row =
            row.ok_or_else(|| Error::Refused("the stream of events is missing".to_owned()))?;
        let mut cells = row.cells("stream");
        let bounds = EventBounds {
            epoch: cells.int("epoch")?,
            first: cells.int("first")?,
            last: cells.int("last_seq")?,
        };
        Ok((bounds, cells.truth("incarnation")?))
    }

    /// Begins another history if the database is another copy than the one it was.
    pub(super) async fn recognise(&self) -> Result<()> {
        let Some(row) = first(self.operate(&sql::events::RECOGNISE, params! {}).await?) else {
            return Ok(());
        };
        let mut cells = row.cells("stream");
        let (epoch, was) = (cells.int("epoch")?, cells.maybe_text("incarnation")?);
        let (Some(was), Some(is_now)) = (was, cells.maybe_text("incarnation")?) else {
            return Ok(());
        };
        metrics::counter!("baton_feed_epochs_total").increment(1);
        tracing::warn!(
            epoch,
            was,
            is_now,
            "the database is another copy or timeline than it was (a restore, or a failover); readers of the feed are told to begin anew"
        );
        Ok(())
    }
}

fn damaged_items() -> Error {
    Error::Corrupt {
        table: "facts",
        column: "items",
        message: "the counters of dead letters cannot be told from it".to_owned(),
    }
}

/// A fact as the statement takes it.
pub(super) fn noted(note: &NewEvent, now: Timestamp) -> Params {
    params! { type: note.kind.clone(), subject: note.subject.clone(), data: note.data.to_string(), now: now }
}

/// Of one that cannot be read, nobody can say that it was not meant.
fn matches(filter: &EventFilter, event: &Event) -> bool {
    if event.kind == UNREADABLE {
        return may_match(filter, event);
    }
    let of_type = |wanted: &String| {
        *wanted == event.kind || (wanted.ends_with('.') && event.kind.starts_with(wanted.as_str()))
    };
    (filter.types.is_empty() || filter.types.iter().any(of_type))
        && filter
            .subject
            .as_ref()
            .is_none_or(|subject| *subject == event.subject)
        && filter
            .queue
            .as_ref()
            .is_none_or(|queue| event.data["queue"] == queue.as_str())
}

fn may_match(filter: &EventFilter, event: &Event) -> bool {
    let known = Some(event.subject.as_str()).filter(|subject| !subject.is_empty());
    let queue = event.data["queue"].as_str();
    let may_be = |wanted: &Option<String>, is: Option<&str>| match (wanted, is) {
        (Some(wanted), Some(is)) => wanted == is,
        _ => true,
    };
    may_be(&filter.subject, known) && may_be(&filter.queue, queue)
}
