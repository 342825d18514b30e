//! Enqueue one job a call over HTTP, to a server in another process.

use baton_client::{EnqueueJob, Json};
use serde_json::json;

use crate::{
    commands::bench::{figure::Figure, hammer::hammer, keyed::Keyed, load, session::Session},
    exit::Failure,
};

use super::single::CALLERS;

/// Nobody runs these jobs.
const NOWHERE: &str = "http://127.0.0.1:9/";

pub async fn run(session: &mut Session<'_>) -> Result<(), Failure> {
    let scratch = session.ground.scratch().await?;
    let Keyed { server, client, .. } = Keyed::start(session, scratch.url(), [""; 0]).await?;
    let payload = json!({"url": NOWHERE, "body": load::payload()});
    let job = EnqueueJob {
        queue: Some(load::QUEUE.to_owned()),
        ..EnqueueJob::new("http", Json::from(&payload))
    };
    for callers in CALLERS {
        let bar = session.timed_bar(callers);
        let (client, job) = (client.clone(), job.clone());
        let call = move || {
            let (client, job) = (client.clone(), job.clone());
            async move { client.enqueue(&job).await.map(drop).map_err(Failure::from) }
        };
        let hammered = hammer(callers, session.args.span, &bar, call).await?;
        bar.finish_and_clear();
        let count = hammered.calls.len() as u64;
        session.found(
            Figure::rate("api_single", count, callers, hammered.took)
                .taking(hammered.calls)
                .note("POST /v1/jobs to a server in another process that asks for a key, connections kept, no worker"),
        );
    }
    server.stop().await?;
    session.ground.give_up(&scratch).await
}
