//! The overview: what needs a person, what runs, who works, what happened last.

use askama::Template;
use axum::{extract::Query, response::Response};
use baton_domain::{job::State, queue::Queue};

use super::{
    Panel, acts,
    event::EventLine,
    fleet, live_campaigns, longest,
    needs::{Need, needs},
    pictures::{Drawing, WindowQuery},
    queues,
};
use crate::{
    Console,
    overview_cache::OverviewSnapshot,
    root::Root,
    shell::Shell,
    view::{Markup, count, rate, state_word},
};

/// Shows the overview.
pub async fn show(console: Console, shell: Shell, Query(window): Query<WindowQuery>) -> Response {
    let drawing = Drawing::of(None, &window);
    let pictures = drawing.now(&console, &shell.glance, &shell.root).await;
    let panels = Panels::new(&shell.glance, &shell.root);
    let has_jobs = shell.glance.lines().iter().any(|line| !is_fresh(line));
    shell.page(&Overview {
        is_first_run: shell.glance.installation.is_some() && !has_jobs,
        shell: &shell,
        window: drawing.window(),
        // The rest of the page stands without them.
        pictures: pictures.unwrap_or_default(),
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
    window: &'static str,
    pictures: Markup,
    panels: Panels,
}

panels!(
    needs, numbers, campaigns, longest, queues, workers, acts, routines, events
);

impl Panels {
    fn new(glance: &OverviewSnapshot, root: &Root) -> Self {
        let now = glance.at;
        let events = glance
            .installation
            .iter()
            .flat_map(|installation| installation.events.clone());
        Self {
            needs: Markup::of(&Needs {
                root,
                needs: needs(glance),
            }),
            numbers: Markup::of(&Numbers::new(root, glance.lines())),
            campaigns: live_campaigns::panel(glance, root),
            longest: longest::panel(glance, root),
            queues: queues::panel(glance, root, "/"),
            workers: fleet::workers(glance, root, "/"),
            acts: acts::panel(glance, root),
            routines: fleet::routines(glance),
            events: Markup::of(&Events {
                lines: events
                    .map(|event| EventLine::new(event, glance.names(), root, now))
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
    fn new(root: &'a Root, lines: &[Queue]) -> Self {
        let number = |state: State, of: fn(&Queue) -> u64| {
            let sum: u64 = lines.iter().map(of).sum();
            Number {
                state: state.as_str(),
                label: state_word(state),
                count: count(sum),
                is_none: sum == 0,
            }
        };
        Self {
            root,
            numbers: vec![
                number(State::Running, |queue| queue.running),
                number(State::Queued, |queue| queue.queued),
                number(State::RetryWait, |queue| queue.retry_wait),
                number(State::Failed, |queue| queue.failed),
            ],
            per_second: rate(lines.iter().map(|line| line.per_second).sum()),
        }
    }
}

/// Whether nothing has ever stood in a line.
fn is_fresh(line: &Queue) -> bool {
    line.pending + line.queued + line.running == 0
        && line.retry_wait + line.failed + line.succeeded == 0
}

#[derive(Template)]
#[template(path = "panels/events.html")]
struct Events {
    lines: Vec<EventLine>,
}
