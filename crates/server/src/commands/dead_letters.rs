//! `baton dead-letters`: failed jobs by cause, and what is done to many at once.

use std::time::Duration;

use baton_client::{Client, DeadLetters, Operation, OperationState};
use baton_domain::operation::Action;
use baton_protocol::{List, PageQuery};

use crate::{
    cli::{DeadLettersCommand, DiscardOrRetry},
    exit::{Exit, Failure},
    output::Output,
};

/// How often an operation is asked how far it is.
const PAUSE: Duration = Duration::from_millis(200);

pub async fn run(
    command: DeadLettersCommand,
    client: Client,
    output: &Output,
) -> Result<Exit, Failure> {
    match command {
        DeadLettersCommand::List { limit } => list(&client, limit, output).await,
        DeadLettersCommand::Retry(args) => operate(&client, Action::Retry, &args, output).await,
        DeadLettersCommand::Discard(args) => operate(&client, Action::Discard, &args, output).await,
    }
}

async fn list(client: &Client, limit: u32, output: &Output) -> Result<Exit, Failure> {
    let page = PageQuery {
        limit: Some(limit),
        after: None,
    };
    let List { items, next } = client.dead_letters(&page).await?;
    if output.is_json() {
        items.iter().for_each(|group| output.json(group));
        return Ok(Exit::Ok);
    }
    if items.is_empty() {
        output.say("There are no dead letters.");
        return Ok(Exit::Ok);
    }
    output.table(
        &[
            "group",
            "kind",
            "reason",
            "count",
            "last",
            "what went wrong",
        ],
        items.into_iter().map(|group| row(group, output)).collect(),
    );
    if next.is_some() {
        output.say(format!("There are more than {limit} groups; see --limit."));
    }
    Ok(Exit::Ok)
}

fn row(group: DeadLetters, output: &Output) -> Vec<String> {
    vec![
        group.fingerprint,
        group.kind,
        group.reason,
        group.count.to_string(),
        output.moment(group.last),
        output.excerpt(&format!("{}: {}", group.sample.code, group.sample.message)),
    ]
}

async fn operate(
    client: &Client,
    action: Action,
    args: &DiscardOrRetry,
    output: &Output,
) -> Result<Exit, Failure> {
    let operation = client.start_operation(action, args.filter()).await?;
    begun(operation, args.no_wait, client, output).await
}

/// Shows an operation that has begun, at its end unless nobody waits for that.
pub async fn begun(
    operation: Operation,
    no_wait: bool,
    client: &Client,
    output: &Output,
) -> Result<Exit, Failure> {
    if no_wait {
        show(&operation, output);
        return Ok(Exit::Ok);
    }
    finish(operation, client, output).await
}

/// Waits until an operation has come to its end.
pub async fn finish(
    mut operation: Operation,
    client: &Client,
    output: &Output,
) -> Result<Exit, Failure> {
    let bar = output.bar(operation.total, operation.action.as_str());
    while operation.state == OperationState::Running {
        tokio::time::sleep(PAUSE).await;
        operation = client.operation(operation.id).await?;
        bar.set_position(operation.done + operation.skipped);
    }
    bar.finish_and_clear();
    show(&operation, output);
    Ok(Exit::Ok)
}

fn show(operation: &Operation, output: &Output) {
    if output.is_json() {
        return output.json(operation);
    }
    let Operation {
        id,
        action,
        total,
        done,
        skipped,
        ..
    } = operation;
    if *action == Action::Erase {
        return output.line(format!("{id}  {action}  {done} changed"));
    }
    output.line(format!(
        "{id}  {action}  {total} matched, {done} changed, {skipped} already gone"
    ));
}
