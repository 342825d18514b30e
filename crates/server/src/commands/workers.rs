//! `baton workers` and `baton kinds`: who runs jobs, and of which kinds.

use baton_client::{Client, Worker};

use crate::{
    cli::WorkersCommand,
    exit::{Exit, Failure},
    output::{Output, clean},
};

pub async fn run(
    command: Option<WorkersCommand>,
    client: Client,
    output: &Output,
) -> Result<Exit, Failure> {
    let workers = match command {
        None | Some(WorkersCommand::List) => client.workers().await?,
        Some(WorkersCommand::Drain { id, undo }) => vec![client.drain_worker(id, !undo).await?],
    };
    show(&workers, output);
    Ok(Exit::Ok)
}

fn show(workers: &[Worker], output: &Output) {
    let head = [
        "worker", "name", "state", "running", "kinds", "version", "seen at",
    ];
    output.list(workers, &head, |worker| {
        let kinds = worker.remote.as_ref().map(|remote| remote.kinds.join(", "));
        vec![
            worker.id.to_string(),
            clean(&worker.name),
            match worker.drain && worker.state == "live" {
                true => "draining".to_owned(),
                false => worker.state.clone(),
            },
            worker.running.to_string(),
            clean(&kinds.unwrap_or_else(|| "(built in)".to_owned())),
            clean(&worker.version),
            output.moment(worker.seen_at),
        ]
    });
}

pub async fn kinds(client: &Client, output: &Output) -> Result<Exit, Failure> {
    let kinds = client.kinds().await?;
    let head = ["kind", "run by", "workers", "free", "queues", "seen at"];
    output.list(&kinds, &head, |kind| {
        vec![
            clean(&kind.kind),
            if kind.built_in { "server" } else { "remote" }.to_owned(),
            kind.workers.to_string(),
            format!("{} of {}", kind.free, kind.slots),
            clean(&kind.queues.join(", ")),
            kind.last_served_at
                .map(|at| output.moment(at))
                .unwrap_or_default(),
        ]
    });
    Ok(Exit::Ok)
}
