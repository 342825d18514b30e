//! A page of each stage: what of it names the person, and what is written in its place.
//!
//! A row of which something cannot be read holds up nothing: it is told, and what names the person in it goes.

mod deliveries;
mod facts;

use std::fmt::Display;

use baton_domain::{
    JobId,
    campaign::CampaignDefinition,
    erasure::{PAYLOAD, Person, Stage, WORD},
    notification::Sent,
    schedule::Template,
};
use baton_ports::store::{Error, Result};
use serde::{Serialize, de::DeserializeOwned};
use uuid::Uuid;

use super::{Erasure, SqlStore};
use crate::{
    row::{Cells, Rows},
    statement::{self as sql, Script},
    value::{Params, column, params},
};

/// Rows of these hold as much as many of others: a fact tells of up to thousands of jobs, a plan names up to
/// thousands of people.
const LARGE: u32 = 20;

/// What is to be done about some rows.
#[derive(Default)]
pub struct Page {
    /// The last row that was looked at; `None` at the end.
    pub last: Option<String>,
    /// How many rows named the person.
    pub found: u32,
    /// The person's deliveries: they have to have ended first.
    pub deliveries: Vec<JobId>,
    /// What writes the rows anew.
    pub scripts: Vec<(&'static Script, Params)>,
    /// The rows of which something cannot be read, and what.
    pub unreadable: Vec<(String, Error)>,
}

impl Page {
    /// Has these rows written anew by a script.
    fn write<T>(&mut self, rows: &[T], script: &'static Script, params: impl FnOnce() -> Params) {
        if !rows.is_empty() {
            self.found += u32::try_from(rows.len()).unwrap_or(u32::MAX);
            self.scripts.push((script, params()));
        }
    }

    /// The id of the next row, which is the last one so far.
    fn next(&mut self, cells: &mut Cells) -> Option<Uuid> {
        let id = self.readable("a row without a name", cells.uuid("id"))?;
        self.last = Some(id.to_string());
        Some(id)
    }

    /// What of a row can be read. That it cannot is noted.
    fn readable<T>(&mut self, row: impl Display, read: Result<T>) -> Option<T> {
        let noted = |error| self.unreadable.push((row.to_string(), error));
        read.map_err(noted).ok()
    }

    /// A text that may be missing; what cannot be read is as if it were.
    fn text(&mut self, row: impl Display, read: Result<Option<String>>) -> Option<String> {
        self.readable(row, read).flatten()
    }

    /// JSON text without a person; `None`: they are not in it. What cannot be read as it should be loses what names
    /// them all the same.
    fn without<T: DeserializeOwned + Serialize>(
        &mut self,
        (table, row, column): (&'static str, &dyn Display, &'static str),
        text: &str,
        person: &Person,
        leave: impl FnOnce(&mut T) -> bool,
    ) -> Option<String> {
        match serde_json::from_str::<T>(text) {
            Ok(mut thing) => leave(&mut thing).then(|| json(&thing)),
            Err(error) => {
                let message = error.to_string();
                let error = Error::Corrupt {
                    table,
                    column,
                    message,
                };
                self.unreadable.push((row.to_string(), error));
                person.struck_from(text)
            }
        }
    }
}

impl SqlStore {
    /// The next page of an erasure.
    pub(super) async fn page_of(&self, erasure: &Erasure, limit: u32) -> Result<Page> {
        let (person, cursor) = (&erasure.person, erasure.cursor.as_str());
        let few = (limit / LARGE).max(1);
        let by_id = |limit: u32| -> Result<Params> {
            let cursor = id_after(cursor)?;
            Ok(params! { cursor: cursor, limit: limit, quoted: person.quoted() })
        };
        let by_number = || -> Result<Params> {
            let cursor = number_after(cursor)?;
            let traces = self.list(&person.traces());
            Ok(params! { cursor: cursor, limit: few, traces: traces, erased: PAYLOAD })
        };
        let page = match erasure.stage {
            Stage::Schedules => schedules(
                self.read(&sql::erasures::SCHEDULES, by_id(few)?).await?,
                person,
            ),
            Stage::Deliveries => deliveries::page(
                self.read(&sql::erasures::DELIVERIES, by_id(limit)?).await?,
                person,
            ),
            Stage::Campaigns => campaigns(
                self.read(&sql::erasures::CAMPAIGNS, by_id(few)?).await?,
                person,
            ),
            Stage::Notifications => {
                let rows = self
                    .read(&sql::erasures::NOTIFICATIONS, by_id(limit)?)
                    .await?;
                notifications(rows, person)
            }
            Stage::Facts => {
                let rows = self.read(&sql::erasures::FACTS, by_number()?).await?;
                facts::page(rows, person, &sql::erasures::REWRITE_FACTS)
            }
            Stage::Events => {
                let rows = self.read(&sql::erasures::EVENTS, by_number()?).await?;
                facts::page(rows, person, &sql::erasures::REWRITE_EVENTS)
            }
            Stage::DeadLetters => {
                let params = params! { cursor: cursor, limit: limit, erased: PAYLOAD };
                dead_letters(
                    self.read(&sql::erasures::DEAD_LETTERS, params).await?,
                    person,
                )
            }
        };
        for (row, error) in &page.unreadable {
            let table = match error {
                Error::Corrupt { table, .. } => table,
                _ => "rows",
            };
            self.note_unreadable(table, row.clone(), error);
        }
        Ok(page)
    }
}

fn id_after(cursor: &str) -> Result<Uuid> {
    match cursor {
        "" => Ok(Uuid::nil()),
        cursor => cursor.parse().map_err(|error| corrupt(&error)),
    }
}

fn number_after(cursor: &str) -> Result<i64> {
    match cursor {
        "" => Ok(0),
        cursor => cursor.parse().map_err(|error| corrupt(&error)),
    }
}

fn corrupt(error: &impl ToString) -> Error {
    Error::Corrupt {
        table: "erasures",
        column: "cursor",
        message: error.to_string(),
    }
}

fn schedules(rows: Rows, person: &Person) -> Page {
    let (mut page, mut changed) = (Page::default(), Vec::new());
    for row in rows {
        let mut cells = row.cells("schedules");
        let Some(id) = page.next(&mut cells) else {
            continue;
        };
        let template = page.text(id, cells.maybe_text("template"));
        let revision = page.readable(id, cells.int("revision"));
        let Some((template, revision)) = template.zip(revision) else {
            continue;
        };
        let place = ("schedules", &id as &dyn Display, "template");
        let leave = |template: &mut Template| person.leave_template(template);
        if let Some(left) = page.without(place, &template, person, leave) {
            changed.push((id, revision, left));
        }
    }
    page.write(&changed, &sql::erasures::REWRITE_SCHEDULES, || {
        params! {
            ids: column(&changed, |row| row.0),
            revisions: column(&changed, |row| row.1),
            templates: column(&changed, |row| row.2.clone()),
        }
    });
    page
}

fn campaigns(rows: Rows, person: &Person) -> Page {
    let (mut page, mut changed) = (Page::default(), Vec::new());
    for row in rows {
        let mut cells = row.cells("campaigns");
        let Some(id) = page.next(&mut cells) else {
            continue;
        };
        let plan = page.text(id, cells.maybe_text("plan")).unwrap_or_default();
        let key = page.text(id, cells.maybe_text("key"));
        let why = page.text(id, cells.maybe_text("why"));
        let place = ("campaigns", &id as &dyn Display, "plan");
        let leave = |plan: &mut CampaignDefinition| person.leave_plan(plan);
        let left = page.without(place, &plan, person, leave);
        let keeps_key = keeps(key.as_deref(), person);
        let why = why.filter(|why| person.is_quoted_by(why));
        if left.is_some() || !keeps_key || why.is_some() {
            changed.push((id, left.unwrap_or(plan), keeps_key, why));
        }
    }
    page.write(&changed, &sql::erasures::REWRITE_CAMPAIGNS, || {
        params! {
            ids: column(&changed, |row| row.0),
            plans: column(&changed, |row| row.1.clone()),
            keeps_keys: column(&changed, |row| row.2),
            whys: column(&changed, |row| row.3.clone()),
            word: WORD,
        }
    });
    page
}

fn notifications(rows: Rows, person: &Person) -> Page {
    let (mut page, mut changed) = (Page::default(), Vec::new());
    for row in rows {
        let mut cells = row.cells("notifications");
        let Some(id) = page.next(&mut cells) else {
            continue;
        };
        let sent = page.text(id, cells.maybe_text("sent"));
        let key = page.text(id, cells.maybe_text("key"));
        let Some(sent) = sent else { continue };
        let place = ("notifications", &id as &dyn Display, "sent");
        let leave = |sent: &mut Vec<Sent>| person.leave_notice(sent);
        if let Some(left) = page.without(place, &sent, person, leave) {
            changed.push((id, left, keeps(key.as_deref(), person)));
        }
    }
    page.write(&changed, &sql::erasures::REWRITE_NOTIFICATIONS, || {
        params! {
            ids: column(&changed, |row| row.0),
            sents: column(&changed, |row| row.1.clone()),
            keeps_keys: column(&changed, |row| row.2),
        }
    });
    page
}

fn dead_letters(rows: Rows, person: &Person) -> Page {
    let (mut page, mut changed) = (Page::default(), Vec::new());
    for row in rows {
        let mut cells = row.cells("dead_letter_groups");
        let Some(group) = page.readable("a row without a name", cells.text("fingerprint")) else {
            continue;
        };
        page.last = Some(group.clone());
        let message = page.text(&group, cells.maybe_text("message"));
        let is_theirs = cells.truth("sample_job").unwrap_or(true);
        let Some(message) = message else { continue };
        if is_theirs && message != WORD || person.is_quoted_by(&message) {
            changed.push((group, message));
        }
    }
    page.write(&changed, &sql::erasures::REWRITE_DEAD_LETTERS, || {
        params! {
            groups: column(&changed, |row| row.0.clone()),
            messages: column(&changed, |row| row.1.clone()),
            word: WORD,
        }
    });
    page
}

/// Whether a key stays: it does not say whom it is about.
fn keeps(key: Option<&str>, person: &Person) -> bool {
    !key.is_some_and(|key| person.is_quoted_by(key))
}

fn json<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).unwrap_or_default()
}
