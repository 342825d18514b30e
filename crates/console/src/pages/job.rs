//! One job: where it is and why, what can be done, everything that happened to it.

use askama::Template;
use axum::{extract::Path, response::Response};
use baton_domain::{
    JobId, Timestamp,
    checkpoint::Checkpoint,
    duration,
    event::Event,
    job::{Attempt, Explanation, Job, masked},
};
use baton_ports::store;

use super::{
    Panel,
    buttons::{self, Button},
    job_id, progress, queues,
    timeline::{self, Entry},
};
use crate::{
    Console,
    errors::PageError,
    overview_cache::{OverviewSnapshot, with_timeout},
    root::Root,
    shell::Shell,
    view::{Markup, ago, badge, moment, pretty, sentence, short},
};

/// Shows one job.
pub async fn show(console: Console, shell: Shell, Path(id): Path<String>) -> Response {
    let seen = match job_id(&id) {
        Ok(id) => load(&console, id).await,
        Err(trouble) => Err(trouble),
    };
    match seen {
        Ok(seen) => {
            let panels = Panels::new(&seen, &shell.glance, &shell.root, shell.now);
            shell.page(&JobPage {
                shell: &shell,
                id: seen.job.id.to_string(),
                short: short(seen.job.id),
                kind: seen.job.kind,
                panels,
            })
        }
        Err(trouble) => shell.trouble(&trouble),
    }
}

/// A job and all that is known of it.
pub struct JobDetails {
    job: Job,
    explanation: Explanation,
    attempts: Vec<Attempt>,
    events: Vec<Event>,
    checkpoint: Option<Checkpoint>,
    /// What of its history cannot be read.
    unreadable: Vec<&'static str>,
}

/// Looks a job up, with all that is known of it.
pub async fn load(console: &Console, id: JobId) -> Result<JobDetails, PageError> {
    let engine = &console.engine;
    let all = async {
        let (job, explanation, attempts, events, checkpoint) = tokio::try_join!(
            engine.job(id),
            engine.explain(id),
            readable(engine.attempts(id)),
            readable(engine.job_events(id)),
            readable(engine.checkpoint_of(id)),
        )?;
        let unreadable = [
            (attempts.is_none(), key!("attempts")),
            (events.is_none(), key!("events")),
            (checkpoint.is_none(), key!("checkpoint")),
        ];
        let unreadable = unreadable.into_iter().filter(|(is_so, _)| *is_so);
        Ok(JobDetails {
            job,
            explanation,
            attempts: attempts.unwrap_or_default(),
            events: events.unwrap_or_default(),
            checkpoint: checkpoint.flatten(),
            unreadable: unreadable.map(|(_, what)| what).collect(),
        })
    };
    // It is a large future, and stands in those of all who show a job.
    with_timeout(Box::pin(all)).await
}

/// A part of a job's history; `None`: it is damaged, and the job itself need not be.
async fn readable<T>(
    history: impl Future<Output = baton_engine::Result<T>>,
) -> baton_engine::Result<Option<T>> {
    match history.await {
        Err(baton_engine::Error::Store(store::Error::Corrupt { .. })) => Ok(None),
        history => history.map(Some),
    }
}

/// The panels of a job, for its live feed.
pub fn panels(
    seen: &JobDetails,
    glance: &OverviewSnapshot,
    root: &Root,
    now: Timestamp,
) -> Vec<Panel> {
    Panels::new(seen, glance, root, now).all()
}

#[derive(Template)]
#[template(path = "rooms/job.html")]
struct JobPage<'a> {
    shell: &'a Shell,
    id: String,
    short: String,
    kind: String,
    panels: Panels,
}

panels!(head, progress, timeline, answers, fields);

impl Panels {
    fn new(seen: &JobDetails, glance: &OverviewSnapshot, root: &Root, now: Timestamp) -> Self {
        let job = &seen.job;
        let explanation = &seen.explanation;
        let head = Header {
            state: job.state.as_str(),
            badge: badge(job.state),
            summary: sentence(&named(&explanation.summary, job, glance), now),
            blockers: explanation.blockers.clone(),
            unreadable: seen.unreadable.clone(),
            next: sentence(&explanation.next, now),
            buttons: buttons::all(job, has_cursor(seen), root),
            back: format!("/jobs/{}", job.id),
            asked: job.cancel_asked_at.map(|at| ago(at, now)),
        };
        let timeline = Timeline {
            entries: timeline::merge(job, &seen.attempts, &seen.events, glance, now),
        };
        let answers = Answers {
            payload: pretty(&masked(&job.kind, &job.payload)),
            result: job.result.as_deref().map(pretty),
            error: job.last_error.as_ref().map(|error| LastError {
                class: error.class.as_str(),
                code: error.code.clone(),
                message: error.message.clone(),
            }),
        };
        let fields = Fields {
            fields: fields(job, glance, root, now),
            tags: tags(job, root),
        };
        let checkpoint = seen.checkpoint.as_ref();
        Self {
            head: Markup::of(&head),
            progress: progress::panel(job, &seen.attempts, checkpoint, now),
            timeline: Markup::of(&timeline),
            answers: Markup::of(&answers),
            fields: Markup::of(&fields),
        }
    }
}

/// Whether another attempt would go on where this one was.
fn has_cursor(seen: &JobDetails) -> bool {
    let checkpoint = seen.checkpoint.as_ref();
    checkpoint.is_some_and(|checkpoint| checkpoint.cursor.is_some())
}

/// The worker's own name instead of its id.
fn named(text: &str, job: &Job, glance: &OverviewSnapshot) -> String {
    match job.worker {
        Some(worker) => text.replace(&worker.to_string(), &glance.name_of(worker)),
        None => text.to_owned(),
    }
}

#[derive(Template)]
#[template(path = "panels/job_head.html")]
struct Header {
    state: &'static str,
    badge: Markup,
    summary: Markup,
    blockers: Vec<String>,
    unreadable: Vec<&'static str>,
    next: Markup,
    buttons: Vec<Button>,
    back: String,
    asked: Option<Markup>,
}

#[derive(Template)]
#[template(path = "panels/timeline.html")]
struct Timeline {
    entries: Vec<Entry>,
}

#[derive(Template)]
#[template(path = "panels/answers.html")]
struct Answers {
    payload: String,
    result: Option<String>,
    error: Option<LastError>,
}

struct LastError {
    class: &'static str,
    code: String,
    message: String,
}

#[derive(Template)]
#[template(path = "panels/fields.html")]
struct Fields {
    fields: Vec<(&'static str, Value)>,
    tags: Vec<(String, String)>,
}

enum Value {
    Text(String),
    /// What it is called, and its page.
    Link(String, String),
    Time(Markup, Markup),
    Nothing,
}

fn fields(
    job: &Job,
    glance: &OverviewSnapshot,
    root: &Root,
    now: Timestamp,
) -> Vec<(&'static str, Value)> {
    let text = |text: String| Value::Text(text);
    let maybe = |text: Option<String>| text.map_or(Value::Nothing, Value::Text);
    let time = |at: Timestamp| Value::Time(moment(at), ago(at, now));
    let maybe_time = |at: Option<Timestamp>| at.map_or(Value::Nothing, time);
    let options = &job.options;
    vec![
        (key!("id"), text(job.id.to_string())),
        (key!("key"), maybe(job.key.clone())),
        (key!("kind"), text(job.kind.clone())),
        (
            key!("queue"),
            Value::Link(
                queues::name_of(&job.queue, glance.names()),
                queues::page_of(&job.queue, root),
            ),
        ),
        (key!("reason"), maybe(job.reason.clone())),
        (key!("priority"), text(job.priority.to_string())),
        (
            key!("tries"),
            text(tr!(
                "{n} of {all}",
                n = job.tries,
                all = options.max_attempts
            )),
        ),
        (key!("attempt"), text(job.attempt.to_string())),
        (key!("losses"), text(job.losses.to_string())),
        (key!("run"), text(job.run.to_string())),
        (key!("backoff"), text(options.backoff.to_string())),
        (key!("timeout"), text(duration::format(options.timeout))),
        (key!("delivery"), text(options.delivery.to_string())),
        (
            key!("trace"),
            maybe(
                options
                    .trace
                    .as_ref()
                    .map(|trace| trace.traceparent.clone()),
            ),
        ),
        (
            key!("worker"),
            maybe(job.worker.map(|id| glance.name_of(id))),
        ),
        (key!("leased until"), maybe_time(job.leased_until)),
        (key!("run at"), time(job.run_at)),
        (key!("expires at"), maybe_time(job.expires_at)),
        (key!("created at"), time(job.created_at)),
        (key!("updated at"), time(job.updated_at)),
        (key!("finished at"), maybe_time(job.finished_at)),
    ]
}

/// Each tag, and where the jobs that have it are listed.
fn tags(job: &Job, root: &Root) -> Vec<(String, String)> {
    let tags = job.options.tags.iter().cloned();
    tags.map(|tag| {
        let search = super::search::Search {
            tag: tag.clone(),
            ..Default::default()
        };
        (tag, root.href(&search.path()))
    })
    .collect()
}
