//! A job in a list: one row, on the page and in its live feed.

use askama::Template;
use baton_domain::{
    Timestamp,
    job::{Job, State},
};

use super::{
    buttons::{self, Button},
    queues,
};
use crate::{
    names::Names,
    root::Root,
    view::{Markup, ago, badge, short},
};

#[derive(Template)]
#[template(path = "panels/job_row.html")]
struct JobRow<'a> {
    job: &'a Job,
    id: String,
    short: String,
    href: String,
    queue: String,
    queue_href: String,
    badge: Markup,
    moment_label: &'static str,
    moment: Markup,
    created: Markup,
    error: Option<String>,
    buttons: Vec<Button>,
    back: &'a str,
}

/// The row of a job. `back` is where its buttons lead back to without a script.
pub fn row(job: &Job, names: &Names, root: &Root, back: &str, now: Timestamp) -> Markup {
    let (moment_label, at) = moment_of(job);
    Markup::of(&JobRow {
        id: job.id.to_string(),
        short: short(job.id),
        href: root.href(&format!("/jobs/{}", job.id)),
        queue: queues::name_of(&job.queue, names),
        queue_href: queues::page_of(&job.queue, root),
        badge: badge(job.state),
        moment_label,
        moment: ago(at, now),
        created: ago(job.created_at, now),
        error: why(job),
        buttons: buttons::few(job, root),
        back,
        job,
    })
}

/// The moment that matters most in a state.
fn moment_of(job: &Job) -> (&'static str, Timestamp) {
    match job.state {
        State::Pending | State::RetryWait => (tr!("due"), job.run_at),
        State::Queued => (tr!("ready"), job.run_at.max(job.updated_at)),
        State::Running => (tr!("began"), job.updated_at),
        _ => (tr!("ended"), job.finished_at.unwrap_or(job.updated_at)),
    }
}

/// Why it is where it is, on one line.
fn why(job: &Job) -> Option<String> {
    let asked = (job.state == State::Running && job.cancel_asked_at.is_some())
        .then(|| tr!("asked to stop").to_owned());
    let error = job
        .last_error
        .as_ref()
        .filter(|_| job.state != State::Succeeded);
    let error = error.map(|error| match &job.reason {
        Some(reason) => format!("{reason} · {}: {}", error.code, error.message),
        None => format!("{}: {}", error.code, error.message),
    });
    asked.or(error).or_else(|| job.reason.clone())
}
