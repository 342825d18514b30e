//! What is asked before something is done to every job that matches a search.

use axum::{
    extract::{Path, Query},
    response::Response,
};
use baton_domain::operation::{Action, JobSelection};
use baton_ports::store::Counted;

use super::Confirm;
use crate::{
    Console,
    errors::PageError,
    overview_cache::with_timeout,
    pages::search::Search,
    shell::Shell,
    view::{jobs, selection},
};

/// Asks before it is done.
pub async fn show(
    console: Console,
    shell: Shell,
    Path(word): Path<String>,
    Query(search): Query<Search>,
) -> Response {
    let found = async {
        let (action, selection) = wanted(&word, &search)?;
        let counted = with_timeout(console.engine.count_for(action, &selection)).await?;
        if counted.n == 0 && !counted.is_at_least {
            return Err(PageError::refused(
                tr!("No job matches now.").to_owned(),
                tr!("There is nothing to do. They may have moved since the page was drawn."),
            ));
        }
        Ok((action, selection, counted))
    };
    match found.await {
        Ok((action, selection, counted)) => {
            shell.page(&about(&shell, action, &selection, counted, &search))
        }
        Err(trouble) => shell.trouble(&trouble),
    }
}

/// Reads from an address what is to be done, and to which jobs.
pub fn wanted(word: &str, search: &Search) -> Result<(Action, JobSelection), PageError> {
    let action = word.parse::<Action>().ok();
    let action = action.filter(|action| action.on_jobs().is_some());
    let action = action.ok_or_else(|| {
        PageError::refused(
            tr!(
                "Nothing called {word} can be done to many jobs.",
                word = format!("{word:?}")
            ),
            tr!("They can be canceled or retried."),
        )
    })?;
    Ok((action, search.selection()?))
}

fn about<'a>(
    shell: &'a Shell,
    action: Action,
    meant: &JobSelection,
    counted: Counted,
    search: &Search,
) -> Confirm<'a> {
    let many = match (counted.is_at_least, counted.n) {
        (true, 0) => tr!("all that match").to_owned(),
        (true, n) => tr!("at least {n}", n = jobs(n)),
        (false, n) => jobs(n),
    };
    let title = match action {
        Action::Retry => tr!("Retry {jobs}", jobs = many),
        _ => tr!("Cancel {jobs}", jobs = many),
    };
    let mut effects = vec![found_so_many(counted, meant)];
    if counted.is_at_least {
        effects.push(
            tr!("There may be more than were counted. All that match now are meant.").to_owned(),
        );
    }
    effects.push(effect(action, meant).to_owned());
    effects.push(tr!("Jobs that come or move after this moment are left alone.").to_owned());
    effects.push(tr!("It goes on in the background, and can be stopped from its page.").to_owned());
    let (back, query) = (search.from("").path(), search.from("").query());
    Confirm {
        title: title.clone(),
        effects,
        post: shell.root.href(&format!("/jobs/matching/{action}?{query}")),
        away: shell.root.href(&back),
        back,
        typed: None,
        leads_on: true,
        action: action.as_str(),
        button: title,
        is_grave: action == Action::Cancel,
        shell,
    }
}

fn found_so_many(counted: Counted, meant: &JobSelection) -> String {
    let meant = selection(meant);
    match (counted.is_at_least, counted.n) {
        (true, 0) => tr!(
            "None of those looked at so far matches: {jobs}.",
            jobs = meant
        ),
        (true, n) => tr!("At least {n} match now: {jobs}.", n = jobs(n), jobs = meant),
        (false, 1) => tr!("1 job matches now: {jobs}.", jobs = meant),
        (false, n) => tr!("{n} match now: {jobs}.", n = jobs(n), jobs = meant),
    }
}

fn effect(action: Action, meant: &JobSelection) -> &'static str {
    use baton_domain::job::State::Running;
    match (action, meant.state) {
        (Action::Retry, _) => {
            tr!(
                "Each is queued as its next run, its tries counted from the start, its idempotency key new."
            )
        }
        (_, Running) => tr!("Each is asked to stop; it ends as soon as its worker can."),
        _ => tr!("Each is canceled before it runs. A canceled job can be run again."),
    }
}
