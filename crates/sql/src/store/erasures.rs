//! Erasing a person: page by page through everything that can name them.
//!
//! A page is read, what names the person is written anew, and the cursor moves, in one transaction that
//! names the cursor it began at. What was read cannot have changed meanwhile: payloads, facts and plans are never
//! written twice but here, and what can be names what it was.

mod pages;

use std::collections::BTreeMap;

use async_trait::async_trait;
use baton_domain::{
    JobId, Lifecycle, OperationId, Timestamp,
    erasure::{Person, Stage, values_in},
    job::{State, Trigger},
    operation::{Action, Operation},
};
use baton_ports::store::{Erasing, Erasures, Error, Jobs, Result, UnclaimedTransition};
use serde::Serialize;
use serde_json::{Value as Json, json};

use self::pages::Page;
use super::{SqlStore, events, first};
use crate::{
    kernel::{ConnectionPool, Unit},
    row::{Cells, Row, Rows},
    statement as sql,
    value::params,
};

/// How many unfinished ones are looked at for one that can be read.
const MANY: u32 = 100;

#[async_trait]
impl Erasures for SqlStore {
    async fn begin_erasure(
        &self,
        id: OperationId,
        recipient: &str,
        now: Timestamp,
    ) -> Result<Operation> {
        match self.mark(id, recipient, None, now).await {
            Err(Error::Refused(_) | Error::Corrupt { .. }) => {
                let addresses = self.addresses_of(recipient).await?;
                self.mark(id, recipient, Some(addresses), now).await
            }
            begun => begun,
        }
    }

    async fn step_erasure(&self, limit: u32, now: Timestamp) -> Result<Option<Erasing>> {
        let rows = self.read(&sql::erasures::UNFINISHED, params! { limit: MANY });
        for erasure in self.readable("erasures", rows.await?, Erasure::read) {
            let step = match self.step_of(&erasure, limit, now).await {
                Err(error) if is_of_a_row(&error) => self.fewer(&erasure, limit, now).await,
                step => step,
            };
            match step {
                // The next one goes on.
                Err(error @ Error::Corrupt { .. }) => {
                    let id = erasure.operation.id.uuid();
                    self.note_unreadable("erasures", id.to_string(), &error);
                }
                step => return step.map(Some),
            }
        }
        Ok(None)
    }
}

/// An erasure that has not ended.
struct Erasure {
    operation: Operation,
    stage: Stage,
    person: Person,
    cursor: String,
}

impl Erasure {
    fn read(row: Row) -> Result<Self> {
        let mut cells = row.cells("erasures");
        let operation = operation(&mut cells)?;
        let (recipient, addresses) = (cells.text("recipient")?, cells.json("addresses")?);
        Ok(Self {
            stage: operation.stage.unwrap_or(Stage::Schedules),
            person: Person::new(recipient, addresses, operation.id),
            operation,
            cursor: cells.text("cursor")?,
        })
    }

    /// Where it goes on after a page: in its stage, or in the next one.
    fn after(&self, page: &Page) -> Option<(Stage, String)> {
        match &page.last {
            Some(last) => Some((self.stage, last.clone())),
            None => Some((self.stage.next()?, String::new())),
        }
    }
}

impl SqlStore {
    /// Marks a person as being erased. The addresses of a row that can be taken apart are not given.
    async fn mark(
        &self,
        id: OperationId,
        recipient: &str,
        addresses: Option<String>,
        now: Timestamp,
    ) -> Result<Operation> {
        let quoted = Json::from(recipient).to_string();
        let within = Json::from(quoted.as_str()).to_string();
        let params = params! {
            id: id.uuid(), subject: id.to_string(), recipient: recipient, addresses: addresses, now: now,
            quoted_within: &within[1..within.len() - 1], quoted: quoted,
        };
        let begun = self.operate_audited(&sql::erasures::BEGIN, params, move |rows| {
            is_begun(rows, id, now)
        });
        let row = first(begun.await?);
        let row = row.ok_or_else(|| Error::Refused("no erasure was begun".to_owned()))?;
        operation(&mut row.cells("erasures"))
    }

    /// What can be read of the addresses of a recipient.
    async fn addresses_of(&self, recipient: &str) -> Result<String> {
        let rows = self.read(&sql::erasures::ADDRESSES, params! { recipient: recipient });
        let mut addresses = Vec::new();
        for row in rows.await? {
            let mut cells = row.cells("recipients");
            cells.skip();
            for column in ["addresses", "dead"] {
                let text = cells.maybe_text(column)?.unwrap_or_default();
                let kept: Option<BTreeMap<String, String>> = serde_json::from_str(&text).ok();
                let read = kept.map(|kept| kept.into_values().collect());
                addresses.extend(read.unwrap_or_else(|| values_in(&text)));
            }
        }
        Ok(json!(addresses).to_string())
    }

    async fn step_of(&self, erasure: &Erasure, limit: u32, now: Timestamp) -> Result<Erasing> {
        let page = self.page_of(erasure, limit).await?;
        let running = self.stop(&page.deliveries, now).await?;
        if running > 0 {
            let operation = erasure.operation.clone();
            return Ok(Erasing { operation, running });
        }
        self.write_page(erasure, page, now).await
    }

    /// Takes a smaller step, for the database did not take one of the rows. Where that one stands alone it is passed
    /// over, and told: it may hold what should have gone.
    async fn fewer(&self, erasure: &Erasure, mut limit: u32, now: Timestamp) -> Result<Erasing> {
        loop {
            limit /= 2;
            match self.step_of(erasure, limit.max(1), now).await {
                Err(error) if is_of_a_row(&error) && limit > 1 => {}
                Err(error) if is_of_a_row(&error) => {
                    let Page { last, .. } = self.page_of(erasure, 1).await?;
                    let row = last.clone().unwrap_or_default();
                    tracing::error!(stage = %erasure.stage, row, %error, "a row cannot be written, and nobody is erased from it");
                    self.note_unreadable(table_of(erasure.stage), row, &error);
                    let passed = Page {
                        last,
                        ..Page::default()
                    };
                    return self.write_page(erasure, passed, now).await;
                }
                step => return step,
            }
        }
    }

    /// Whether something that is kept as JSON names somebody who is being erased, as its statement sees it.
    pub(super) async fn names_erased<T: Serialize + Sync>(&self, kept: &T) -> Result<bool> {
        let text = serde_json::to_string(kept).unwrap_or_default();
        let rows = self.read(&sql::erasures::MARKS, params! {}).await?;
        let mut marks = rows.into_iter().filter_map(|row| {
            let mut cells = row.cells("erasures");
            let id = cells.uuid("id").ok()?;
            let read = cells
                .text("quoted")
                .and_then(|quoted| Ok([quoted, cells.text("quoted_within")?]));
            let noted = |error| self.note_unreadable("erasures", id.to_string(), &error);
            read.map_err(noted).ok()
        });
        Ok(marks.any(|mark| mark.iter().any(|mark| text.contains(mark))))
    }

    /// Cancels deliveries that are not done, and says how many still run. What cannot be read of one holds up nobody:
    /// what it carries goes.
    async fn stop(&self, deliveries: &[JobId], now: Timestamp) -> Result<u32> {
        let mut live = 0;
        for (job, state) in self.states(deliveries).await? {
            let is_stopped = match state {
                state if state.is_terminal() => true,
                State::Running => {
                    self.request_cancel(job, None, now).await?;
                    false
                }
                state => match self.cancel(job, state, now).await {
                    Err(error) if is_of_a_row(&error) => {
                        self.note_unreadable("jobs", job.uuid().to_string(), &error);
                        true
                    }
                    is_canceled => is_canceled?,
                },
            };
            live += u32::from(!is_stopped);
        }
        Ok(live)
    }

    /// The states of those that can be told; nobody runs the others.
    async fn states(&self, jobs: &[JobId]) -> Result<Vec<(JobId, State)>> {
        if jobs.is_empty() {
            return Ok(Vec::new());
        }
        let ids: Vec<_> = jobs.iter().map(|job| job.uuid()).collect();
        let rows = self.read(&sql::erasures::STATES, params! { ids: self.list(&ids) });
        let states = self.readable("job_places", rows.await?, |row| {
            let mut cells = row.cells("job_places");
            let job = JobId::from_uuid(cells.uuid("id")?);
            let (state, is_held) = (cells.word("state")?, cells.truth("until")?);
            Ok((job, state, is_held))
        });
        // One that is nowhere any more is said to run.
        let states = states.into_iter();
        let is_told =
            |(_, state, is_held): &(JobId, State, bool)| *state != State::Running || *is_held;
        Ok(states
            .filter(is_told)
            .map(|(job, state, _)| (job, state))
            .collect())
    }

    async fn cancel(&self, job: JobId, from: State, now: Timestamp) -> Result<bool> {
        let Ok(transition) = from.on(Trigger::Cancel) else {
            return Ok(false);
        };
        let change = UnclaimedTransition {
            afresh: false,
            job,
            transition,
            reason: None,
        };
        self.transition(&change, now).await
    }

    /// Writes a page anew, and moves the cursor behind it.
    async fn write_page(&self, erasure: &Erasure, page: Page, now: Timestamp) -> Result<Erasing> {
        let operation = &erasure.operation;
        let mut moved = params! {
            id: operation.id.uuid(), stage: erasure.stage.as_str(), cursor: erasure.cursor.clone(),
            found: page.found, now: now,
        };
        let mut scripts = if let Some((stage, cursor)) = erasure.after(&page) {
            moved.extend(params! { to_stage: stage.as_str(), to_cursor: cursor });
            vec![(&sql::erasures::ADVANCE, moved)]
        } else {
            let note = baton_ports::store::NewEvent {
                kind: "operation.finished".to_owned(),
                subject: operation.id.to_string(),
                data: json!({}),
            };
            vec![
                (&sql::erasures::FINISH, moved),
                (&sql::erasures::FORGET_REFUSED, Vec::new()),
                (&sql::events::NOTE, events::noted(&note, now)),
            ]
        };
        scripts.extend(page.scripts);
        let unit = Unit {
            scripts,
            // Another node was quicker: what this one was about to write is written.
            keep: Some(Box::new(|rows| {
                rows.first().is_some_and(|rows| !rows.is_empty())
            })),
        };
        let rows = self.kernel.transact(ConnectionPool::Front, unit).await?;
        let moved = rows.into_iter().next().and_then(first);
        let operation = match moved {
            Some(row) => self::operation(&mut row.cells("erasures"))?,
            None => erasure.operation.clone(),
        };
        Ok(Erasing {
            operation,
            running: 0,
        })
    }
}

/// Where the rows of a stage are.
const fn table_of(stage: Stage) -> &'static str {
    match stage {
        Stage::Schedules => "schedules",
        Stage::Deliveries => "jobs",
        Stage::Campaigns => "campaigns",
        Stage::Notifications => "notifications",
        Stage::Facts | Stage::Events => "facts",
        Stage::DeadLetters => "dead_letter_groups",
    }
}

/// Whether the database has taken something about a row amiss, and not gone away.
const fn is_of_a_row(error: &Error) -> bool {
    matches!(error, Error::Refused(_) | Error::Corrupt { .. })
}

/// Whether the erasure that a row tells of is this one, begun at this moment.
fn is_begun(rows: &Rows, id: OperationId, now: Timestamp) -> bool {
    let row = rows.first().cloned();
    let told = row.map(|row| operation(&mut row.cells("erasures")));
    told.is_some_and(|told| told.is_ok_and(|told| told.id == id && told.created_at == now))
}

/// An erasure as an operation; it says as many as it has changed.
fn operation(cells: &mut Cells) -> Result<Operation> {
    let id = OperationId::from_uuid(cells.uuid("id")?);
    let done = cells.count("done")?;
    let created_at = cells.time("created_at")?;
    Ok(Operation {
        total: done,
        done,
        finished_at: cells.maybe_time("finished_at")?,
        stage: cells.maybe_word("stage")?,
        ..Operation::begun(id, Action::Erase, created_at)
    })
}
