//! Names instead of ids: what campaigns, schedules, users and keys are called, so that no page says an id to a person.
//!
//! What something is called never changes, so each is asked for once and remembered.

use std::{
    collections::{BTreeSet, HashMap},
    sync::Arc,
};

use baton_domain::{
    CampaignId, KeyId, ScheduleId, UserId, audit::AuditEntry, event::Event, page::PageRequest,
    queue::Queue,
};
use baton_engine::Caller;
use tokio::time::{Duration, Instant, timeout_at};

use crate::view::short;

/// How long is asked for them: a page is worth more than the names on it.
const TIMEOUT: Duration = Duration::from_secs(1);

/// How many are asked for at one look: a store that has just started is not asked for thousands at once.
const ASKED: usize = 8;
/// How many are remembered before all are forgotten.
const MOST: usize = 10_000;

/// What campaigns, schedules, users and keys are called, by their ids.
#[derive(Debug, Clone, Default)]
pub struct Names(Arc<HashMap<String, String>>);

impl Names {
    /// What this is called, if that is known.
    pub fn known(&self, id: &str) -> Option<&str> {
        self.0.get(id).map(String::as_str)
    }

    /// What this is called, or its id in little space.
    pub fn of(&self, id: &str) -> String {
        self.known(id).map_or_else(|| short(id), str::to_owned)
    }

    /// These names, and those of what stands in line, has happened or was done something to.
    pub async fn and_those_of(
        self,
        engine: &Caller,
        lines: &[Queue],
        events: &[Event],
        acts: &[AuditEntry],
    ) -> Self {
        let lines = lines.iter().map(|line| line.name.as_str());
        let subjects = events.iter().map(|event| event.subject.as_str());
        let objects = acts.iter().map(|entry| entry.object.as_str());
        self.and_of(engine, objects.chain(lines).chain(subjects))
            .await
    }

    /// These names, and those of whatever has one of these ids, of a few at a time.
    pub async fn and_of(self, engine: &Caller, ids: impl Iterator<Item = &str>) -> Self {
        self.and_up_to(ASKED, engine, ids).await
    }

    /// These names, and those of whatever has one of these ids, of so many at most.
    pub async fn and_up_to(
        self,
        most: usize,
        engine: &Caller,
        ids: impl Iterator<Item = &str>,
    ) -> Self {
        let unknown: BTreeSet<_> = ids.filter(|id| self.known(id).is_none()).collect();
        let (mut found, until) = (Vec::new(), Instant::now() + TIMEOUT);
        for id in unknown.iter().filter(|id| has_a_name(id)).take(most) {
            // What was found until then stays.
            let Ok(name) = timeout_at(until, name_of(engine, id)).await else {
                break;
            };
            found.extend(name.map(|name| ((*id).to_owned(), name)));
        }
        if unknown.iter().any(|id| id.parse::<UserId>().is_ok()) {
            let users = timeout_at(until, names_of_users(engine)).await;
            found.extend(users.unwrap_or_default());
        }
        if found.is_empty() {
            return self;
        }
        let mut names = if self.0.len() < MOST {
            (*self.0).clone()
        } else {
            HashMap::new()
        };
        names.extend(found);
        Self(Arc::new(names))
    }
}

/// The page of something that has one, below the mount.
pub fn page_of(id: &str) -> Option<String> {
    let rooms = [
        ("job_", "jobs"),
        ("cmp_", "campaigns"),
        ("sch_", "schedules"),
        ("op_", "operations"),
    ];
    let (_, room) = rooms.into_iter().find(|(mark, _)| id.starts_with(mark))?;
    Some(format!("/{room}/{id}"))
}

fn has_a_name(id: &str) -> bool {
    id.parse::<CampaignId>().is_ok()
        || id.parse::<ScheduleId>().is_ok()
        || id.parse::<KeyId>().is_ok()
}

/// Something that is gone is called by its id.
async fn name_of(engine: &Caller, id: &str) -> Option<String> {
    if let Ok(campaign) = id.parse() {
        return Some(engine.campaign(campaign).await.ok()?.plan.name);
    }
    if let Ok(schedule) = id.parse() {
        return Some(engine.schedule(schedule).await.ok()?.plan.name);
    }
    let key = id.parse().ok()?;
    Some(engine.key(key).await.ok()?.name)
}

/// Of the first page of users: nobody can be asked for by an id.
async fn names_of_users(engine: &Caller) -> Vec<(String, String)> {
    let page = PageRequest::first(PageRequest::MAX_LIMIT);
    let users = engine.users(&page).await.map(|users| users.items);
    let users = users.unwrap_or_default().into_iter();
    users.map(|user| (user.id.to_string(), user.name)).collect()
}
