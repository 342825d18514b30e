//! Queues: how long each line is, what holds it up, and the buttons that rule it.

use askama::Template;
use axum::response::Response;
use baton_domain::{
    Timestamp,
    queue::{Queue, WorkedBy, campaign_of},
};

use super::Panel;
use crate::{
    names::Names,
    overview_cache::OverviewSnapshot,
    root::Root,
    shell::Shell,
    view::{Markup, ago, count, rate},
};

/// Shows every queue, and the lines of campaigns.
pub async fn show(shell: Shell) -> Response {
    let panels = Panels::new(&shell.glance, &shell.root);
    shell.page(&QueuesPage {
        has_lines: shell.glance.lines().len() > shell.glance.queues().len(),
        shell: &shell,
        panels,
    })
}

/// The panels, for the live feed.
pub fn panels(glance: &OverviewSnapshot, root: &Root) -> Vec<Panel> {
    Panels::new(glance, root).all()
}

#[derive(Template)]
#[template(path = "rooms/queues.html")]
struct QueuesPage<'a> {
    shell: &'a Shell,
    has_lines: bool,
    panels: Panels,
}

panels!(queues, lines);

impl Panels {
    fn new(glance: &OverviewSnapshot, root: &Root) -> Self {
        Self {
            queues: panel(glance, root, "/queues"),
            lines: Markup::of(&Lines {
                rows: lines(glance, root),
            }),
        }
    }
}

/// The table of queues; `back` is where its buttons lead back to without a script.
pub fn panel(glance: &OverviewSnapshot, root: &Root, back: &'static str) -> Markup {
    let rows = glance.queues().iter();
    Markup::of(&Table {
        root,
        back,
        rows: rows.map(|q| QueueRow::new(q, root, glance.at)).collect(),
    })
}

/// Where the jobs of a queue come from, for people: the name of a campaign is its line's.
pub fn name_of(queue: &str, names: &Names) -> String {
    match campaign_of(queue) {
        Some(_) => names.of(queue),
        None => queue.to_owned(),
    }
}

/// The page of a queue, or of the campaign whose line it is.
pub fn page_of(queue: &str, root: &Root) -> String {
    let room = match campaign_of(queue) {
        Some(_) => "campaigns",
        None => "queues",
    };
    root.href(&format!("/{room}/{queue}"))
}

#[derive(Template)]
#[template(path = "panels/queues.html")]
struct Table<'a> {
    root: &'a Root,
    back: &'static str,
    rows: Vec<QueueRow>,
}

struct QueueRow {
    name: String,
    href: String,
    /// Where its button leads.
    press: String,
    paused: bool,
    is_remote: bool,
    queued: String,
    running: String,
    limit: Option<String>,
    most_per_second: Option<String>,
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
            href: page_of(&queue.name, root),
            name: queue.name.clone(),
            paused: queue.paused,
            is_remote: queue.worked_by == WorkedBy::Remote,
            queued: count(queue.queued),
            running: count(queue.running),
            limit: queue.max_running.map(|most| count(most.into())),
            most_per_second: queue.rate.map(rate),
            retry_wait: count(queue.retry_wait),
            failed: count(queue.failed),
            has_failed: queue.failed > 0,
            per_second: rate(queue.per_second),
            oldest: queue.oldest_queued_at.map(|at| ago(at, now)),
        }
    }
}

#[derive(Template)]
#[template(path = "panels/lines.html")]
struct Lines {
    rows: Vec<LineRow>,
}

struct LineRow {
    id: String,
    name: String,
    href: String,
    jobs: String,
    paused: bool,
    queued: String,
    running: String,
    per_second: String,
    oldest: Option<Markup>,
}

fn lines(glance: &OverviewSnapshot, root: &Root) -> Vec<LineRow> {
    let lines = glance.lines().iter();
    lines
        .filter(|line| campaign_of(&line.name).is_some())
        .map(|line| LineRow {
            id: line.name.clone(),
            name: name_of(&line.name, glance.names()),
            href: page_of(&line.name, root),
            jobs: root.href(&format!("/jobs?queue={}", line.name)),
            paused: line.paused,
            queued: count(line.queued),
            running: count(line.running),
            per_second: rate(line.per_second),
            oldest: line.oldest_queued_at.map(|at| ago(at, glance.at)),
        })
        .collect()
}
