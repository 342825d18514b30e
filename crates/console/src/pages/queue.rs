//! One queue: its line, who works it off, its limits, and its newest jobs.

use askama::Template;
use axum::{
    extract::{Path, Query},
    response::Response,
};
use baton_domain::{
    access::Permission,
    fleet::{Presence, Worker},
    job::{Job, State},
    page::PageRequest,
    queue::{Queue, WorkedBy},
};
use baton_ports::store::JobFilter;

use super::{
    Panel, job_row,
    pictures::{Drawing, WindowQuery},
};
use crate::{
    Console,
    errors::PageError,
    overview_cache::{OverviewSnapshot, with_timeout},
    root::Root,
    shell::Shell,
    view::{Markup, ago, badge, count, presence_word, rate},
};

/// How many of its newest jobs a queue shows.
const JOBS: u32 = 10;

/// Shows a queue.
pub async fn show(
    console: Console,
    shell: Shell,
    Path(name): Path<String>,
    Query(window): Query<WindowQuery>,
) -> Response {
    let drawing = Drawing::of(Some(&name), &window);
    match load(&console, &shell.glance, &name).await {
        Ok(seen) => shell.page(&QueuePage {
            window: drawing.window(),
            pictures: drawing
                .now(&console, &shell.glance, &shell.root)
                .await
                .unwrap_or_default(),
            max_running: seen.queue.max_running.map(|most| most.to_string()),
            rate: seen.queue.rate.map(|rate| rate.to_string()),
            sets_limits: console.engine.may(Permission::Operate),
            panels: Panels::new(&seen, &shell.glance, &shell.root),
            name: seen.queue.name,
            shell: &shell,
        }),
        Err(trouble) => shell.trouble(&trouble),
    }
}

/// A queue and its newest jobs.
pub struct QueueDetails {
    queue: Queue,
    jobs: Vec<Job>,
}

/// Looks a queue up.
pub async fn load(
    console: &Console,
    glance: &OverviewSnapshot,
    name: &str,
) -> Result<QueueDetails, PageError> {
    let queue = glance.queues().iter().find(|queue| queue.name == name);
    let queue = queue.cloned().ok_or_else(|| missing(name))?;
    let filter = JobFilter {
        queue: Some(name.to_owned()),
        ..JobFilter::default()
    };
    let page = PageRequest::first(JOBS);
    let jobs = with_timeout(console.engine.listed_jobs(&filter, &page))
        .await?
        .items;
    Ok(QueueDetails { queue, jobs })
}

fn missing(name: &str) -> PageError {
    PageError::from(baton_engine::Error::NotFound {
        what: "queue",
        id: name.to_owned(),
    })
}

/// The panels, for the live feed.
pub fn panels(seen: &QueueDetails, glance: &OverviewSnapshot, root: &Root) -> Vec<Panel> {
    Panels::new(seen, glance, root).all()
}

#[derive(Template)]
#[template(path = "rooms/queue.html")]
struct QueuePage<'a> {
    shell: &'a Shell,
    name: String,
    max_running: Option<String>,
    rate: Option<String>,
    /// Whether whoever looks may change them.
    sets_limits: bool,
    window: &'static str,
    pictures: Markup,
    panels: Panels,
}

panels!(head, books, workers, jobs);

impl Panels {
    fn new(seen: &QueueDetails, glance: &OverviewSnapshot, root: &Root) -> Self {
        let queue = &seen.queue;
        let back = format!("/queues/{}", queue.name);
        let workers = glance.workers().iter();
        let jobs = seen.jobs.iter();
        Self {
            head: Markup::of(&Header::new(queue, glance, root)),
            books: Markup::of(&Books {
                rows: books(queue, root),
            }),
            workers: Markup::of(&Workers {
                is_remote: queue.worked_by == WorkedBy::Remote,
                rows: workers
                    .filter(|worker| serves(worker, &queue.name))
                    .map(|worker| ServedBy::new(worker, queue, glance))
                    .collect(),
            }),
            jobs: Markup::of(&Jobs {
                rows: jobs
                    .map(|job| job_row::row(job, glance.names(), root, &back, glance.at))
                    .collect(),
            }),
        }
    }
}

/// Whether a worker takes jobs of a queue, as far as it has said so.
pub fn serves(worker: &Worker, queue: &str) -> bool {
    let remote = worker.heartbeat.remote.as_ref();
    worker.heartbeat.slots.contains_key(queue)
        || remote.is_some_and(|remote| remote.queues.iter().any(|one| one == queue))
}

#[derive(Template)]
#[template(path = "panels/queue_head.html")]
struct Header {
    paused: bool,
    press: String,
    back: String,
    queued: String,
    running: String,
    limit: Option<String>,
    per_second: String,
    most_per_second: Option<String>,
    oldest: Option<Markup>,
    /// Whether jobs wait for a worker that is not there.
    is_unserved: bool,
}

impl Header {
    fn new(queue: &Queue, glance: &OverviewSnapshot, root: &Root) -> Self {
        let verb = if queue.paused { "resume" } else { "pause" };
        let back = format!("/queues/{}", queue.name);
        Self {
            paused: queue.paused,
            press: root.href(&format!("{back}/{verb}")),
            back,
            queued: count(queue.queued),
            running: count(queue.running),
            limit: queue.max_running.map(|most| count(most.into())),
            per_second: rate(queue.per_second),
            most_per_second: queue.rate.map(|most| most.to_string()),
            oldest: queue.oldest_queued_at.map(|at| ago(at, glance.at)),
            is_unserved: is_unserved(queue, glance),
        }
    }
}

/// Whether jobs of a queue for remote workers wait, and none is there to take them.
pub fn is_unserved(queue: &Queue, glance: &OverviewSnapshot) -> bool {
    let is_live = |worker: &&Worker| glance.presence(worker) == Presence::Live;
    let mut live = glance.workers().iter().filter(is_live);
    queue.worked_by == WorkedBy::Remote
        && queue.queued > 0
        && !live.any(|worker| serves(worker, &queue.name))
}

#[derive(Template)]
#[template(path = "panels/queue_books.html")]
struct Books {
    rows: Vec<(&'static str, Markup, String, String)>,
}

fn books(queue: &Queue, root: &Root) -> Vec<(&'static str, Markup, String, String)> {
    let counted = [
        (State::Pending, queue.pending),
        (State::Queued, queue.queued),
        (State::Running, queue.running),
        (State::RetryWait, queue.retry_wait),
        (State::Succeeded, queue.succeeded),
        (State::Failed, queue.failed),
        (State::Uncertain, queue.uncertain),
    ];
    let row = |(state, number): (State, u64)| {
        let jobs = format!("/jobs?state={state}&queue={}", queue.name);
        (
            state.as_str(),
            badge(state),
            count(number),
            root.href(&jobs),
        )
    };
    let is_told = |(state, number): &(State, u64)| {
        *number > 0 || matches!(state, State::Queued | State::Running)
    };
    counted.into_iter().filter(is_told).map(row).collect()
}

#[derive(Template)]
#[template(path = "panels/queue_workers.html")]
struct Workers {
    is_remote: bool,
    rows: Vec<ServedBy>,
}

struct ServedBy {
    id: String,
    name: String,
    presence: &'static str,
    presence_word: &'static str,
    slots: String,
    seen: Markup,
}

impl ServedBy {
    fn new(worker: &Worker, queue: &Queue, glance: &OverviewSnapshot) -> Self {
        let beat = &worker.heartbeat;
        let own = beat.slots.get(&queue.name).copied();
        let shared = beat.remote.as_ref().map(|remote| remote.slots);
        Self {
            id: beat.worker.to_string(),
            name: beat.name.clone(),
            presence: glance.presence(worker).as_str(),
            presence_word: presence_word(glance.presence(worker)),
            slots: count(own.or(shared).unwrap_or(0).into()),
            seen: ago(worker.seen_at, glance.at),
        }
    }
}

#[derive(Template)]
#[template(path = "panels/queue_jobs.html")]
struct Jobs {
    rows: Vec<Markup>,
}
