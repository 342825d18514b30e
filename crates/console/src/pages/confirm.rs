//! What is asked before something large or final is done.
//!
//! It says what that does and to how many, with the number on the button. A page of its own without a script, a dialog with one.

pub mod approval;
pub mod campaign;
pub mod matching;
pub mod recipient;
pub mod schedule;

use askama::Template;
use axum::{extract::Path, response::Response};
use baton_domain::{
    job::State as JobState,
    operation::{Action, DeadLetterGroup},
    page::PageRequest,
};
use baton_engine::Caller;

use super::job_id;
use crate::{
    Console,
    errors::PageError,
    overview_cache::with_timeout,
    shell::Shell,
    view::{jobs, short, state_word},
};

/// How many characters of a job's id are typed to stop it by force.
const TYPED: usize = 6;
/// How many groups are searched for one.
const SEARCHED: usize = 5_000;

#[derive(Template)]
#[template(path = "rooms/confirm.html")]
struct Confirm<'a> {
    shell: &'a Shell,
    title: String,
    effects: Vec<String>,
    post: String,
    back: String,
    away: String,
    typed: Option<String>,
    /// Whether what was begun has a page of its own, which is where the button leads.
    leads_on: bool,
    action: &'static str,
    button: String,
    is_grave: bool,
}

impl Confirm<'_> {
    /// What has to be typed, as a pattern: what stands for something else in one is taken by itself.
    fn pattern(&self) -> String {
        let typed = self.typed.iter().flat_map(|typed| typed.chars());
        typed.fold(String::new(), |mut pattern, c| {
            if r"^$\.*+?()[]{}|/".contains(c) {
                pattern.push('\\');
            }
            pattern.push(c);
            pattern
        })
    }
}

/// Asks before a running job is taken away from its worker.
pub async fn force_stop(console: Console, shell: Shell, Path(id): Path<String>) -> Response {
    let job = match job_id(&id) {
        Ok(id) => with_timeout(console.engine.listed_job(id)).await,
        Err(trouble) => Err(trouble),
    };
    let job = match job {
        Ok(job) => job,
        Err(trouble) => return shell.trouble(&trouble),
    };
    if job.state != JobState::Running {
        return shell.trouble(&PageError::refused(
            tr!(
                "{job} is {state}, so there is nothing to stop by force.",
                job = short(job.id),
                state = state_word(job.state)
            ),
            tr!("Look at the job again: it has moved since."),
        ));
    }
    let worker = job.worker.map_or_else(
        || tr!("its worker").to_owned(),
        |id| shell.glance.name_of(id),
    );
    let back = format!("/jobs/{}", job.id);
    shell.page(&Confirm {
        title: tr!(
            "Stop {job} by force",
            job = format!("{} {}", job.kind, short(job.id))
        ),
        effects: vec![
            tr!(
                "The lease is taken from {worker} now and the job is canceled.",
                worker = worker
            ),
            tr!("The worker may still be doing what it was doing: effects outside cannot be called back.")
                .to_owned(),
            tr!("What it says later is kept as history and changes nothing.").to_owned(),
        ],
        post: shell.root.href(&format!("{back}/force-stop")),
        away: shell.root.href(&back),
        back,
        typed: Some(typed_end(&job.id.to_string()).to_owned()),
        leads_on: false,
        action: "force-stop",
        button: tr!("Force stop").to_owned(),
        is_grave: true,
        shell: &shell,
    })
}

/// Whether the end of a job's id was typed.
pub fn check_typed(id: &str, typed: &str) -> Result<(), PageError> {
    let expected = typed_end(id);
    if typed.trim() == expected {
        return Ok(());
    }
    Err(PageError::refused(
        tr!("What was typed is not the end of the job's id.").to_owned(),
        tr!(
            "Nothing was changed. Type the six characters shown, so that the right job is stopped."
        ),
    ))
}

fn typed_end(id: &str) -> &str {
    let start = id.char_indices().rev().nth(TYPED - 1).map_or(0, |(i, _)| i);
    &id[start..]
}

/// Asks before something is done to every dead letter of a cause.
pub async fn operation(
    console: Console,
    shell: Shell,
    Path((fingerprint, action)): Path<(String, String)>,
) -> Response {
    let found = async {
        let action = self::action(&action)?;
        let group = group(&console.engine, &fingerprint).await?;
        Ok((action, group.ok_or_else(|| no_group(&fingerprint))?))
    };
    match found.await {
        Ok((action, group)) => shell.page(&about(&shell, action, &group)),
        Err(trouble) => shell.trouble(&trouble),
    }
}

/// Reads the word of an action from an address.
pub fn action(word: &str) -> Result<Action, PageError> {
    let action = word.parse().ok();
    action
        .filter(|action| matches!(action, Action::Retry | Action::Discard))
        .ok_or_else(|| {
            PageError::refused(
                tr!(
                    "Nothing called {word} can be done to dead letters.",
                    word = format!("{word:?}")
                ),
                tr!("They can be retried or discarded."),
            )
        })
}

/// Looks the dead letters of a cause up, if any are left.
pub async fn group(
    engine: &Caller,
    fingerprint: &str,
) -> Result<Option<DeadLetterGroup>, PageError> {
    let mut page = PageRequest::first(PageRequest::MAX_LIMIT);
    for _ in 0..SEARCHED / PageRequest::MAX_LIMIT as usize {
        let groups = with_timeout(engine.dead_letters(&page)).await?;
        let mut items = groups.items.into_iter();
        if let Some(group) = items.find(|group| group.fingerprint == fingerprint) {
            return Ok(Some(group));
        }
        match groups.next {
            Some(next) => page.after = Some(next),
            None => break,
        }
    }
    Ok(None)
}

/// Says that no dead letter of a cause is left.
pub fn no_group(fingerprint: &str) -> PageError {
    PageError::from(baton_engine::Error::NotFound {
        what: "group of dead letters",
        id: fingerprint.to_owned(),
    })
}

fn about<'a>(shell: &'a Shell, action: Action, group: &DeadLetterGroup) -> Confirm<'a> {
    let jobs = jobs(group.count);
    let (title, effect) = match action {
        Action::Retry => (
            tr!("Retry {jobs}", jobs = jobs),
            tr!(
                "Each is queued as its next run, its tries counted from the start, its idempotency key new."
            ),
        ),
        Action::Discard => (
            tr!("Discard {jobs}", jobs = jobs),
            tr!("They leave this list and stay failed in history. This cannot be undone."),
        ),
        Action::Cancel | Action::Erase => (
            tr!("Begin {jobs}", jobs = jobs),
            tr!("It is about something else, and begins there."),
        ),
    };
    let post = format!("/dead-letters/{}/{action}", group.fingerprint);
    Confirm {
        shell,
        title: title.clone(),
        effects: vec![
            format!(
                "{} · {}: {}",
                group.kind, group.reason, group.sample.message
            ),
            effect.to_owned(),
            tr!("Jobs that fail after this moment are not included.").to_owned(),
        ],
        post: shell.root.href(&post),
        back: "/dead-letters".to_owned(),
        away: shell.root.href("/dead-letters"),
        typed: None,
        leads_on: false,
        action: action.as_str(),
        button: title,
        is_grave: action == Action::Discard,
    }
}
