//! Facts, their numbers, and the counters folded from them.

use std::{
    collections::{BTreeMap, VecDeque},
    time::Duration,
};

use baton_domain::{
    JobId, Timestamp,
    event::{Event, EventId},
    job::State,
    queue,
};
use serde_json::{Map, Value};

use super::rollups::RollupTable;

/// This history has had no loss: the model forgets everything or nothing.
pub(super) const EPOCH: i64 = 1;

/// How many minutes of finished jobs are remembered.
const MINUTES: i64 = 60;
/// A minute in microseconds.
const MINUTE: i64 = 60_000_000;

/// One fact, not yet numbered.
pub(super) struct Fact {
    pub(super) kind: String,
    pub(super) subject: String,
    pub(super) at: Timestamp,
    pub(super) data: Map<String, Value>,
    moved: Option<Moved>,
}

/// What the counters see of a fact.
struct Moved {
    queue: String,
    from: Option<State>,
    to: State,
}

impl Fact {
    /// A job has moved.
    pub(super) fn moved(
        job: JobId,
        queue: &str,
        from: Option<State>,
        to: State,
        at: Timestamp,
    ) -> Self {
        let fact = Self::about(&format!("job.{to}"), job.to_string(), at)
            .with("queue", queue)
            .with("from", from.map(State::as_str))
            .with("to", to.as_str());
        Self {
            moved: Some(Moved {
                queue: queue.to_owned(),
                from,
                to,
            }),
            ..fact
        }
    }

    /// Something else has happened.
    pub(super) fn about(kind: &str, subject: impl Into<String>, at: Timestamp) -> Self {
        Self {
            kind: kind.to_owned(),
            subject: subject.into(),
            at,
            data: Map::new(),
            moved: None,
        }
    }

    /// Adds a particular, a missing one as null.
    pub(super) fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.data.insert(name.to_owned(), value.into());
        self
    }

    /// Adds a particular if there is one.
    pub(super) fn with_any(self, name: &str, value: Option<impl Into<Value>>) -> Self {
        match value {
            Some(value) => self.with(name, value),
            None => self,
        }
    }

    /// Adds every field of an object.
    pub(super) fn with_all(mut self, data: &Value) -> Self {
        if let Value::Object(fields) = data {
            self.data.extend(fields.clone());
        }
        self
    }
}

/// Facts in batches as they were committed, events as they were numbered, counters as they were
/// folded.
#[derive(Default)]
pub(super) struct Ledger {
    pub(super) unnumbered: VecDeque<Vec<Fact>>,
    pub(super) events: BTreeMap<i64, Event>,
    pub(super) last: i64,
    /// How many jobs of a queue are in a state, as of the last event.
    pub(super) counters: BTreeMap<(String, State), i64>,
    /// How many jobs of a queue finished in a minute.
    minutes: BTreeMap<(i64, String), u32>,
    /// The end of the minute in which a job of a queue ended last.
    used: BTreeMap<String, Timestamp>,
    pub(super) rollups: RollupTable,
}

impl Ledger {
    /// Writes down what one transaction did.
    pub(super) fn tell(&mut self, facts: Vec<Fact>) {
        if !facts.is_empty() {
            self.unnumbered.push_back(facts);
        }
    }

    /// Numbers the next batch and folds it; says how many facts it had.
    pub(super) fn number_batch(&mut self) -> Option<u32> {
        let batch = self.unnumbered.pop_front()?;
        let count = u32::try_from(batch.len()).unwrap_or(u32::MAX);
        for fact in batch {
            self.number(fact);
        }
        Some(count)
    }

    fn number(&mut self, fact: Fact) {
        self.last += 1;
        self.rollups.mark(&fact);
        if let Some(moved) = &fact.moved {
            self.fold(moved, fact.at);
        }
        let event = Event {
            id: EventId {
                epoch: EPOCH,
                seq: self.last,
            },
            kind: fact.kind,
            subject: fact.subject,
            at: fact.at,
            data: Value::Object(fact.data),
        };
        self.events.insert(self.last, event);
    }

    fn fold(&mut self, moved: &Moved, at: Timestamp) {
        for (state, change) in moved.changes() {
            self.count(&moved.queue, state, change);
            self.rollups.count(&moved.queue, state, change, at);
        }
        if moved.to.is_terminal() {
            let minute = minute_of(at);
            let used = self.used.entry(moved.queue.clone()).or_default();
            *used = (*used).max(Timestamp::from_micros((minute + 1) * MINUTE));
            *self
                .minutes
                .entry((minute, moved.queue.clone()))
                .or_default() += 1;
            self.minutes = self.minutes.split_off(&(minute - MINUTES, String::new()));
        }
    }

    /// Changes a counter.
    pub(super) fn count(&mut self, queue: &str, state: State, change: i64) {
        *self.counters.entry((queue.to_owned(), state)).or_default() += change;
    }

    /// What a counter says.
    pub(super) fn counted(&self, queue: &str, state: State) -> i64 {
        let counter = self.counters.get(&(queue.to_owned(), state));
        counter.copied().unwrap_or(0)
    }

    /// What a counter will change by when everything is numbered.
    pub(super) fn unfolded(&self, queue: &str, state: State) -> i64 {
        let facts = self.unnumbered.iter().flatten();
        facts
            .filter_map(|fact| fact.moved.as_ref())
            .filter(|moved| moved.queue == queue)
            .flat_map(Moved::changes)
            .filter(|(changed, _)| *changed == state)
            .map(|(_, change)| change)
            .sum()
    }

    /// When a job of a queue ended last, to the minute.
    pub(super) fn used_at(&self, queue: &str) -> Timestamp {
        self.used.get(queue).copied().unwrap_or_default()
    }

    /// Forgets the counters of a queue.
    pub(super) fn forget(&mut self, queue: &str) {
        self.counters.retain(|(name, _), _| name != queue);
        self.minutes.retain(|(_, name), _| name != queue);
        self.used.remove(queue);
    }

    /// Jobs that end a second, over the last minute or as much of it as they have `run`.
    pub(super) fn per_second(&self, queue: &str, run: Duration, now: Timestamp) -> f64 {
        let [before, since] = [minute_of(now) - 1, minute_of(now)].map(|minute| {
            let ended = self.minutes.get(&(minute, queue.to_owned()));
            ended.copied().unwrap_or(0).into()
        });
        queue::per_second(before, since, run, now)
    }
}

impl Moved {
    fn changes(&self) -> impl Iterator<Item = (State, i64)> + use<> {
        let left = self.from.map(|from| (from, -1));
        left.into_iter().chain([(self.to, 1)])
    }
}

fn minute_of(at: Timestamp) -> i64 {
    at.as_micros().div_euclid(MINUTE)
}
