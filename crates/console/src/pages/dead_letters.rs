//! Dead letters: hundreds of failures, a few causes; and what is being done about them.

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
    overview_cache::patiently,
    root::Root,
    shell::Shell,
    view::{Markup, ago, count, short, span},
};

/// How many causes a page shows.
const GROUPS: u32 = 50;
/// How many operations are shown.
const OPERATIONS: u32 = 20;

/// Shows the causes and the operations.
pub async fn show(console: Console, shell: Shell, Query(after): Query<After>) -> Response {
    match load(&console, &after).await {
        Ok(seen) => {
            let panels = Panels::new(&seen, &shell.root, shell.now);
            shell.page(&DeadLetters {
                shell: &shell,
                live: after.query(),
                panels,
            })
        }
        Err(trouble) => shell.trouble(&trouble),
    }
}

/// The causes and the operations.
pub struct DeadLetterList {
    groups: Page<DeadLetterGroup>,
    operations: Vec<Operation>,
}

/// Looks the causes and the operations up.
pub async fn load(console: &Console, after: &After) -> Result<DeadLetterList, PageError> {
    let groups = after.page(GROUPS);
    let operations = After::default().page(OPERATIONS);
    let both = async {
        let (groups, operations) = tokio::try_join!(
            console.engine.dead_letters(&groups),
            console.engine.operations(&operations),
        )?;
        Ok(DeadLetterList {
            groups,
            operations: operations.items,
        })
    };
    patiently(both).await
}

/// The panels, for the live feed.
pub fn panels(seen: &DeadLetterList, root: &Root, now: Timestamp) -> Vec<Panel> {
    Panels::new(seen, root, now).all()
}

#[derive(Template)]
#[template(path = "rooms/dead_letters.html")]
struct DeadLetters<'a> {
    shell: &'a Shell,
    live: String,
    panels: Panels,
}

panels!(groups, operations);

impl Panels {
    fn new(seen: &DeadLetterList, root: &Root, now: Timestamp) -> Self {
        let groups = seen.groups.items.iter();
        let operations = seen.operations.iter();
        Self {
            groups: Markup::of(&Groups {
                rows: groups
                    .map(|group| GroupRow::new(group, root, now))
                    .collect(),
                next: next_page(root, "/dead-letters", seen.groups.next.as_ref()),
            }),
            operations: Markup::of(&Operations {
                rows: operations.map(|one| OperationRow::new(one, now)).collect(),
            }),
        }
    }
}

#[derive(Template)]
#[template(path = "panels/groups.html")]
struct Groups {
    rows: Vec<GroupRow>,
    next: Option<String>,
}

struct GroupRow {
    fingerprint: String,
    kind: String,
    reason: String,
    code: String,
    message: String,
    count: String,
    first: Markup,
    last: Markup,
    sample: String,
    sample_href: String,
    retry: String,
    discard: String,
}

impl GroupRow {
    fn new(group: &DeadLetterGroup, root: &Root, now: Timestamp) -> Self {
        let path =
            |action: Action| root.href(&format!("/dead-letters/{}/{action}", group.fingerprint));
        Self {
            retry: path(Action::Retry),
            discard: path(Action::Discard),
            fingerprint: group.fingerprint.clone(),
            kind: group.kind.clone(),
            reason: group.reason.clone(),
            code: group.sample.code.clone(),
            message: group.sample.message.clone(),
            count: count(group.count),
            first: ago(group.first_at, now),
            last: ago(group.last_at, now),
            sample: short(group.sample_job),
            sample_href: root.href(&format!("/jobs/{}", group.sample_job)),
        }
    }
}

#[derive(Template)]
#[template(path = "panels/operations.html")]
struct Operations {
    rows: Vec<OperationRow>,
}

struct OperationRow {
    id: String,
    short: String,
    action: &'static str,
    what: String,
    percent: u64,
    done: String,
    skipped: String,
    of: String,
    began: Markup,
    took: Option<String>,
}

impl OperationRow {
    fn new(operation: &Operation, now: Timestamp) -> Self {
        let looked_at = (operation.done + operation.skipped).min(operation.total);
        let ended = operation.finished_at;
        Self {
            id: operation.id.to_string(),
            short: short(operation.id),
            action: operation.action.as_str(),
            what: what(operation),
            percent: percent(operation, looked_at),
            done: count(operation.done),
            skipped: count(operation.skipped),
            of: count(operation.total),
            began: ago(operation.created_at, now),
            took: ended.map(|at| span(at.since(operation.created_at))),
        }
    }
}

/// How far an operation is: of its dead letters, or of the stages of an erasure.
fn percent(operation: &Operation, looked_at: u64) -> u64 {
    let stages = Stage::ALL.len() as u64;
    match (operation.stage, operation.total) {
        (Some(stage), _) => stage as u64 * 100 / stages,
        (None, 0) => 100,
        (None, total) => looked_at * 100 / total,
    }
}

fn what(operation: &Operation) -> String {
    if operation.action == Action::Erase {
        let stage = operation.stage.map(|stage| format!(", in {stage}"));
        return format!("a person{}", stage.unwrap_or_default());
    }
    let filter = &operation.filter;
    let parts = [
        ("", &filter.fingerprint),
        ("kind ", &filter.kind),
        ("queue ", &filter.queue),
        ("reason ", &filter.reason),
    ];
    let named: Vec<_> = parts
        .iter()
        .filter_map(|(name, value)| value.as_ref().map(|value| format!("{name}{value}")))
        .collect();
    if named.is_empty() {
        "all dead letters".to_owned()
    } else {
        named.join(", ")
    }
}
