//! Watches a run: how far it is, what is being hurt, and how much is on its way.

use std::{collections::BTreeMap, sync::atomic::Ordering, time::Duration};

use baton_client::Queue;
use baton_faults::{
    Counters,
    run::{Count, LabInstallation, Tally, ends::moving, nemesis::Now},
};
use tokio::time::{Instant, sleep, timeout};

use crate::output::Output;

/// How often the servers are asked.
const LOOK: Duration = Duration::from_millis(250);
/// How long an answer may take: whoever is asked may be frozen.
const ANSWER: Duration = Duration::from_secs(1);
/// How often a line is written where no bar moves.
const LINES: Duration = Duration::from_secs(15);
/// The bar's length.
const WHOLE: f64 = 100.0;

/// Waits until the time is up and every goal is reached; what is missing, if it takes too long.
pub async fn until_reached(
    stage: &LabInstallation,
    at_most: Duration,
    counters: &Counters,
    now: &Now,
    output: &Output,
) -> BTreeMap<Count, u64> {
    let bar = output.bar(WHOLE as u64, "faults");
    let mut last_line = Instant::now();
    let mut endpoints = stage.endpoints.iter().cycle();
    while !stage.tally.is_reached() && stage.tally.elapsed() < at_most {
        if let Some(endpoint) = endpoints.next()
            && let Ok(Ok(queues)) = timeout(ANSWER, endpoint.queues()).await
        {
            counters.under_way.store(
                queues.iter().filter(|one| !is_line(one)).map(moving).sum(),
                Ordering::Relaxed,
            );
        }
        stage.count(counters);
        bar.set_position((stage.tally.share() * WHOLE) as u64);
        let told = told(&stage.tally);
        bar.set_message(format!("{} | {told}", now.names().join(", ")));
        if !output.shows_progress() && last_line.elapsed() > LINES {
            output.say(told);
            last_line = Instant::now();
        }
        sleep(LOOK).await;
    }
    bar.finish_and_clear();
    stage.tally.missing()
}

/// Whether a queue is the line of a campaign.
fn is_line(queue: &Queue) -> bool {
    queue.name.starts_with("cmp_")
}

fn told(tally: &Tally) -> String {
    let done = |count| tally.done(count);
    format!(
        "{} s: killed {} servers, {} × the database, {} × Redis; {} failovers and switch-overs; {} lines cut, {} around COMMIT; {} clock steps; {} jobs, {} campaigns",
        tally.elapsed().as_secs(),
        done(Count::Kills),
        done(Count::DatabaseKills),
        done(Count::RedisKills),
        done(Count::Failovers) + done(Count::SwitchOvers),
        done(Count::Cuts),
        done(Count::CommitCuts),
        done(Count::ClockSteps),
        done(Count::Jobs),
        done(Count::Campaigns),
    )
}
