//! Jobs that make one HTTP call each: the whole pipeline, from a backlog to recorded answers.

use serde_json::json;
use tokio::time::Instant;

use crate::{
    commands::bench::{figure::Figure, load, session::Session, target::Target},
    exit::Failure,
};

use super::drain::has_counted;

const JOBS: u32 = 20_000;
/// As many calls at once as the sender has connections that it is held against, `benches/limits/http_sends.py`.
const SLOTS: u32 = 128;

pub async fn run(session: &mut Session<'_>) -> Result<(), Failure> {
    let jobs = session.jobs(JOBS);
    let (target, url) = if let Some(url) = &session.args.target {
        (None, url.clone())
    } else {
        let target = Target::start().await?;
        let url = target.url.clone();
        (Some(target), url)
    };
    let mut rig = session.rig_with(SLOTS).await?;
    rig.turn();
    let bar = session.bar(jobs, "enqueue");
    let job = load::of_kind(
        "http",
        json!({"url": url, "body": load::payload()}).to_string(),
    );
    load::fill(rig.engine(), jobs, &job, &bar).await?;
    bar.finish_and_clear();
    session.checkpoint(&rig).await?;
    let bar = session.bar(jobs, "send");
    let begun = Instant::now();
    let crew = rig.crew();
    crew.has_run(jobs.into(), &bar).await?;
    let took = begun.elapsed();
    bar.finish_and_clear();
    has_counted(&rig, |queue| {
        queue.succeeded + queue.failed + queue.retry_wait >= jobs.into()
    })
    .await?;
    let taken = rig.queue().await?.map_or(0, |queue| queue.succeeded);
    if taken < u64::from(jobs) {
        return Err(
            Failure::new(format!("the target took {taken} of {jobs} calls"))
                .then("Name one that answers every POST with 200 with --target."),
        );
    }
    let slots = rig.slots();
    crew.leave().await;
    rig.take_down(session.ground).await?;
    let to = if target.is_some() {
        "a target in another process"
    } else {
        "the target asked for"
    };
    session.found(
        Figure::rate("http_sends", jobs.into(), slots, took).note(format!(
            "POST of 200 bytes to {to}, attempts and facts recorded"
        )),
    );
    Ok(())
}
