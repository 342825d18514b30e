//! Where the palette looks: what the page knows already, and a bounded part of the store.

use std::{collections::BTreeSet, time::Duration};

use axum::http::StatusCode;
use baton_domain::{access::Permission, page::PageRequest, recipient};
use baton_engine::Caller;
use baton_ports::store::JobFilter;
use futures::future::BoxFuture;
use tokio::{
    sync::{Semaphore, SemaphorePermit},
    time::timeout,
};

use super::sought::Sought;
use crate::{
    errors::PageError,
    language::text,
    overview_cache::with_timeout,
    pages::recipients,
    shell::Shell,
    view::{action_word, campaign_word, count, short, state_word},
};

/// How many of a sort are shown.
const FEW: u32 = 8;
/// How many of the newest of a sort are looked through.
const NEWEST: u32 = 100;
/// The same of a sort whose every one is long to read.
const NEWEST_LONG: u32 = 30;
/// How long a search waits for its turn.
const TURN: Duration = Duration::from_secs(1);

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
    let rooms = rooms.filter(|room| sought.is_in(room.title) || sought.is_in(text(room.title)));
    let rooms = rooms.map(|room| Hit {
        sort: tr!("room"),
        name: text(room.title).to_owned(),
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
        sort: tr!("queue"),
        name: queue.name.clone(),
        more: tr!(
            "{ready} ready, {running} running",
            ready = count(queue.queued),
            running = count(queue.running)
        ),
        path: format!("/queues/{}", queue.name),
    })
}

fn workers<'a>(sought: &'a Sought, shell: &'a Shell) -> impl Iterator<Item = Hit> + 'a {
    let glance = &shell.glance;
    let workers = glance.workers().iter().filter(|one| glance.is_news(one));
    let named = workers.filter(|one| sought.is_in(&one.heartbeat.name));
    named.take(FEW as usize).map(|one| Hit {
        sort: tr!("worker"),
        name: one.heartbeat.name.clone(),
        more: tr!("in the fleet").to_owned(),
        path: "/fleet".to_owned(),
    })
}

/// Everything else, one sort after the other: one that cannot be looked through keeps no other back, unless
/// the store is away.
pub async fn in_store(sought: &Sought, engine: &Caller, searches: &Semaphore) -> Looked {
    let mut looked = Looked::default();
    let Some(_turn) = turn(searches).await else {
        let busy = tr!("others are searching, so the store was not asked. Ask again in a moment.");
        looked.trouble = Some(busy.to_owned());
        return looked;
    };
    let looks: [BoxFuture<'_, _>; 5] = [
        Box::pin(jobs(sought, engine)),
        Box::pin(campaigns(sought, engine)),
        Box::pin(schedules(sought, engine)),
        Box::pin(operations(sought, engine)),
        Box::pin(people(sought, engine)),
    ];
    for look in looks {
        let found = with_timeout(look).await;
        let trouble = found.as_ref().err().map(|trouble| trouble.status);
        looked.take(found);
        if trouble == Some(StatusCode::SERVICE_UNAVAILABLE) {
            break;
        }
    }
    looked
}

/// Whoever types asks often, and the store has others to serve.
async fn turn(searches: &Semaphore) -> Option<SemaphorePermit<'_>> {
    timeout(TURN, searches.acquire()).await.ok()?.ok()
}

async fn jobs(sought: &Sought, engine: &Caller) -> baton_engine::Result<Vec<Hit>> {
    let mut found = Vec::new();
    let key = sought
        .key()
        .filter(|_| engine.may(Permission::PayloadsRead));
    if let Some(key) = key {
        let with_key = JobFilter {
            key: Some(key.to_owned()),
            ..JobFilter::default()
        };
        found.extend(
            engine
                .listed_jobs(&with_key, &PageRequest::first(FEW))
                .await?
                .items,
        );
    }
    if sought.can_be("job") {
        let all = JobFilter::default();
        for page in pages(sought, "job", NEWEST) {
            let jobs = engine.listed_jobs(&all, &page).await?.items.into_iter();
            found.extend(jobs.filter(|job| sought.is_of(job.id)));
        }
    }
    let hits = found.into_iter().map(|job| Hit {
        sort: tr!("job"),
        name: format!("{} {}", job.kind, short(job.id)),
        more: match &job.key {
            Some(key) if key == sought.text() => {
                tr!(
                    "{state} in {queue}, with this key",
                    state = state_word(job.state),
                    queue = job.queue
                )
            }
            _ => tr!(
                "{state} in {queue}",
                state = state_word(job.state),
                queue = job.queue
            ),
        },
        path: format!("/jobs/{}", job.id),
    });
    Ok(hits.collect())
}

async fn campaigns(sought: &Sought, engine: &Caller) -> baton_engine::Result<Vec<Hit>> {
    let sees_keys = engine.may(Permission::PayloadsRead);
    let mut hits = Vec::new();
    for page in pages(sought, "cmp", NEWEST_LONG) {
        let campaigns = engine.campaigns(&page).await?.items.into_iter();
        let found = campaigns.filter(|one| {
            let has_key = sees_keys && one.key.as_deref() == Some(sought.text());
            has_key || sought.is_of(one.id) || sought.is_in(&one.plan.name)
        });
        hits.extend(found.map(|one| Hit {
            sort: tr!("campaign"),
            more: format!("{} {}", campaign_word(one.state), short(one.id)),
            path: format!("/campaigns/{}", one.id),
            name: one.plan.name,
        }));
    }
    Ok(hits)
}

async fn schedules(sought: &Sought, engine: &Caller) -> baton_engine::Result<Vec<Hit>> {
    let mut hits = Vec::new();
    for page in pages(sought, "sch", NEWEST_LONG) {
        let schedules = engine.schedules(&page).await?.items.into_iter();
        let found = schedules.filter(|one| sought.is_of(one.id) || sought.is_in(&one.plan.name));
        hits.extend(found.map(|one| Hit {
            sort: tr!("schedule"),
            more: match one.paused {
                true => tr!("paused").to_owned(),
                false => tr!("on").to_owned(),
            },
            path: format!("/schedules/{}", one.id),
            name: one.plan.name,
        }));
    }
    Ok(hits)
}

async fn operations(sought: &Sought, engine: &Caller) -> baton_engine::Result<Vec<Hit>> {
    let mut hits = Vec::new();
    for page in pages(sought, "op", NEWEST) {
        let operations = engine.operations(&page).await?.items.into_iter();
        let found = operations.filter(|one| {
            sought.is_of(one.id)
                || one
                    .action
                    .as_str()
                    .starts_with(&*sought.text().to_lowercase())
        });
        hits.extend(found.map(|one| Hit {
            sort: tr!("operation"),
            name: format!("{} {}", action_word(one.action), short(one.id)),
            more: tr!(
                "{n} of {all} done",
                n = count(one.done),
                all = count(one.total)
            ),
            path: format!("/operations/{}", one.id),
        }));
    }
    Ok(hits)
}

/// Those whose id begins so. The audit log tells of that look as of one into the list of recipients.
async fn people(sought: &Sought, engine: &Caller) -> baton_engine::Result<Vec<Hit>> {
    if !engine.may(Permission::RecipientsRead) || !recipient::is_id(sought.text()) {
        return Ok(Vec::new());
    }
    let ids = engine.recipients_beginning(sought.text(), FEW).await?;
    let hits = ids.into_iter().map(|id| Hit {
        sort: tr!("recipient"),
        more: match id == sought.text() {
            true => tr!("with this id").to_owned(),
            false => String::new(),
        },
        path: recipients::page_of(&id),
        name: id,
    });
    Ok(hits.collect())
}

/// The pages of a list that are looked through: the newest, and where the ids stand that begin so.
fn pages(sought: &Sought, sort: &str, many: u32) -> impl Iterator<Item = PageRequest> {
    let begins_so = sought.cursor(sort).map(|cursor| PageRequest {
        limit: FEW,
        after: Some(cursor),
    });
    begins_so.into_iter().chain([PageRequest::first(many)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_search_waits_for_its_turn_but_not_for_long() {
        let searches = Semaphore::new(1);

        let first = turn(&searches).await;
        let second = turn(&searches).await;
        drop(first);
        let third = turn(&searches).await;

        assert!(second.is_none());
        assert!(third.is_some());
    }
}
