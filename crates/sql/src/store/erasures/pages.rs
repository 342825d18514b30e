//! A page of each stage: what of it names the person, and what is written in its place.

use baton_domain::{
    JobId,
    campaign::Plan,
    erasure::{PAYLOAD, Person, Stage, WORD},
    notification::Sent,
    schedule::Template,
};
use baton_ports::store::{Error, Result};
use serde_json::Value as Json;
use uuid::Uuid;

use super::{Erasure, SqlStore};
use crate::{
    row::{Cells, Row, Rows},
    statement::{
        ERASURES_BLANK, ERASURES_CAMPAIGNS, ERASURES_DEAD_LETTERS, ERASURES_DELIVERIES,
        ERASURES_EVENTS, ERASURES_FACTS, ERASURES_NOTIFICATIONS, ERASURES_REWRITE_CAMPAIGNS,
        ERASURES_REWRITE_DEAD_LETTERS, ERASURES_REWRITE_EVENTS, ERASURES_REWRITE_FACTS,
        ERASURES_REWRITE_NOTIFICATIONS, ERASURES_REWRITE_SCHEDULES, ERASURES_SCHEDULES, Script,
    },
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
}

impl Page {
    /// Has these rows written anew by a script.
    fn write<T>(&mut self, rows: &[T], script: &'static Script, params: impl FnOnce() -> Params) {
        if !rows.is_empty() {
            self.found += u32::try_from(rows.len()).unwrap_or(u32::MAX);
            self.scripts.push((script, params()));
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
        match erasure.stage {
            Stage::Schedules => {
                schedules(self.read(&ERASURES_SCHEDULES, by_id(few)?).await?, person)
            }
            Stage::Deliveries => deliveries(
                self.read(&ERASURES_DELIVERIES, by_id(limit)?).await?,
                person,
            ),
            Stage::Campaigns => {
                campaigns(self.read(&ERASURES_CAMPAIGNS, by_id(few)?).await?, person)
            }
            Stage::Notifications => {
                let rows = self.read(&ERASURES_NOTIFICATIONS, by_id(limit)?).await?;
                notifications(rows, person)
            }
            Stage::Facts => {
                let rows = self.read(&ERASURES_FACTS, by_number()?).await?;
                facts(rows, person, &ERASURES_REWRITE_FACTS)
            }
            Stage::Events => {
                let rows = self.read(&ERASURES_EVENTS, by_number()?).await?;
                facts(rows, person, &ERASURES_REWRITE_EVENTS)
            }
            Stage::DeadLetters => {
                let params = params! { cursor: cursor, limit: limit, erased: PAYLOAD };
                dead_letters(self.read(&ERASURES_DEAD_LETTERS, params).await?, person)
            }
        }
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

fn schedules(rows: Rows, person: &Person) -> Result<Page> {
    let (mut page, mut changed) = (Page::default(), Vec::new());
    for row in rows {
        let mut cells = row.cells("schedules");
        let id = next(&mut page, &mut cells)?;
        let Some(mut template) = readable(id, cells.json::<Template>("template")) else {
            continue;
        };
        if person.leave_template(&mut template) {
            changed.push((id, cells.int("revision")?, json(&template)));
        }
    }
    page.write(&changed, &ERASURES_REWRITE_SCHEDULES, || {
        params! {
            ids: column(&changed, |row| row.0),
            revisions: column(&changed, |row| row.1),
            templates: column(&changed, |row| row.2.clone()),
        }
    });
    Ok(page)
}

fn deliveries(rows: Rows, person: &Person) -> Result<Page> {
    let (mut page, mut theirs) = (Page::default(), Vec::new());
    for row in rows {
        let mut cells = row.cells("jobs");
        let id = next(&mut page, &mut cells)?;
        let (payload, key) = (cells.maybe_text("payload")?, cells.maybe_text("key")?);
        let mut tags: Vec<String> = cells.json_or_default("tags").unwrap_or_default();
        let kind = baton_domain::delivery::KIND;
        if payload.is_some_and(|payload| person.is_reached_by(kind, &payload)) {
            tags.retain(|tag| !person.is_quoted_by(tag));
            theirs.push((id, keeps(key.as_deref(), person), json(&tags)));
        }
    }
    page.deliveries = theirs.iter().map(|row| JobId::from_uuid(row.0)).collect();
    page.write(&theirs, &ERASURES_BLANK, || {
        params! {
            ids: column(&theirs, |row| row.0),
            keeps_keys: column(&theirs, |row| row.1),
            tags: column(&theirs, |row| row.2.clone()),
            erased: PAYLOAD, word: WORD,
        }
    });
    Ok(page)
}

fn campaigns(rows: Rows, person: &Person) -> Result<Page> {
    let (mut page, mut changed) = (Page::default(), Vec::new());
    for row in rows {
        let mut cells = row.cells("campaigns");
        let id = next(&mut page, &mut cells)?;
        let Some(mut plan) = readable(id, cells.json::<Plan>("plan")) else {
            continue;
        };
        let (key, why) = (cells.maybe_text("key")?, cells.maybe_text("why")?);
        let keeps_key = keeps(key.as_deref(), person);
        let why = why.filter(|why| person.is_quoted_by(why));
        if person.leave_plan(&mut plan) || !keeps_key || why.is_some() {
            changed.push((id, json(&plan), keeps_key, why));
        }
    }
    page.write(&changed, &ERASURES_REWRITE_CAMPAIGNS, || {
        params! {
            ids: column(&changed, |row| row.0),
            plans: column(&changed, |row| row.1.clone()),
            keeps_keys: column(&changed, |row| row.2),
            whys: column(&changed, |row| row.3.clone()),
            word: WORD,
        }
    });
    Ok(page)
}

fn notifications(rows: Rows, person: &Person) -> Result<Page> {
    let (mut page, mut changed) = (Page::default(), Vec::new());
    for row in rows {
        let mut cells = row.cells("notifications");
        let id = next(&mut page, &mut cells)?;
        let (sent, key) = (cells.maybe_text("sent")?, cells.maybe_text("key")?);
        let Some(sent) = sent else { continue };
        let sent = read::<Vec<Sent>>("notifications", "sent", &sent);
        let Some(mut sent) = readable(id, sent) else {
            continue;
        };
        if person.leave_notice(&mut sent) {
            changed.push((id, json(&sent), keeps(key.as_deref(), person)));
        }
    }
    page.write(&changed, &ERASURES_REWRITE_NOTIFICATIONS, || {
        params! {
            ids: column(&changed, |row| row.0),
            sents: column(&changed, |row| row.1.clone()),
            keeps_keys: column(&changed, |row| row.2),
        }
    });
    Ok(page)
}

fn facts(rows: Rows, person: &Person, script: &'static Script) -> Result<Page> {
    let (mut page, mut changed) = (Page::default(), Vec::new());
    for row in rows {
        let fact = Fact::read(row)?;
        let place = fact.place;
        page.last = Some(place.to_string());
        changed.extend(readable(place, fact.without(person)).flatten());
    }
    page.write(&changed, script, || {
        params! {
            places: column(&changed, |fact| fact.place),
            datas: column(&changed, |fact| fact.data.clone()),
            items: column(&changed, |fact| fact.items.clone()),
        }
    });
    Ok(page)
}

/// A fact, without what everybody may know of it.
struct Fact {
    place: i64,
    kind: String,
    data: Option<String>,
    items: Option<String>,
    /// Which of its subjects are deliveries to the person.
    theirs: Vec<usize>,
}

impl Fact {
    fn read(row: Row) -> Result<Self> {
        let mut cells = row.cells("facts");
        Ok(Self {
            place: cells.int("place")?,
            kind: cells.text("type")?,
            data: cells.maybe_text("data")?,
            items: cells.maybe_text("items")?,
            theirs: match cells.maybe_text("places")? {
                Some(places) => read("facts", "subjects", &places)?,
                None => Vec::new(),
            },
        })
    }

    /// The fact without the person; `None` if they are not in it.
    fn without(self, person: &Person) -> Result<Option<Self>> {
        let (data, is_named) = redacted(self.data, |data| person.redact(data))?;
        let (kind, theirs) = (self.kind, self.theirs);
        let (items, is_told) = redacted(self.items, |items| {
            let hushed = theirs
                .iter()
                .map(|place| hush(&kind, items.get_mut(*place)));
            let is_hushed = hushed.fold(false, |any, one| any | one);
            person.redact(items) | is_hushed
        })?;
        Ok((is_named || is_told).then_some(Self {
            data,
            items,
            place: self.place,
            kind,
            theirs,
        }))
    }
}

/// JSON text as a change leaves it, and whether it changed anything.
fn redacted(
    text: Option<String>,
    change: impl FnOnce(&mut Json) -> bool,
) -> Result<(Option<String>, bool)> {
    let Some(text) = text else {
        return Ok((None, false));
    };
    let mut value: Json = read("facts", "items", &text)?;
    Ok(match change(&mut value) {
        true => (Some(value.to_string()), true),
        false => (Some(text), false),
    })
}

/// Takes the words of others out of what is told of a delivery.
fn hush(kind: &str, item: Option<&mut Json>) -> bool {
    let Some(item) = item.and_then(Json::as_object_mut) else {
        return false;
    };
    let message = item.get_mut("message").filter(|message| **message != WORD);
    let message = message.map(|message| *message = WORD.into());
    let is_wish = ["job.canceled", "job.cancel_asked"].contains(&kind);
    let reason = if is_wish { item.remove("reason") } else { None };
    message.is_some() || reason.is_some()
}

fn dead_letters(rows: Rows, person: &Person) -> Result<Page> {
    let (mut page, mut changed) = (Page::default(), Vec::new());
    for row in rows {
        let mut cells = row.cells("dead_letter_groups");
        let (group, message) = (cells.text("fingerprint")?, cells.text("message")?);
        page.last = Some(group.clone());
        let is_theirs = cells.truth("sample_job")? && message != WORD;
        if is_theirs || person.is_quoted_by(&message) {
            changed.push((group, message));
        }
    }
    page.write(&changed, &ERASURES_REWRITE_DEAD_LETTERS, || {
        params! {
            groups: column(&changed, |row| row.0.clone()),
            messages: column(&changed, |row| row.1.clone()),
            word: WORD,
        }
    });
    Ok(page)
}

/// The id of the next row, which is the last one so far.
fn next(page: &mut Page, cells: &mut Cells) -> Result<Uuid> {
    let id = cells.uuid("id")?;
    page.last = Some(id.to_string());
    Ok(id)
}

/// What of a row can be read. One that cannot must not hold up the erasure of everything else; it is told of,
/// for it may hold what should have gone.
fn readable<T>(row: impl std::fmt::Display, read: Result<T>) -> Option<T> {
    read.map_err(
        |error| tracing::error!(%row, %error, "a row cannot be read, and nobody is erased from it"),
    )
    .ok()
}

/// Whether a key stays: it does not say whom it is about.
fn keeps(key: Option<&str>, person: &Person) -> bool {
    !key.is_some_and(|key| person.is_quoted_by(key))
}

fn json<T: serde::Serialize>(value: &T) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

fn read<T: serde::de::DeserializeOwned>(
    table: &'static str,
    column: &'static str,
    text: &str,
) -> Result<T> {
    serde_json::from_str(text).map_err(|error| Error::Corrupt {
        table,
        column,
        message: error.to_string(),
    })
}
