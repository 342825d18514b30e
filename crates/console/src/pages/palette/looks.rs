//! Where the palette looks: what the page knows already, and a bounded part of the store.

use std::collections::BTreeSet;

use baton_domain::{access::Permission, page::PageRequest};
use baton_engine::{Caller, Error};
use baton_ports::store::JobFilter;

use super::sought::Sought;
use crate::{
    errors::PageError,
    overview_cache::patiently,
    pages::recipients,
    shell::Shell,
    view::{count, short},
};

/// How many of a sort are shown.
const FEW: u32 = 8;
/// How many of the newest of a sort are looked through.
const NEWEST: u32 = 100;

/// Something that was found.
pub struct Hit {
    /// What it is.
    pub sort: &'static str,
    /// What it is called.
    pub name: String,
    /// What tells it from others.
    pub more: String,
    /// Its page, below the mount.
    pub path: String,
}

/// What was found, and why some was not looked through.
#[derive(Default)]
pub struct Looked {
    /// What was found.
    pub found: Vec<Hit>,
    /// What kept it from being all.
    pub trouble: Option<String>,
}

impl Looked {
    /// Adds what was found elsewhere.
    pub fn and(&mut self, more: Self) {
        self.found.extend(more.found);
        self.trouble = self.trouble.take().or(more.trouble);
    }

    fn take(&mut self, found: Result<Vec<Hit>, PageError>) {
        match found {
            // The end of an id can be met at its beginning as well.
            Ok(hits) => {
                let mut met = BTreeSet::new();
                let fresh = hits.into_iter().filter(|hit| met.insert(hit.path.clone()));
                self.found.extend(fresh.take(FEW as usize));
            }
            Err(trouble) => self.trouble = Some(trouble.detail),
        }
    }
}

/// Rooms, queues and workers: the page knows them without asking anybody.
pub fn by_word(sought: &Sought, shell: &Shell) -> Looked {
    let rooms = shell.rooms().into_iter();
    let rooms = rooms.filter(|room| sought.is_in(room.title));
    let rooms = rooms.map(|room| Hit {
        sort: "room",
        name: room.title.to_owned(),
        more: format!("g {}", room.key),
        path: room.path.to_owned(),
    });
    let mut looked = Looked {
        found: rooms.collect(),
        trouble: None,
    };
    if !sought.text().is_empty() {
        looked.found.extend(queues(sought, shell));
        looked.found.extend(workers(sought, shell));
    }
    looked
}

fn queues<'a>(sought: &'a Sought, shell: &'a Shell) -> impl Iterator<Item = Hit> + 'a {
    let queues = shell.glance.queues().iter();
    let queues = queues.filter(|queue| sought.is_in(&queue.name));
    queues.take(FEW as usize).map(|queue| Hit {
        sort: "queue",
        name: queue.name.clone(),
        more: format!(
            "{} ready, {} running",
            count(queue.queued),
            count(queue.running)
        ),
        path: format!("/queues/{}", queue.name),
    })
}

fn workers<'a>(sought: &'a Sought, shell: &'a Shell) -> impl Iterator<Item = Hit> + 'a {
    let glance = &shell.glance;
    let workers = glance.workers().iter().filter(|one| glance.is_news(one));
    let named = workers.filter(|one| sought.is_in(&one.heartbeat.name));
    named.take(FEW as usize).map(|one| Hit {
        sort: "worker",
        name: one.heartbeat.name.clone(),
        more: "in the fleet".to_owned(),
        path: "/fleet".to_owned(),
    })
}

/// Everything else, each sort by itself: one that cannot be looked through keeps no other back.
pub async fn in_store(sought: &Sought, engine: &Caller) -> Looked {
    let mut looked = Looked::default();
    let (recipient, jobs, campaigns, schedules, operations) = tokio::join!(
        patiently(recipient(sought, engine)),
        patiently(jobs(sought, engine)),
        patiently(campaigns(sought, engine)),
        patiently(schedules(sought, engine)),
        patiently(operations(sought, engine)),
    );
    for found in [recipient, jobs, campaigns, schedules, operations] {
        looked.take(found);
    }
    looked
}

/// By the whole id alone: their ids can be addresses, and are not to be guessed at.
async fn recipient(sought: &Sought, engine: &Caller) -> baton_engine::Result<Vec<Hit>> {
    if !engine.may(Permission::RecipientsRead) {
        return Ok(Vec::new());
    }
    let found = match engine.recipient(sought.text()).await {
        Err(Error::NotFound { .. } | Error::Invalid(_)) => return Ok(Vec::new()),
        found => found?.profile,
    };
    Ok(vec![Hit {
        sort: "recipient",
        path: recipients::page_of(&found.id),
        more: found.platform,
        name: found.id,
    }])
}

async fn jobs(sought: &Sought, engine: &Caller) -> baton_engine::Result<Vec<Hit>> {
    let mut found = Vec::new();
    if engine.may(Permission::PayloadsRead) {
        let with_key = JobFilter {
            key: Some(sought.text().to_owned()),
            ..JobFilter::default()
        };
        found.extend(engine.jobs(&with_key, &newest(FEW)).await?.items);
    }
    if sought.can_be("job") {
        let all = JobFilter::default();
        for page in pages(sought, "job") {
            let jobs = engine.jobs(&all, &page).await?.items.into_iter();
            found.extend(jobs.filter(|job| sought.is_of(job.id)));
        }
    }
    let hits = found.into_iter().map(|job| Hit {
        sort: "job",
        name: format!("{} {}", job.kind, short(job.id)),
        more: match &job.key {
            Some(key) if key == sought.text() => {
                format!("{} in {}, with this key", job.state, job.queue)
            }
            _ => format!("{} in {}", job.state, job.queue),
        },
        path: format!("/jobs/{}", job.id),
    });
    Ok(hits.collect())
}

async fn campaigns(sought: &Sought, engine: &Caller) -> baton_engine::Result<Vec<Hit>> {
    let sees_keys = engine.may(Permission::PayloadsRead);
    let mut hits = Vec::new();
    for page in pages(sought, "cmp") {
        let campaigns = engine.campaigns(&page).await?.items.into_iter();
        let found = campaigns.filter(|one| {
            let has_key = sees_keys && one.key.as_deref() == Some(sought.text());
            has_key || sought.is_of(one.id) || sought.is_in(&one.plan.name)
        });
        hits.extend(found.map(|one| Hit {
            sort: "campaign",
            more: format!("{} {}", one.state.as_str(), short(one.id)),
            path: format!("/campaigns/{}", one.id),
            name: one.plan.name,
        }));
    }
    Ok(hits)
}

async fn schedules(sought: &Sought, engine: &Caller) -> baton_engine::Result<Vec<Hit>> {
    let mut hits = Vec::new();
    for page in pages(sought, "sch") {
        let schedules = engine.schedules(&page).await?.items.into_iter();
        let found = schedules.filter(|one| sought.is_of(one.id) || sought.is_in(&one.plan.name));
        hits.extend(found.map(|one| Hit {
            sort: "schedule",
            more: if one.paused { "paused" } else { "on" }.to_owned(),
            path: format!("/schedules/{}", one.id),
            name: one.plan.name,
        }));
    }
    Ok(hits)
}

async fn operations(sought: &Sought, engine: &Caller) -> baton_engine::Result<Vec<Hit>> {
    let mut hits = Vec::new();
    for page in pages(sought, "op") {
        let operations = engine.operations(&page).await?.items.into_iter();
        let found = operations.filter(|one| {
            sought.is_of(one.id)
                || one
                    .action
                    .as_str()
                    .starts_with(&*sought.text().to_lowercase())
        });
        hits.extend(found.map(|one| Hit {
            sort: "operation",
            name: format!("{} {}", one.action, short(one.id)),
            more: format!("{} of {} done", count(one.done), count(one.total)),
            path: format!("/operations/{}", one.id),
        }));
    }
    Ok(hits)
}

/// The pages of a list that are looked through: the newest, and where the ids stand that begin so.
fn pages(sought: &Sought, sort: &str) -> impl Iterator<Item = PageRequest> {
    let begins_so = sought.cursor(sort).map(|cursor| PageRequest {
        limit: FEW,
        after: Some(cursor),
    });
    begins_so.into_iter().chain([newest(NEWEST)])
}

const fn newest(limit: u32) -> PageRequest {
    PageRequest { limit, after: None }
}
