//! Names instead of ids: what campaigns and schedules are called, so that no page says an id to a person.
//!
//! What something is called never changes, so each is asked for once and remembered.

use std::{collections::HashMap, sync::Arc};

use baton_domain::{CampaignId, ScheduleId, audit::AuditEntry, event::Event, queue::Queue};
use baton_engine::Caller;

use crate::view::short;

/// How many are asked for at one look: a store that has just started is not asked for thousands at once.
const ASKED: usize = 8;
/// How many are remembered before all are forgotten.
const MOST: usize = 10_000;

/// What campaigns and schedules are called, by their ids.
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

    /// These names, and those of whatever has one of these ids.
    pub async fn and_of(self, engine: &Caller, ids: impl Iterator<Item = &str>) -> Self {
        let unknown = ids.filter(|id| self.known(id).is_none());
        let mut found = Vec::new();
        for id in unknown.filter(|id| has_a_name(id)).take(ASKED) {
            found.extend(name_of(engine, id).await.map(|name| (id.to_owned(), name)));
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
    id.parse::<CampaignId>().is_ok() || id.parse::<ScheduleId>().is_ok()
}

/// Something that is gone is called by its id.
async fn name_of(engine: &Caller, id: &str) -> Option<String> {
    if let Ok(campaign) = id.parse() {
        return Some(engine.campaign(campaign).await.ok()?.plan.name);
    }
    let schedule = id.parse().ok()?;
    Some(engine.schedule(schedule).await.ok()?.plan.name)
}
