//! Events: facts, numbered densely in an order that is safe to follow.

use async_trait::async_trait;
use baton_domain::{
    InboxItemId, JobId, Timestamp,
    event::{Event, EventId},
};
use baton_ports::store::{Error, EventBounds, EventFilter, Events, Note, Result, Sequenced};
use serde_json::{Map, Value};
use uuid::Uuid;

use super::{SqlStore, first};
use crate::{
    row::{Row, Rows},
    statement::{
        EVENTS_AFTER, EVENTS_BOUNDS, EVENTS_NOTE, EVENTS_OF_JOB, EVENTS_RECOGNISE, EVENTS_SEQUENCE,
    },
    value::{Params, params},
};

/// How many rows of facts one look takes; a row can hold a thousand facts.
const ROWS: u32 = 64;
/// How many facts a filtered call looks at, about.
const SEARCH: i64 = 20_000;

#[async_trait]
impl Events for SqlStore {
    async fn sequence(&self, limit: u32, _now: Timestamp) -> Result<Sequenced> {
        let rows = self.write(&EVENTS_SEQUENCE, params! { limit: limit });
        let row = first(rows.await?);
        let row =
            row.ok_or_else(|| Error::Refused("the stream of events is missing".to_owned()))?;
        let mut cells = row.cells("stream");
        Ok(Sequenced {
            last: cells.int("last_seq")?,
            count: cells.count("numbered")?,
        })
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
                .read(&EVENTS_AFTER, params! { after: looked, limit: ROWS })
                .await?;
            let is_last = rows.len() < ROWS as usize;
            let from = looked;
            for event in expand(rows, epoch)?
                .into_iter()
                .filter(|event| event.id.seq > from)
            {
                looked = event.id.seq;
                if matches(filter, &event) {
                    found.push(event);
                }
                if found.len() == limit as usize {
                    return Ok((found, looked));
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
            .read(&EVENTS_OF_JOB, params! { job: job.uuid() })
            .await?;
        let subject = job.to_string();
        Ok(expand(rows, epoch)?
            .into_iter()
            .filter(|event| event.subject == subject)
            .collect())
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

    async fn note(&self, note: &Note, now: Timestamp) -> Result<()> {
        self.write(&EVENTS_NOTE, noted(note, now)).await.map(drop)
    }
}

impl SqlStore {
    /// Which events there are, and whether the history has to be begun anew first.
    async fn look_at_bounds(&self) -> Result<(EventBounds, bool)> {
        let row = first(self.read(&EVENTS_BOUNDS, params! {}).await?);
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
    async fn recognise(&self) -> Result<()> {
        let Some(row) = first(self.operate(&EVENTS_RECOGNISE, params! {}).await?) else {
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

/// A fact as the statement takes it.
pub(super) fn noted(note: &Note, now: Timestamp) -> Params {
    params! { type: note.kind.clone(), subject: note.subject.clone(), data: note.data.to_string(), now: now }
}

fn matches(filter: &EventFilter, event: &Event) -> bool {
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

fn expand(rows: Rows, epoch: i64) -> Result<Vec<Event>> {
    let mut events = Vec::new();
    for row in rows {
        for facts in Facts::read(row)?.told() {
            facts.expand(epoch, &mut events);
        }
    }
    Ok(events)
}

/// How the moves of jobs that start as they come in are kept: as one row, numbered as the two facts
/// of each that it tells.
const STARTED: &str = "job.started";

/// A row of facts: those of one kind that one transaction made.
#[derive(Clone)]
struct Facts {
    last_seq: i64,
    count: i64,
    kind: String,
    at: Timestamp,
    queue: Option<String>,
    from: Option<String>,
    to: Option<String>,
    data: Map<String, Value>,
    subjects: Vec<String>,
    attempts: Vec<i64>,
    items: Vec<Map<String, Value>>,
}

impl Facts {
    fn read(row: Row) -> Result<Self> {
        let mut cells = row.cells("facts");
        let cells = &mut cells;
        let (last_seq, count) = (cells.int("last_seq")?, cells.int("n")?);
        let kind = cells.text("type")?;
        let queue = cells.maybe_text("queue")?;
        let (from, to) = (
            cells.maybe_text("from_state")?,
            cells.maybe_text("to_state")?,
        );
        let at = cells.time("at")?;
        let subject = cells.maybe_text("subject")?;
        let ids: Vec<Uuid> = maybe_json(cells, "subjects")?;
        let attempts = maybe_json(cells, "attempts")?;
        let data = maybe_json(cells, "data")?;
        let items = maybe_json(cells, "items")?;
        let subjects = match subject {
            Some(subject) => vec![subject],
            None => ids.into_iter().map(|id| named(&kind, id)).collect(),
        };
        Ok(Self {
            last_seq,
            count,
            kind,
            at,
            queue,
            from,
            to,
            data,
            subjects,
            attempts,
            items,
        })
    }

    /// As they are told: a start is two moves.
    fn told(self) -> Vec<Self> {
        if self.kind != STARTED {
            return vec![self];
        }
        let queued = Self {
            last_seq: self.last_seq - self.count,
            kind: "job.queued".to_owned(),
            to: Some("queued".to_owned()),
            data: Map::new(),
            ..self.clone()
        };
        let running = Self {
            kind: "job.running".to_owned(),
            from: Some("queued".to_owned()),
            ..self
        };
        vec![queued, running]
    }

    /// What all of them say.
    fn common(&self) -> Map<String, Value> {
        let mut common = Map::new();
        if let Some(queue) = &self.queue {
            common.insert("queue".to_owned(), queue.clone().into());
        }
        if let Some(to) = &self.to {
            let from = self.from.clone().map_or(Value::Null, Value::from);
            common.insert("from".to_owned(), from);
            common.insert("to".to_owned(), to.clone().into());
        }
        common.extend(self.data.clone());
        common
    }

    fn expand(self, epoch: i64, events: &mut Vec<Event>) {
        let common = self.common();
        let Self {
            last_seq,
            count,
            kind,
            at,
            subjects,
            attempts,
            mut items,
            ..
        } = self;
        for (i, subject) in subjects.into_iter().enumerate() {
            let mut data = common.clone();
            if let Some(attempt) = attempts.get(i) {
                data.insert("attempt".to_owned(), (*attempt).into());
            }
            if let Some(item) = items.get_mut(i) {
                data.extend(presentable(std::mem::take(item)));
            }
            let place = i64::try_from(i).unwrap_or(i64::MAX);
            let id = EventId {
                epoch,
                seq: last_seq - count + 1 + place,
            };
            events.push(Event {
                id,
                kind: kind.clone(),
                subject,
                at,
                data: Value::Object(data),
            });
        }
    }
}

/// The subject of a fact by its bare id: an item of an inbox, or a job.
fn named(kind: &str, id: Uuid) -> String {
    if kind.starts_with("inbox.") {
        return InboxItemId::from_uuid(id).to_string();
    }
    JobId::from_uuid(id).to_string()
}

/// An item as readers see it: no empty fields, no names of groups that only the counters need, times
/// as times.
fn presentable(mut item: Map<String, Value>) -> Map<String, Value> {
    item.remove("was");
    item.retain(|_, value| !value.is_null());
    if let Some(micros) = item.get("run_at").and_then(Value::as_i64) {
        item.insert(
            "run_at".to_owned(),
            Timestamp::from_micros(micros).to_string().into(),
        );
    }
    item
}

fn maybe_json<T: serde::de::DeserializeOwned + Default>(
    cells: &mut crate::row::Cells,
    column: &'static str,
) -> Result<T> {
    let text = cells.maybe_text(column)?;
    text.map_or_else(
        || Ok(T::default()),
        |text| {
            serde_json::from_str(&text).map_err(|error| Error::Corrupt {
                table: "facts",
                column,
                message: error.to_string(),
            })
        },
    )
}
