//! A probe: one dead letter of a cause is run again, and how it ends tells whether the rest should be.

use askama::Template;
use axum::{extract::Path, response::Response};
use baton_domain::{
    JobId, Timestamp,
    job::{Job, State},
    operation::DeadLetterGroup,
};

use super::{Panel, confirm, job_id};
use crate::{
    Console,
    errors::PageError,
    overview_cache::with_timeout,
    root::Root,
    shell::Shell,
    view::{Markup, ago, badge, jobs, short},
};

/// A job that was run again as a probe, and what is left of its cause.
pub struct Probe {
    job: Job,
    rest: Option<DeadLetterGroup>,
}

/// Shows how a probe goes.
pub async fn show(
    console: Console,
    shell: Shell,
    Path((fingerprint, job)): Path<(String, String)>,
) -> Response {
    let seen = match job_id(&job) {
        Ok(id) => load(&console, id, &fingerprint).await,
        Err(trouble) => Err(trouble),
    };
    match seen {
        Ok(seen) => shell.page(&ProbePage {
            fingerprint,
            id: seen.job.id.to_string(),
            head: head(&seen, &shell.root, shell.now),
            shell: &shell,
        }),
        Err(trouble) => shell.trouble(&trouble),
    }
}

/// Looks a probe up.
pub async fn load(console: &Console, id: JobId, fingerprint: &str) -> Result<Probe, PageError> {
    let job = with_timeout(console.engine.listed_job(id)).await?;
    let rest = confirm::group(&console.engine, fingerprint).await?;
    Ok(Probe { job, rest })
}

/// The panels, for the live feed.
pub fn panels(seen: &Probe, root: &Root, now: Timestamp) -> Vec<Panel> {
    vec![("head", head(seen, root, now))]
}

#[derive(Template)]
#[template(path = "rooms/probe.html")]
struct ProbePage<'a> {
    shell: &'a Shell,
    fingerprint: String,
    id: String,
    head: Markup,
}

#[derive(Template)]
#[template(path = "panels/probe_head.html")]
struct Header {
    badge: Markup,
    kind: String,
    short: String,
    href: String,
    since: Markup,
    tells: &'static str,
    is_good: bool,
    error: Option<String>,
    /// How many are left of the cause, and where they are run again.
    rest: Option<(String, String)>,
}

fn head(seen: &Probe, root: &Root, now: Timestamp) -> Markup {
    let job = &seen.job;
    let error = job.last_error.as_ref();
    let error = error.filter(|_| job.state != State::Succeeded);
    Markup::of(&Header {
        badge: badge(job.state),
        kind: job.kind.clone(),
        short: short(job.id),
        href: root.href(&format!("/jobs/{}", job.id)),
        since: ago(job.updated_at, now),
        tells: tells(job.state),
        is_good: job.state == State::Succeeded,
        error: error.map(|error| format!("{}: {}", error.code, error.message)),
        rest: seen.rest.as_ref().map(|rest| {
            let path = format!("/dead-letters/{}/retry", rest.fingerprint);
            (jobs(rest.count), root.href(&path))
        }),
    })
}

/// What the end of a probe tells of the rest.
fn tells(state: State) -> &'static str {
    match state {
        State::Succeeded => tr!("It worked, so the cause is gone for this one."),
        State::RetryWait => {
            tr!("It failed once more and will be tried again; the rest should wait.")
        }
        State::Failed => tr!("It failed for good once more; the rest would, too."),
        state if state.is_terminal() => tr!("It came to an end that tells nothing of the rest."),
        _ => tr!("It is on its way; this page says how it ends."),
    }
}
