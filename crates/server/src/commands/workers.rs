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
    show(workers, output);
    Ok(Exit::Ok)
}

fn show(workers: Vec<Worker>, output: &Output) {
    if output.is_json() {
        workers.iter().for_each(|worker| output.json(worker));
        return;
    }
    let rows = workers.into_iter().map(|worker| {
        let kinds = worker.remote.as_ref().map(|remote| remote.kinds.join(", "));
        vec![
            worker.id.to_string(),
            clean(&worker.name),
            match worker.drain && worker.state == "live" {
                true => "draining".to_owned(),
                false => worker.state,
            },
            worker.running.to_string(),
            clean(&kinds.unwrap_or_else(|| "(built in)".to_owned())),
            clean(&worker.version),
            output.moment(worker.seen_at),
        ]
    });
    output.table(
        &[
            "worker", "name", "state", "running", "kinds", "version", "seen at",
        ],
        rows.collect(),
    );
}

pub async fn kinds(client: &Client, output: &Output) -> Result<Exit, Failure> {
    let kinds = client.kinds().await?;
    if output.is_json() {
        kinds.iter().for_each(|kind| output.json(kind));
        return Ok(Exit::Ok);
    }
    let rows = kinds.into_iter().map(|kind| {
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
    output.table(
        &["kind", "run by", "workers", "free", "queues", "seen at"],
        rows.collect(),
    );
    Ok(Exit::Ok)
}
