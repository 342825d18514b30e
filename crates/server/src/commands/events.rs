//! `baton events tail`: follow what happens.

use baton_client::{Client, Event, EventsQuery, FeedMessage, StreamQuery};
use futures::StreamExt;
use serde_json::json;

use crate::{
    cli::{Begin, EventsCommand, TailArgs},
    exit::{Exit, Failure},
    output::{Output, clean},
};

pub async fn run(command: EventsCommand, client: Client, output: &Output) -> Result<Exit, Failure> {
    let EventsCommand::Tail(args) = command;
    let after = match args.after {
        Some(Begin::After(id)) => Some(id.to_string()),
        Some(Begin::Start) => replay(&client, &args, None, output).await?,
        None => None,
    };
    if args.no_follow {
        if !matches!(args.after, Some(Begin::Start)) {
            replay(&client, &args, after, output).await?;
        }
        return Ok(Exit::Ok);
    }
    tokio::select! {
        outcome = follow(&client, args, after, output) => outcome,
        _ = tokio::signal::ctrl_c() => Ok(Exit::Interrupted),
    }
}

/// Prints what there is after a place, and says how far that was.
async fn replay(
    client: &Client,
    args: &TailArgs,
    mut after: Option<String>,
    output: &Output,
) -> Result<Option<String>, Failure> {
    loop {
        let query = EventsQuery {
            types: args.types.clone(),
            subject: args.subject.clone(),
            queue: args.queue.clone(),
            limit: Some(500),
            after,
        };
        let page = client.events(&query).await?;
        page.items.iter().for_each(|event| show(event, output));
        after = Some(page.position.to_string());
        if page.next.is_none() {
            return Ok(after);
        }
    }
}

async fn follow(
    client: &Client,
    args: TailArgs,
    after: Option<String>,
    output: &Output,
) -> Result<Exit, Failure> {
    let query = StreamQuery {
        types: args.types,
        subject: args.subject,
        queue: args.queue,
        after,
    };
    let feed = client.follow(query).await?;
    futures::pin_mut!(feed);
    while let Some(told) = feed.next().await {
        match told? {
            FeedMessage::Event(event) => show(&event, output),
            FeedMessage::Reset(reset) if output.is_json() => output.json(&json!({"reset": reset})),
            FeedMessage::Reset(reset) => output.say(format!(
                "The feed has a gap here, and goes on after {}: {}",
                reset.last, reset.reason
            )),
        }
    }
    Ok(Exit::Ok)
}

fn show(event: &Event, output: &Output) {
    if output.is_json() {
        return output.json(event);
    }
    output.line(format!(
        "{}  {:<12} {:<22} {}  {}",
        event.at,
        event.id.to_string(),
        clean(&event.kind),
        clean(&event.subject),
        clean(&event.data.to_string())
    ));
}
