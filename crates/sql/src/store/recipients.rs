//! Recipients: who is reached, and the walk over those an audience means.

mod mark;
mod plan;
mod walk;

use std::{
    collections::{BTreeMap, HashMap},
    ops::RangeInclusive,
    sync::Arc,
};

use async_trait::async_trait;
use baton_domain::{
    Timestamp,
    audience::Audience,
    globe::Point,
    page::{Page, PageRequest},
    recipient::{MOST_TOPICS, Profile, Recipient},
};
use baton_ports::store::{
    AudienceCount, AudienceRange, Error, Members, Recipients, Result, UpsertOutcome, Urgency,
};
use serde::Serialize;

use self::mark::{marks_of, topic_mark};
use super::{SqlStore, audit_log::has_rows, first};
use crate::{
    row::{Row, Rows},
    statement as sql,
    value::{Params, Value, column, params},
};

/// How often a change is tried again after another one came first.
const RACES: usize = 8;

#[async_trait]
impl Recipients for SqlStore {
    async fn put_recipients(
        &self,
        profiles: &[Profile],
        now: Timestamp,
    ) -> Result<Vec<UpsertOutcome>> {
        if profiles.is_empty() {
            return Ok(Vec::new());
        }
        let _permit = self.admission.bulk(profiles.len()).await;
        let ids: Arc<[_]> = profiles.iter().map(|profile| profile.id.clone()).collect();
        let told = Arc::clone(&ids);
        let has_changed = move |rows: &Rows| {
            put(rows, &told).is_ok_and(|put| put.into_iter().any(UpsertOutcome::has_changed))
        };
        let params = columns(profiles, now);
        let known = self.operate_audited(&sql::recipients::PUT, params, has_changed);
        put(&known.await?, &ids)
    }

    async fn find_recipients(&self, ids: &[String], urgency: Urgency) -> Result<Vec<Recipient>> {
        let _interactive = (urgency == Urgency::Interactive).then(|| self.admission.interactive());
        let _permit = match urgency {
            Urgency::Interactive => None,
            Urgency::Bulk => self.admission.bulk(ids.len()).await,
        };
        let params = params! { ids: self.list(ids) };
        let rows = self.read(&sql::recipients::FIND, params).await?;
        Ok(self.readable("recipients", rows, read))
    }

    async fn recipients_between(&self, numbers: RangeInclusive<i64>) -> Result<Vec<Recipient>> {
        let (first, last) = numbers.into_inner();
        let limit = last.saturating_sub(first).saturating_add(1);
        let _permit = self
            .admission
            .bulk(usize::try_from(limit).unwrap_or(0))
            .await;
        let params = params! { after: first.saturating_sub(1), until: last, limit: limit };
        let rows = self.read(&sql::recipients::WALK_ALL, params).await?;
        Ok(self.readable("recipients", rows, read))
    }

    async fn recipients(&self, page: &PageRequest) -> Result<Page<Recipient>> {
        let before = page.cursor()?.unwrap_or(i64::MAX);
        let params = params! { before: before, limit: page.limit + 1 };
        let rows = self.read(&sql::recipients::LIST, params).await?;
        let cursor = |row: &Row| Ok(row.clone().cells("recipients").int("number")?.to_string());
        Ok(self.page("recipients", rows, page.limit, read, cursor))
    }

    async fn recipient_ids(&self, from: &str, limit: u32) -> Result<Vec<String>> {
        let params = params! { from: from, limit: limit };
        let rows = self.read(&sql::recipients::BEGINNING, params).await?;
        let id = |row: Row| row.cells("recipients").text("id");
        Ok(self.readable("recipients", rows, id))
    }

    async fn delete_recipient(&self, id: &str) -> Result<bool> {
        let params = params! { id: id };
        let deleted = self.operate_audited(&sql::recipients::DELETE, params, has_rows);
        Ok(has_rows(&deleted.await?))
    }

    async fn switch_topic(&self, id: &str, topic: &str, on: bool, now: Timestamp) -> Result<bool> {
        for _ in 0..RACES {
            let Some(recipient) = self.recipient(id).await? else {
                return Ok(false);
            };
            let Some(params) = switched(&recipient, topic, on, now) else {
                return Ok(false);
            };
            if !self
                .operate(&sql::recipients::SWITCH_TOPIC, params)
                .await?
                .is_empty()
            {
                return Ok(true);
            }
        }
        Err(overtaken(id))
    }

    async fn bury_address(
        &self,
        id: &str,
        channel: &str,
        address: &str,
        now: Timestamp,
    ) -> Result<bool> {
        for _ in 0..RACES {
            let recipient = self.recipient(id).await?;
            let Some(recipient) = recipient.filter(|known| known.address(channel) == Some(address))
            else {
                return Ok(false);
            };
            let params = buried(&recipient, channel, address, now);
            if !self
                .operate(&sql::recipients::BURY_ADDRESS, params)
                .await?
                .is_empty()
            {
                return Ok(true);
            }
        }
        Err(overtaken(id))
    }

    async fn joined(&self) -> Result<i64> {
        let row = first(self.read(&sql::recipients::JOINED, params! {}).await?);
        row.map_or(Ok(0), |row| row.cells("recipient_numbers").int("last"))
    }

    async fn members(&self, walk: &AudienceRange<'_>, limit: u32) -> Result<Members> {
        self.walk(walk, limit as usize).await
    }

    async fn count_members(&self, audience: &Audience, until: i64) -> Result<AudienceCount> {
        self.count(audience, until).await
    }
}

impl SqlStore {
    async fn recipient(&self, id: &str) -> Result<Option<Recipient>> {
        let mut found = self
            .find_recipients(&[id.to_owned()], Urgency::Bulk)
            .await?;
        Ok(found.pop())
    }

    /// Whether one of these was erased or is being erased.
    pub(super) async fn are_erasing(&self, ids: &[String], numbers: &[i64]) -> Result<bool> {
        let params = params! { recipients: self.list(ids), numbers: self.list(numbers) };
        Ok(!self.read(&sql::erasures::MARKED, params).await?.is_empty())
    }

    /// Those of these numbers that there are, in their order.
    pub(super) async fn numbered(&self, numbers: &[i64]) -> Result<Vec<Recipient>> {
        let params = params! { numbers: self.list(numbers) };
        let rows = self.read(&sql::recipients::NUMBERED, params).await?;
        Ok(self.readable("recipients", rows, read))
    }

    /// Many values for a statement that runs once: JSON text for SQLite, which runs one for each of a list.
    pub(super) fn list<T: Serialize + Clone + Into<Value>>(&self, values: &[T]) -> Value {
        match self.kernel.dialect() {
            "sqlite" => Value::Text(json(values)),
            _ => column(values, Clone::clone),
        }
    }
}

fn overtaken(id: &str) -> Error {
    Error::Unavailable(format!("recipient {id:?} keeps changing"))
}

fn json<T: Serialize + ?Sized>(value: &T) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// A batch as the statement takes it: column by column.
fn columns(profiles: &[Profile], now: Timestamp) -> Params {
    let nths = 0..i64::try_from(profiles.len()).unwrap_or(i64::MAX);
    params! {
        nths: nths.collect::<Vec<_>>(),
        ids: column(profiles, |profile| profile.id.clone()),
        platforms: column(profiles, |profile| profile.platform.clone()),
        lats: column(profiles, |profile| profile.location.map(|point| point.lat)),
        lons: column(profiles, |profile| profile.location.map(|point| point.lon)),
        topics: column(profiles, |profile| json(&profile.topics)),
        enabled: column(profiles, |profile| profile.enabled),
        addresses: column(profiles, |profile| json(&profile.addresses)),
        time_zones: column(profiles, |profile| profile.time_zone.clone()),
        locales: column(profiles, |profile| profile.locale.clone()),
        marks: column(profiles, |profile| json(&marks_of(profile))),
        now: now,
    }
}

/// What became of each of these.
fn put(rows: &Rows, ids: &[String]) -> Result<Vec<UpsertOutcome>> {
    let known = outcomes(rows)?;
    let one = |id| known.get(id).copied().unwrap_or(UpsertOutcome::Added);
    Ok(ids.iter().map(one).collect())
}

/// What became of those that were known, by id.
fn outcomes(rows: &Rows) -> Result<HashMap<String, UpsertOutcome>> {
    let outcome = |row: Row| {
        let mut cells = row.cells("recipients");
        let id = cells.text("id")?;
        let put = match cells.maybe_int("is_changed")? {
            None => UpsertOutcome::Erasing,
            Some(0) => UpsertOutcome::Unchanged,
            Some(_) => UpsertOutcome::Changed,
        };
        Ok((id, put))
    };
    rows.iter().cloned().map(outcome).collect()
}

fn switched(recipient: &Recipient, topic: &str, on: bool, now: Timestamp) -> Option<Params> {
    let old = &recipient.profile;
    let mut new = old.clone();
    let has_changed = if on {
        old.topics.len() < MOST_TOPICS && new.topics.insert(topic.to_owned())
    } else {
        new.topics.remove(topic)
    };
    has_changed.then(|| {
        params! {
            number: recipient.number, on: on, mark: topic_mark(topic), now: now,
            old_topics: json(&old.topics), old_marks: json(&marks_of(old)),
            topics: json(&new.topics), marks: json(&marks_of(&new)),
        }
    })
}

fn buried(recipient: &Recipient, channel: &str, address: &str, now: Timestamp) -> Params {
    let mut dead: BTreeMap<_, _> = recipient.dead.clone();
    dead.insert(channel.to_owned(), address.to_owned());
    params! {
        number: recipient.number, now: now, addresses: json(&recipient.profile.addresses),
        old_dead: json(&recipient.dead), dead: json(&dead),
    }
}

fn read(row: Row) -> Result<Recipient> {
    let mut cells = row.cells("recipients");
    let cells = &mut cells;
    let number = cells.int("number")?;
    let (id, platform) = (cells.text("id")?, cells.text("platform")?);
    let location = cells.maybe_float("lat")?.zip(cells.maybe_float("lon")?);
    let profile = Profile {
        id,
        platform,
        location: location.map(|(lat, lon)| Point { lat, lon }),
        topics: cells.json("topics")?,
        enabled: cells.truth("enabled")?,
        addresses: cells.json("addresses")?,
        time_zone: cells.maybe_text("time_zone")?,
        locale: cells.maybe_text("locale")?,
    };
    Ok(Recipient {
        number,
        profile,
        dead: cells.json("dead")?,
        created_at: cells.time("created_at")?,
        updated_at: cells.time("updated_at")?,
    })
}
