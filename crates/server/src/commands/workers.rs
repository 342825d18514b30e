//! `baton workers`: who runs jobs.

use baton_client::Client;

use crate::{
    exit::{Exit, Failure},
    output::Output,
};

pub async fn run(client: Client, output: &Output) -> Result<Exit, Failure> {
    let workers = client.workers().await?;
    if output.is_json() {
        workers.iter().for_each(|worker| output.json(worker));
        return Ok(Exit::Ok);
    }
    let rows = workers.into_iter().map(|worker| {
        vec![
            worker.id.to_string(),
            worker.name,
            worker.state,
            worker.running.to_string(),
            worker.version,
            output.moment(worker.seen_at),
        ]
    });
    output.table(
        &["worker", "name", "state", "running", "version", "seen at"],
        rows.collect(),
    );
    Ok(Exit::Ok)
}
