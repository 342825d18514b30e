//! Watches a run: how far it is, what is being hurt, and how much is on its way.

use std::{collections::BTreeMap, sync::atomic::Ordering, time::Duration};

use baton_client::Queue;
use baton_lab::proxy::Proxy;
use tokio::time::{Instant, sleep, timeout};

use crate::{cli::FaultsArgs, output::Output};

use super::{
    load::Counters,
    nemesis::Now,
    stage::Stage,
    tally::{Count, Tally},
};

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
    stage: &Stage,
    args: &FaultsArgs,
    counters: &Counters,
    now: &Now,
    output: &Output,
) -> BTreeMap<Count, u64> {
    let bar = output.bar(WHOLE as u64, "faults");
    let mut last_line = Instant::now();
    let mut doors = stage.doors.iter().cycle();
    while !stage.tally.is_reached() && stage.tally.elapsed() < args.at_most {
        if let Some(door) = doors.next()
            && let Ok(Ok(queues)) = timeout(ANSWER, door.queues()).await
        {
            counters.under_way.store(
                queues.iter().filter(|one| !is_line(one)).map(moving).sum(),
                Ordering::Relaxed,
            );
        }
        count(stage, counters);
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

/// How many of a queue's jobs have not come to their end.
pub const fn moving(queue: &Queue) -> u64 {
    queue.pending + queue.queued + queue.running + queue.retry_wait
}

/// Whether a queue is the line of a campaign.
fn is_line(queue: &Queue) -> bool {
    queue.name.starts_with("cmp_")
}

/// Counts what is counted elsewhere.
pub fn count(stage: &Stage, counters: &Counters) {
    let lines = stage.nodes.iter().flat_map(|node| {
        let redis = node.redis.iter();
        redis.chain(&node.database).map(Proxy::counts)
    });
    let (mut cuts, mut around_commits, mut hints) = (0, 0, 0);
    for line in lines {
        let commits = line.cut_before_commit + line.cut_after_commit;
        around_commits += commits;
        hints += line.moves;
        cuts += line.cut_all + line.cut_after_bytes + line.cut_after_move;
        cuts += line.cut_behind_message + commits;
    }
    stage.tally.set(Count::HintsTaken, hints);
    stage.tally.set(Count::Cuts, cuts);
    stage.tally.set(Count::CommitCuts, around_commits);
    let accepted = counters.accepted.load(Ordering::Relaxed);
    stage.tally.set(Count::Jobs, accepted);
    stage.tally.set(Count::Campaigns, stage.way.ended());
}

fn told(tally: &Tally) -> String {
    let done = |count| tally.done(count);
    format!(
        "{} s: killed {} servers, {} × PostgreSQL, {} × Redis; {} failovers and switch-overs; {} lines cut, {} around COMMIT; {} clock steps; {} jobs, {} campaigns",
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
