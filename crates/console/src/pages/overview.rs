//! The overview: what needs a person, what runs, who works, what happened last.

use askama::Template;
use axum::response::Response;
use baton_domain::{Timestamp, fleet::Worker, queue::Queue};
use baton_engine::RoutineHealth;

use super::{
    Panel,
    event::EventLine,
    needs::{Need, needs},
};
use crate::{
    overview_cache::OverviewSnapshot,
    root::Root,
    shell::Shell,
    view::{Markup, ago, count, rate, short, span},
};

/// Shows the overview.
pub async fn show(shell: Shell) -> Response {
    let panels = Panels::new(&shell.glance, &shell.root);
    let has_jobs = shell.glance.queues().iter().any(|queue| !is_fresh(queue));
    shell.page(&Overview {
        is_first_run: shell.glance.installation.is_some() && !has_jobs,
        shell: &shell,
        panels,
    })
}

/// The panels of the overview, for its live feed.
pub fn panels(glance: &OverviewSnapshot, root: &Root) -> Vec<Panel> {
    Panels::new(glance, root).all()
}

#[derive(Template)]
#[template(path = "rooms/overview.html")]
struct Overview<'a> {
    shell: &'a Shell,
    is_first_run: bool,
    panels: Panels,
}

panels!(needs, numbers, queues, workers, routines, events);

impl Panels {
    fn new(glance: &OverviewSnapshot, root: &Root) -> Self {
        let now = glance.at;
        let queues = glance.queues();
        let routines = glance.health.routines.iter();
        let events = glance
            .installation
            .iter()
            .flat_map(|installation| installation.events.clone());
        Self {
            needs: Markup::of(&Needs {
                root,
                needs: needs(glance),
            }),
            numbers: Markup::of(&Numbers::new(root, queues)),
            queues: Markup::of(&Queues {
                root,
                rows: queues.iter().map(|q| QueueRow::new(q, root, now)).collect(),
            }),
            workers: Markup::of(&Workers {
                rows: glance
                    .workers()
                    .iter()
                    .map(|worker| WorkerRow::new(worker, glance))
                    .collect(),
            }),
            routines: Markup::of(&Routines {
                rows: routines.map(|r| RoutineRow::new(r, now)).collect(),
            }),
            events: Markup::of(&Events {
                lines: events
                    .map(|event| EventLine::new(event, root, now))
                    .collect(),
            }),
        }
    }
}

#[derive(Template)]
#[template(path = "panels/needs.html")]
struct Needs<'a> {
    root: &'a Root,
    needs: Vec<Need>,
}

#[derive(Template)]
#[template(path = "panels/numbers.html")]
struct Numbers<'a> {
    root: &'a Root,
    numbers: Vec<Number>,
    per_second: String,
}

struct Number {
    state: &'static str,
    label: &'static str,
    count: String,
    is_none: bool,
}

impl<'a> Numbers<'a> {
    fn new(root: &'a Root, queues: &[Queue]) -> Self {
        let number = |state, label, of: fn(&Queue) -> u64| {
            let sum: u64 = queues.iter().map(of).sum();
            Number {
                state,
                label,
                count: count(sum),
                is_none: sum == 0,
            }
        };
        Self {
            root,
            numbers: vec![
                number("running", "running", |queue| queue.running),
                number("queued", "queued", |queue| queue.queued),
                number("retry_wait", "retry_wait", |queue| queue.retry_wait),
                number("failed", "failed", |queue| queue.failed),
            ],
            per_second: rate(queues.iter().map(|queue| queue.per_second).sum()),
        }
    }
}

#[derive(Template)]
#[template(path = "panels/queues.html")]
struct Queues<'a> {
    root: &'a Root,
    rows: Vec<QueueRow>,
}

struct QueueRow {
    name: String,
    /// Where its button leads.
    press: String,
    paused: bool,
    queued: String,
    running: String,
    limit: Option<String>,
    retry_wait: String,
    failed: String,
    has_failed: bool,
    per_second: String,
    oldest: Option<Markup>,
}

impl QueueRow {
    fn new(queue: &Queue, root: &Root, now: Timestamp) -> Self {
        let verb = if queue.paused { "resume" } else { "pause" };
        Self {
            press: root.href(&format!("/queues/{}/{verb}", queue.name)),
            name: queue.name.clone(),
            paused: queue.paused,
            queued: count(queue.queued),
            running: count(queue.running),
            limit: queue.max_running.map(|most| count(most.into())),
            retry_wait: count(queue.retry_wait),
            failed: count(queue.failed),
            has_failed: queue.failed > 0,
            per_second: rate(queue.per_second),
            oldest: queue.oldest_queued_at.map(|at| ago(at, now)),
        }
    }
}

/// Whether nothing has ever stood in a queue.
fn is_fresh(queue: &Queue) -> bool {
    queue.pending + queue.queued + queue.running == 0
        && queue.retry_wait + queue.failed + queue.succeeded == 0
}

#[derive(Template)]
#[template(path = "panels/workers.html")]
struct Workers {
    rows: Vec<WorkerRow>,
}

struct WorkerRow {
    id: String,
    short: String,
    name: String,
    version: String,
    presence: &'static str,
    running: String,
    running_number: u32,
    slots: u32,
    slots_by_queue: String,
    since: Markup,
    seen: Markup,
}

impl WorkerRow {
    fn new(worker: &Worker, glance: &OverviewSnapshot) -> Self {
        let heartbeat = &worker.heartbeat;
        let slots: u32 = heartbeat.slots.values().sum();
        let by_queue = heartbeat
            .slots
            .iter()
            .map(|(queue, n)| format!("{queue} {n}"));
        Self {
            id: heartbeat.worker.to_string(),
            short: short(heartbeat.worker),
            name: heartbeat.name.clone(),
            version: heartbeat.version.clone(),
            presence: glance.presence(worker).as_str(),
            running: format!(
                "{} / {}",
                count(heartbeat.running.into()),
                count(slots.into())
            ),
            running_number: heartbeat.running.min(slots),
            slots,
            slots_by_queue: by_queue.collect::<Vec<_>>().join(", "),
            since: ago(heartbeat.started_at, glance.at),
            seen: ago(worker.seen_at, glance.at),
        }
    }
}

#[derive(Template)]
#[template(path = "panels/routines.html")]
struct Routines {
    rows: Vec<RoutineRow>,
}

struct RoutineRow {
    name: &'static str,
    duty: &'static str,
    state: &'static str,
    is_failing: bool,
    last_turn: Option<Markup>,
    took: String,
    last_error: Option<String>,
}

impl RoutineRow {
    fn new(routine: &RoutineHealth, now: Timestamp) -> Self {
        Self {
            name: routine.name,
            duty: routine.duty,
            state: routine.state.as_str(),
            is_failing: routine.failures > 0,
            last_turn: routine.last_turn_at.map(|at| ago(at, now)),
            took: span(routine.last_turn_took),
            last_error: routine.last_error.clone(),
        }
    }
}

#[derive(Template)]
#[template(path = "panels/events.html")]
struct Events {
    lines: Vec<EventLine>,
}
