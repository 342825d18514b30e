//! Operations: what was done to many at once, by whom, and how far each is.

use askama::Template;
use axum::{extract::Query, response::Response};
use baton_domain::{
    Timestamp,
    erasure::Stage,
    operation::{Action, DeadLetterGroup, Operation},
    page::Page,
};

use super::{
    Panel,
    after::{After, next_page},
};
use crate::{
    Console,
    errors::PageError,
    overview_cache::with_timeout,
    root::Root,
    shell::Shell,
    view::{Markup, action_word, ago, at_least, count, selection, short, span, stage_word},
};

/// How many operations a page shows.
const ROWS: u32 = 50;
/// How many causes are looked through for the name of one.
const CAUSES: u32 = 100;

/// How far one is at the most that may find more than were counted.
const MOST: u64 = 99;

/// Operations, and the causes of dead letters by which some are called.
pub struct OperationList {
    page: Page<Operation>,
    causes: Vec<DeadLetterGroup>,
}

/// Shows the list.
pub async fn show(console: Console, shell: Shell, Query(after): Query<After>) -> Response {
    match load(&console, &after).await {
        Ok(seen) => shell.page(&OperationsPage {
            live: after.query(),
            list: list(&seen, &shell.root, shell.now),
            shell: &shell,
        }),
        Err(trouble) => shell.trouble(&trouble),
    }
}

/// Looks the operations up.
pub async fn load(console: &Console, after: &After) -> Result<OperationList, PageError> {
    let (page, causes) = (after.page(ROWS), After::default().page(CAUSES));
    let both = async {
        let (page, causes) = tokio::try_join!(
            console.engine.operations(&page),
            console.engine.dead_letters(&causes),
        )?;
        let causes = causes.items;
        Ok(OperationList { page, causes })
    };
    with_timeout(both).await
}

/// The panels, for the live feed.
pub fn panels(seen: &OperationList, root: &Root, now: Timestamp) -> Vec<Panel> {
    vec![("operations", list(seen, root, now))]
}

fn list(seen: &OperationList, root: &Root, now: Timestamp) -> Markup {
    let next = next_page(root, "/operations", seen.page.next.as_ref());
    table(&seen.page.items, &seen.causes, next, root, now)
}

/// A table of operations.
pub fn table(
    operations: &[Operation],
    causes: &[DeadLetterGroup],
    next: Option<String>,
    root: &Root,
    now: Timestamp,
) -> Markup {
    let rows = operations.iter();
    Markup::of(&Table {
        rows: rows
            .map(|one| OperationRow::new(one, causes, root, now))
            .collect(),
        next,
    })
}

#[derive(Template)]
#[template(path = "rooms/operations.html")]
struct OperationsPage<'a> {
    shell: &'a Shell,
    live: String,
    list: Markup,
}

#[derive(Template)]
#[template(path = "panels/operations.html")]
struct Table {
    rows: Vec<OperationRow>,
    next: Option<String>,
}

struct OperationRow {
    id: String,
    short: String,
    href: String,
    action: &'static str,
    what: String,
    percent: u64,
    done: String,
    skipped: String,
    of: String,
    began: Markup,
    took: Option<String>,
    is_stopped: bool,
}

impl OperationRow {
    fn new(operation: &Operation, causes: &[DeadLetterGroup], root: &Root, now: Timestamp) -> Self {
        let ended = operation.finished_at;
        Self {
            id: operation.id.to_string(),
            short: short(operation.id),
            href: root.href(&format!("/operations/{}", operation.id)),
            action: action_word(operation.action),
            what: what(operation, causes),
            percent: percent(operation),
            done: count(operation.done),
            skipped: count(operation.skipped),
            of: at_least(operation.total, operation.is_at_least),
            is_stopped: operation.is_stopped,
            began: ago(operation.created_at, now),
            took: ended.map(|at| span(at.since(operation.created_at))),
        }
    }
}

/// How far an operation is: of what matched, or of the stages of an erasure.
pub fn percent(operation: &Operation) -> u64 {
    let looked_at = (operation.done + operation.skipped).min(operation.total);
    let stages = Stage::ALL.len() as u64;
    match (operation.stage, operation.total) {
        (Some(stage), _) => stage as u64 * 100 / stages,
        (None, 0) => 100,
        (None, _) if operation.is_at_least => (looked_at * 100 / operation.total).min(MOST),
        (None, total) => looked_at * 100 / total,
    }
}

/// What an operation is done to, for people.
pub fn what(operation: &Operation, causes: &[DeadLetterGroup]) -> String {
    if operation.action == Action::Erase {
        return match operation.stage {
            Some(stage) => tr!("a person, in {stage}", stage = stage_word(stage)),
            None => tr!("a person").to_owned(),
        };
    }
    if let Some(jobs) = &operation.jobs {
        return selection(jobs);
    }
    let filter = &operation.filter;
    let cause = filter.fingerprint.as_ref().map(|fingerprint| {
        let mut causes = causes.iter();
        let cause = causes.find(|cause| cause.fingerprint == *fingerprint);
        cause.map_or_else(
            || tr!("the cause {fingerprint}", fingerprint = fingerprint),
            |cause| format!("{}: {}", cause.sample.code, cause.sample.message),
        )
    });
    let (kind, queue, reason) = (&filter.kind, &filter.queue, &filter.reason);
    let parts = [
        cause,
        kind.as_ref().map(|kind| tr!("kind {name}", name = kind)),
        queue
            .as_ref()
            .map(|queue| tr!("queue {name}", name = queue)),
        reason
            .as_ref()
            .map(|reason| tr!("reason {name}", name = reason)),
    ];
    let named: Vec<_> = parts.into_iter().flatten().collect();
    match named.is_empty() {
        true => tr!("all dead letters").to_owned(),
        false => named.join(", "),
    }
}
