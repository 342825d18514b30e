//! One operation: what it does, to what, and how far it is.

use askama::Template;
use axum::{extract::Path, response::Response};
use baton_domain::{
    OperationId, Timestamp,
    access::Permission,
    operation::{Action, DeadLetterGroup, Operation},
};

use super::{
    Panel,
    after::After,
    operations::{percent, what},
    read_id,
};
use crate::{
    Console,
    errors::PageError,
    overview_cache::with_timeout,
    root::Root,
    shell::Shell,
    view::{Markup, action_word, ago, at_least, count, moment, rate, short, span},
};

/// How many causes are looked through for the name of one.
const CAUSES: u32 = 100;

/// An operation, and the causes of dead letters by which it may be called.
pub struct OperationDetails {
    operation: Operation,
    causes: Vec<DeadLetterGroup>,
}

/// Shows an operation.
pub async fn show(console: Console, shell: Shell, Path(id): Path<String>) -> Response {
    let seen = match operation_id(&id) {
        Ok(id) => load(&console, id).await,
        Err(trouble) => Err(trouble),
    };
    match seen {
        Ok(seen) => {
            let audit = shell.actor.may(Permission::AuditRead);
            let audit = audit.then(|| shell.root.href(&format!("/activity?object={id}")));
            shell.page(&OperationPage {
                short: short(seen.operation.id),
                action: action_word(seen.operation.action),
                head: head(&seen, &shell.root, shell.now),
                audit,
                id,
                shell: &shell,
            })
        }
        Err(trouble) => shell.trouble(&trouble),
    }
}

/// Reads the id of an operation from an address.
pub fn operation_id(text: &str) -> Result<OperationId, PageError> {
    read_id(
        text,
        tr!("{text} is not the id of an operation: {error}."),
        tr!("The list of operations leads to each."),
    )
}

/// Looks an operation up.
pub async fn load(console: &Console, id: OperationId) -> Result<OperationDetails, PageError> {
    let causes = After::default().page(CAUSES);
    let both = async {
        let (operation, causes) = tokio::try_join!(
            console.engine.operation(id),
            console.engine.dead_letters(&causes),
        )?;
        Ok(OperationDetails {
            operation,
            causes: causes.items,
        })
    };
    with_timeout(both).await
}

/// The panels, for the live feed.
pub fn panels(seen: &OperationDetails, root: &Root, now: Timestamp) -> Vec<Panel> {
    vec![("head", head(seen, root, now))]
}

#[derive(Template)]
#[template(path = "rooms/operation.html")]
struct OperationPage<'a> {
    shell: &'a Shell,
    id: String,
    short: String,
    action: &'static str,
    head: Markup,
    audit: Option<String>,
}

#[derive(Template)]
#[template(path = "panels/operation_head.html")]
struct Header {
    action: &'static str,
    what: String,
    percent: u64,
    done: String,
    skipped: String,
    of: String,
    left: Option<String>,
    reason: Option<String>,
    stop: Option<String>,
    back: String,
    per_second: Option<String>,
    began: Markup,
    began_at: Markup,
    took: Option<String>,
}

fn head(seen: &OperationDetails, root: &Root, now: Timestamp) -> Markup {
    let operation = &seen.operation;
    let long = operation.finished_at.unwrap_or(now);
    let long = long.since(operation.created_at);
    #[expect(clippy::cast_precision_loss, reason = "a rate for the eye")]
    let done = operation.done as f64;
    let per_second = (long.as_millis() > 0).then(|| rate(done / long.as_secs_f64()));
    let left = operation.total - (operation.done + operation.skipped).min(operation.total);
    let can_stop = operation.finished_at.is_none() && operation.action != Action::Erase;
    let back = format!("/operations/{}", operation.id);
    Markup::of(&Header {
        action: action_word(operation.action),
        what: what(operation, &seen.causes),
        percent: percent(operation),
        done: count(operation.done),
        skipped: count(operation.skipped),
        of: at_least(operation.total, operation.is_at_least),
        left: operation.is_stopped.then(|| count(left)),
        reason: operation.reason.clone(),
        stop: can_stop.then(|| root.href(&format!("{back}/stop"))),
        back,
        per_second,
        began: ago(operation.created_at, now),
        began_at: moment(operation.created_at),
        took: operation.finished_at.map(|_| span(long)),
    })
}
