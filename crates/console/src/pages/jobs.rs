//! The list of jobs, newest first: by state, queue, kind, tag and key.

use askama::Template;
use axum::{
    extract::Query,
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use baton_domain::{job, operation::Action, queue::Queue};

use super::{job_row, search::Search};
use crate::{
    Console,
    errors::PageError,
    overview_cache::with_timeout,
    root::Root,
    shell::Shell,
    view::{Markup, count, glyph, state_word},
};

/// Shows the list.
pub async fn show(console: Console, shell: Shell, Query(search): Query<Search>) -> Response {
    if let Some(id) = search.job() {
        let there = shell.root.href(&format!("/jobs/{id}"));
        return (StatusCode::SEE_OTHER, [(header::LOCATION, there)]).into_response();
    }
    match load(&console, &shell, search).await {
        Ok(list) => shell.page(&list),
        Err(trouble) => shell.trouble(&trouble),
    }
}

async fn load<'a>(
    console: &Console,
    shell: &'a Shell,
    search: Search,
) -> Result<JobList<'a>, PageError> {
    let jobs = with_timeout(
        console
            .engine
            .listed_jobs(&search.filter()?, &search.page()),
    )
    .await?;
    let back = search.path();
    let queues = shell.glance.queues();
    Ok(JobList {
        tabs: tabs(&search, shell.glance.lines(), &shell.root),
        queues: queues.iter().map(|queue| queue.name.clone()).collect(),
        rows: jobs
            .items
            .iter()
            .map(|job| job_row::row(job, shell.glance.names(), &shell.root, &back, shell.now))
            .collect(),
        next: jobs
            .next
            .map(|next| shell.root.href(&search.from(&next).path())),
        newest: shell.root.href(&search.from("").path()),
        unfiltered: shell.root.href("/jobs"),
        action: shell.root.href("/jobs"),
        live: search.query(),
        matching: matching(&search, &shell.root),
        is_first_page: search.after.is_empty(),
        shell,
        search,
    })
}

#[derive(Template)]
#[template(path = "rooms/jobs.html")]
struct JobList<'a> {
    shell: &'a Shell,
    search: Search,
    tabs: Markup,
    queues: Vec<String>,
    rows: Vec<Markup>,
    next: Option<String>,
    newest: String,
    unfiltered: String,
    action: String,
    live: String,
    matching: Vec<Matching>,
    is_first_page: bool,
}

impl JobList<'_> {
    /// What the state is called that is looked for.
    fn state_word(&self) -> String {
        let state = self.search.state.as_str();
        let word = state.parse().map(state_word);
        word.map_or_else(|_| state.to_owned(), str::to_owned)
    }
}

/// What can be done to all jobs that are found.
struct Matching {
    label: &'static str,
    href: String,
}

fn matching(search: &Search, root: &Root) -> Vec<Matching> {
    let query = search.from("").query();
    let actions = search.actions().into_iter();
    let links = actions.map(|action| Matching {
        label: match action {
            Action::Retry => tr!("Retry all matching…"),
            _ => tr!("Cancel all matching…"),
        },
        href: root.href(&format!("/jobs/matching/{action}?{query}")),
    });
    links.collect()
}

#[derive(Template)]
#[template(path = "panels/tabs.html")]
struct Tabs {
    tabs: Vec<Tab>,
}

struct Tab {
    state: &'static str,
    glyph: &'static str,
    label: &'static str,
    href: String,
    count: Option<String>,
    is_current: bool,
}

/// The tabs, one a state, with what the counters say.
pub fn tabs(search: &Search, lines: &[Queue], root: &Root) -> Markup {
    let all = Tab {
        state: "all",
        glyph: "",
        label: tr!("all"),
        href: root.href(&search.in_state("").path()),
        count: None,
        is_current: search.state.is_empty(),
    };
    let states = job::State::ALL.into_iter().map(|state| Tab {
        state: state.as_str(),
        glyph: glyph(state),
        label: state_word(state),
        href: root.href(&search.in_state(state.as_str()).path()),
        count: counted(search, lines, state).map(count),
        is_current: search.state == state.as_str(),
    });
    Markup::of(&Tabs {
        tabs: std::iter::once(all).chain(states).collect(),
    })
}

/// What the counters say; `None` where there is none, for no page counts a table.
fn counted(search: &Search, lines: &[Queue], state: job::State) -> Option<u64> {
    let of: fn(&Queue) -> u64 = match state {
        job::State::Pending => |queue| queue.pending,
        job::State::Queued => |queue| queue.queued,
        job::State::Running => |queue| queue.running,
        job::State::RetryWait => |queue| queue.retry_wait,
        job::State::Succeeded => |queue| queue.succeeded,
        job::State::Failed => |queue| queue.failed,
        job::State::Uncertain => |queue| queue.uncertain,
        job::State::Canceled | job::State::Skipped => return None,
    };
    if search.is_narrow() {
        return None;
    }
    let asked = search.queue.trim();
    let lines = lines.iter();
    let lines = lines.filter(|line| asked.is_empty() || line.name == asked);
    Some(lines.map(of).sum())
}
