//! Erasing a person: page by page through everything that can name them.
//!
//! A page is read, what names the person is written anew, and the cursor moves, in one transaction that
//! names the cursor it began at. What was read cannot have changed meanwhile: payloads, facts and plans are never
//! written twice but here, and what can be names what it was.

mod pages;

use async_trait::async_trait;
use baton_domain::{
    JobId, Lifecycle, OperationId, Timestamp,
    erasure::{Person, Stage},
    job::{Event, State},
    operation::{Action, DeadLetterFilter, Operation},
};
use baton_ports::store::{Erasing, Erasures, Error, Jobs, Result, Shift};
use serde::Serialize;
use serde_json::{Value as Json, json};

use self::pages::Page;
use super::{SqlStore, events, first};
use crate::{
    kernel::{Lane, Unit},
    row::{Cells, Row},
    statement::{
        ERASURES_ADVANCE, ERASURES_BEGIN, ERASURES_FINISH, ERASURES_MARKS, ERASURES_UNFINISHED,
        EVENTS_NOTE,
    },
    value::params,
};

#[async_trait]
impl Erasures for SqlStore {
    async fn begin_erasure(
        &self,
        id: OperationId,
        recipient: &str,
        now: Timestamp,
    ) -> Result<Operation> {
        let quoted = Json::from(recipient).to_string();
        let within = Json::from(quoted.as_str()).to_string();
        let params = params! {
            id: id.uuid(), subject: id.to_string(), recipient: recipient, now: now,
            quoted_within: &within[1..within.len() - 1], quoted: quoted,
        };
        let row = first(self.operate(&ERASURES_BEGIN, params).await?);
        let row = row.ok_or_else(|| Error::Refused("no erasure was begun".to_owned()))?;
        operation(&mut row.cells("erasures"))
    }

    async fn step_erasure(&self, limit: u32, now: Timestamp) -> Result<Option<Erasing>> {
        let Some(row) = first(self.read(&ERASURES_UNFINISHED, params! {}).await?) else {
            return Ok(None);
        };
        let erasure = Erasure::read(row)?;
        let page = self.page_of(&erasure, limit).await?;
        let running = self.stop(&page.deliveries, now).await?;
        if running > 0 {
            let operation = erasure.operation;
            return Ok(Some(Erasing { operation, running }));
        }
        self.write_page(erasure, page, now).await.map(Some)
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
    /// Whether something that is kept as JSON names somebody who is being erased, as its statement sees it.
    pub(super) async fn names_erased<T: Serialize + Sync>(&self, kept: &T) -> Result<bool> {
        let text = serde_json::to_string(kept).unwrap_or_default();
        for row in self.read(&ERASURES_MARKS, params! {}).await? {
            let mut cells = row.cells("erasures");
            let (quoted, within) = (cells.text("quoted")?, cells.text("quoted_within")?);
            if text.contains(&quoted) || text.contains(&within) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Cancels deliveries that are not done, and says how many still run.
    async fn stop(&self, deliveries: &[JobId], now: Timestamp) -> Result<u32> {
        let mut live = 0;
        for id in deliveries {
            let Some(job) = self.job(*id).await? else {
                continue;
            };
            if job.state.is_terminal() {
                continue;
            }
            let is_stopped = match job.state {
                State::Running => {
                    self.ask_cancel(*id, None, now).await?;
                    false
                }
                state => self.cancel(*id, state, now).await?,
            };
            live += u32::from(!is_stopped);
        }
        Ok(live)
    }

    async fn cancel(&self, job: JobId, from: State, now: Timestamp) -> Result<bool> {
        let Ok(transition) = from.on(Event::Cancel) else {
            return Ok(false);
        };
        let shift = Shift {
            job,
            transition,
            reason: None,
        };
        self.shift(&shift, now).await
    }

    /// Writes a page anew, and moves the cursor behind it.
    async fn write_page(&self, erasure: Erasure, page: Page, now: Timestamp) -> Result<Erasing> {
        let operation = &erasure.operation;
        let mut moved = params! {
            id: operation.id.uuid(), stage: erasure.stage.as_str(), cursor: erasure.cursor.clone(),
            found: page.found, now: now,
        };
        let mut scripts = match erasure.after(&page) {
            Some((stage, cursor)) => {
                moved.extend(params! { to_stage: stage.as_str(), to_cursor: cursor });
                vec![(&ERASURES_ADVANCE, moved)]
            }
            None => {
                let note = baton_ports::store::Note {
                    kind: "operation.finished".to_owned(),
                    subject: operation.id.to_string(),
                    data: json!({}),
                };
                vec![
                    (&ERASURES_FINISH, moved),
                    (&EVENTS_NOTE, events::noted(&note, now)),
                ]
            }
        };
        scripts.extend(page.scripts);
        let unit = Unit {
            scripts,
            // Another node was quicker: what this one was about to write is written.
            keep: Some(Box::new(|rows| {
                rows.first().is_some_and(|rows| !rows.is_empty())
            })),
        };
        let rows = self.kernel.transact(Lane::Front, unit).await?;
        let moved = rows.into_iter().next().and_then(first);
        let operation = match moved {
            Some(row) => self::operation(&mut row.cells("erasures"))?,
            None => erasure.operation,
        };
        Ok(Erasing {
            operation,
            running: 0,
        })
    }
}

/// An erasure as an operation; it says as many as it has changed.
fn operation(cells: &mut Cells) -> Result<Operation> {
    let id = OperationId::from_uuid(cells.uuid("id")?);
    let done = cells.count("done")?;
    Ok(Operation {
        id,
        action: Action::Erase,
        filter: DeadLetterFilter::default(),
        total: done,
        done,
        skipped: 0,
        created_at: cells.time("created_at")?,
        finished_at: cells.maybe_time("finished_at")?,
        stage: cells.maybe_word("stage")?,
    })
}
