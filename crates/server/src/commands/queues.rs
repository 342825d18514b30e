//! `baton queues`: look at, pause and limit queues.

use baton_client::{ChangeQueue, Client, Queue};

use crate::{
    cli::{Limit, QueuesCommand},
    exit::{Exit, Failure},
    output::Output,
};

pub async fn run(command: QueuesCommand, client: Client, output: &Output) -> Result<Exit, Failure> {
    let queues = match command {
        QueuesCommand::List => client.queues().await?,
        QueuesCommand::Pause { name } => vec![pause(&client, &name, true).await?],
        QueuesCommand::Resume { name } => vec![pause(&client, &name, false).await?],
        QueuesCommand::Set {
            name,
            max_running,
            rate,
        } => {
            let change = ChangeQueue {
                paused: None,
                max_running: max_running.map(|Limit(limit)| limit),
                rate: rate.map(|Limit(limit)| limit),
            };
            vec![client.change_queue(&name, &change).await?]
        }
    };
    show(&queues, output);
    Ok(Exit::Ok)
}

async fn pause(client: &Client, name: &str, paused: bool) -> Result<Queue, Failure> {
    let change = ChangeQueue {
        paused: Some(paused),
        ..ChangeQueue::default()
    };
    Ok(client.change_queue(name, &change).await?)
}

fn show(queues: &[Queue], output: &Output) {
    if queues.is_empty() && !output.is_json() {
        output.say("There is no queue yet; the first job makes one.");
    }
    let head = [
        "queue",
        "state",
        "queued",
        "running",
        "waiting",
        "succeeded",
        "failed",
        "uncertain",
        "per second",
        "max running",
        "rate",
    ];
    output.list(queues, &head, |queue| {
        let state = if queue.paused { "paused" } else { "open" };
        vec![
            queue.name.clone(),
            state.to_owned(),
            queue.queued.to_string(),
            queue.running.to_string(),
            (queue.pending + queue.retry_wait).to_string(),
            queue.succeeded.to_string(),
            queue.failed.to_string(),
            queue.uncertain.to_string(),
            format!("{:.1}", queue.per_second),
            limit(queue.max_running),
            limit(queue.rate),
        ]
    });
}

fn limit(limit: Option<impl ToString>) -> String {
    limit.map_or_else(|| "-".to_owned(), |limit| limit.to_string())
}
