//! Dead letters: hundreds of failures, a few causes; and what is being done about them.

use askama::Template;
use axum::{extract::Query, response::Response};
use baton_domain::{
    Timestamp,
    operation::{Action, DeadLetterGroup, Operation},
    page::Page,
};

use super::{
    Panel,
    after::{After, next_page},
    operations,
};
use crate::{
    Console,
    errors::PageError,
    overview_cache::with_timeout,
    root::Root,
    shell::Shell,
    view::{Markup, ago, count, short},
};

/// How many causes a page shows.
const GROUPS: u32 = 50;
/// How many operations are shown.
const OPERATIONS: u32 = 5;

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
    with_timeout(both).await
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
        Self {
            groups: Markup::of(&Groups {
                rows: groups
                    .map(|group| GroupRow::new(group, root, now))
                    .collect(),
                next: next_page(root, "/dead-letters", seen.groups.next.as_ref()),
            }),
            operations: operations::table(&seen.operations, &seen.groups.items, None, root, now),
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
    /// Where one of them is run again, where there are several.
    probe: Option<String>,
    retry: String,
    discard: String,
}

impl GroupRow {
    fn new(group: &DeadLetterGroup, root: &Root, now: Timestamp) -> Self {
        let path =
            |action: Action| root.href(&format!("/dead-letters/{}/{action}", group.fingerprint));
        Self {
            probe: (group.count > 1)
                .then(|| root.href(&format!("/dead-letters/{}/probe", group.fingerprint))),
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
