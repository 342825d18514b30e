//! `baton dead-letters`: failed jobs by cause, and what is done to many at once.

use baton_client::{Client, DeadLetters};
use baton_domain::operation::Action;
use baton_protocol::{List, PageQuery};

use super::operations::begun;
use crate::{
    cli::{DeadLettersCommand, DiscardOrRetry},
    exit::{Exit, Failure},
    output::Output,
};

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
    let page = PageQuery::first(limit);
    let List { items, next } = client.dead_letters(&page).await?;
    let none = "There are no dead letters.";
    let head = [
        "group",
        "kind",
        "reason",
        "count",
        "last",
        "what went wrong",
    ];
    output.list_or_say(none, &items, &head, |group| row(group, output));
    if next.is_some() && !items.is_empty() && !output.is_json() {
        output.say(format!("There are more than {limit} groups; see --limit."));
    }
    Ok(Exit::Ok)
}

fn row(group: &DeadLetters, output: &Output) -> Vec<String> {
    vec![
        group.fingerprint.clone(),
        group.kind.clone(),
        group.reason.clone(),
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
