//! `baton operations`: what is done to many at once, how far it is, and its end before it is through.

use std::time::Duration;

use baton_client::{Client, Operation, OperationState};
use baton_domain::operation::Action;
use baton_protocol::{List, PageQuery};

use crate::{
    cli::OperationsCommand,
    exit::{Exit, Failure},
    output::Output,
};

/// How often an operation is asked how far it is.
const PAUSE: Duration = Duration::from_millis(200);

pub async fn run(
    command: OperationsCommand,
    client: Client,
    output: &Output,
) -> Result<Exit, Failure> {
    match command {
        OperationsCommand::List { limit } => return list(&client, limit, output).await,
        OperationsCommand::Show { id } => show(&client.operation(id).await?, output),
        OperationsCommand::Watch { id } => {
            return finish(client.operation(id).await?, &client, output).await;
        }
        OperationsCommand::Stop { id } => show(&client.stop_operation(id).await?, output),
    }
    Ok(Exit::Ok)
}

async fn list(client: &Client, limit: u32, output: &Output) -> Result<Exit, Failure> {
    let page = PageQuery::first(limit);
    let List { items, next } = client.operations(&page).await?;
    let none = "Nothing was done to many at once.";
    let head = ["operation", "does", "state", "begun", "how far"];
    output.list_or_say(none, &items, &head, |operation| row(operation, output));
    if next.is_some() && !items.is_empty() && !output.is_json() {
        output.say(format!("There are more than {limit}; see --limit."));
    }
    Ok(Exit::Ok)
}

fn row(operation: &Operation, output: &Output) -> Vec<String> {
    vec![
        operation.id.to_string(),
        operation.action.to_string(),
        state(operation.state).to_owned(),
        output.moment(operation.created_at),
        how_far(operation),
    ]
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
    let state = match operation.state {
        OperationState::Done => "",
        state => self::state(state),
    };
    let line = format!(
        "{}  {}  {}  {state}",
        operation.id,
        operation.action,
        how_far(operation)
    );
    output.line(line.trim_end());
}

fn how_far(operation: &Operation) -> String {
    let Operation {
        action,
        total,
        done,
        skipped,
        ..
    } = operation;
    match action {
        Action::Erase => format!("{done} changed"),
        _ => format!("{total} matched, {done} changed, {skipped} already gone"),
    }
}

const fn state(state: OperationState) -> &'static str {
    match state {
        OperationState::Running => "running",
        OperationState::Done => "done",
        OperationState::Stopped => "stopped",
    }
}
