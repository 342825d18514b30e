//! A row of facts: those of one kind that one transaction made, and the events that they are.

use baton_domain::{
    InboxItemId, JobId, Timestamp,
    event::{Event, EventId, UNREADABLE},
};
use baton_ports::store::{Error, Result};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use crate::row::{Cells, Row};

/// How the moves of jobs that start as they come in are kept: as one row, numbered as the two facts
/// of each that it tells.
const STARTED: &str = "job.started";

/// A row of facts: those of one kind that one transaction made.
#[derive(Clone)]
pub struct Facts {
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

/// A row that cannot be read.
pub struct Damaged {
    /// What cannot be read.
    pub error: Error,
    /// As far as it can be; what cannot is empty or nought.
    facts: Facts,
}

/// How many facts a row can hold, about.
const MOST: i64 = 2_000;

impl Damaged {
    /// The number of its last event, by which it is called.
    pub const fn number(&self) -> i64 {
        self.facts.last_seq
    }

    /// In the place of each of its events, that it cannot be read. `after` is the number of the event before it, where
    /// that is known.
    pub fn told(self, epoch: i64, after: i64, events: &mut Vec<Event>) {
        let Self { error, facts } = self;
        let Error::Corrupt { column, .. } = error else {
            return;
        };
        let mut data = json!({ "column": column });
        if let Some(queue) = &facts.queue {
            data["queue"] = queue.clone().into();
        }
        let first = facts.last_seq - facts.span() + 1;
        for (place, seq) in (0_usize..).zip(first..=facts.last_seq) {
            if seq <= after.max(0) {
                continue;
            }
            let subject = facts.subjects.get(place % facts.subjects.len().max(1));
            events.push(Event {
                id: EventId { epoch, seq },
                kind: UNREADABLE.to_owned(),
                subject: subject.cloned().unwrap_or_default(),
                at: facts.at,
                data: data.clone(),
            });
        }
    }
}

impl Facts {
    /// Reads a row.
    pub fn read(row: Row) -> std::result::Result<Self, Box<Damaged>> {
        let mut cells = row.cells("facts");
        let cells = &mut cells;
        let mut wrong = None;
        let last_seq = or_nothing(cells.int("last_seq"), &mut wrong);
        let count = or_nothing(cells.int("n"), &mut wrong);
        let kind = or_nothing(cells.text("type"), &mut wrong);
        let queue = or_nothing(cells.maybe_text("queue"), &mut wrong);
        let from = or_nothing(cells.maybe_text("from_state"), &mut wrong);
        let to = or_nothing(cells.maybe_text("to_state"), &mut wrong);
        let at = or_nothing(cells.int("at"), &mut wrong);
        let subject = or_nothing(cells.maybe_text("subject"), &mut wrong);
        let ids: Vec<Uuid> = or_nothing(maybe_json(cells, "subjects"), &mut wrong);
        let subjects = match subject {
            Some(subject) => vec![subject],
            None => ids.into_iter().map(|id| named(&kind, id)).collect(),
        };
        let facts = Self {
            last_seq,
            count,
            kind,
            at: Timestamp::from_micros(at),
            queue,
            from,
            to,
            subjects,
            attempts: or_nothing(maybe_json(cells, "attempts"), &mut wrong),
            data: or_nothing(maybe_json(cells, "data"), &mut wrong),
            items: or_nothing(maybe_json(cells, "items"), &mut wrong),
        };
        match wrong {
            None => Ok(facts),
            Some(error) => Err(Box::new(Damaged { error, facts })),
        }
    }

    /// The number of its last event, by which it is called.
    pub const fn number(&self) -> i64 {
        self.last_seq
    }

    /// How many numbers the row has, at most.
    fn span(&self) -> i64 {
        match self.kind.as_str() {
            _ if self.count == 0 => MOST,
            STARTED | "" => 2 * self.count,
            _ => self.count,
        }
    }

    /// As events.
    pub fn told(self, epoch: i64, events: &mut Vec<Event>) {
        let moves = self.moves().into_iter();
        moves.for_each(|facts| facts.expand(epoch, events));
    }

    /// A start is two moves.
    fn moves(self) -> Vec<Self> {
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

/// What was read; else nothing, and what is wrong, if it is the first that is.
fn or_nothing<T: Default>(read: Result<T>, wrong: &mut Option<Error>) -> T {
    read.unwrap_or_else(|error| {
        wrong.get_or_insert(error);
        T::default()
    })
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
    cells: &mut Cells,
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
