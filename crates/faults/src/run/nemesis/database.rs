//! The database is killed, and lines to it are cut and slowed.

use std::time::Duration;

use baton_lab::{
    checker::FaultKind,
    proxy::{CutCommits, DirectionFaults, How, Moment, Proxy},
};
use rand::{RngExt, rngs::StdRng};
use tokio::time::{Instant, sleep};

use crate::{Failure, now_us};

use super::{
    super::{
        database::Database, journal::Whom, node::Node, scenario::Scenario, stage::LabInstallation,
        tally::Count,
    },
    pause, some_nodes,
};

/// The longest the database is away, in milliseconds.
const AWAY: u64 = 400;
/// How long commits are waited for that can be cut around.
const AIM: Duration = Duration::from_secs(3);
/// The longest a server of the API is cut off, in milliseconds: it asks for two seconds what became of a commit.
const LONGER_THAN_ASKED: u64 = 3_000;
/// How often they are counted.
const LOOK: Duration = Duration::from_millis(20);

pub async fn play(
    stage: &LabInstallation,
    scenario: Scenario,
    chance: &mut StdRng,
) -> Result<(), Failure> {
    match scenario {
        Scenario::KillDatabase => down(stage, scenario, Database::kill, chance).await?,
        Scenario::StopDatabase => down(stage, scenario, Database::stop_at_once, chance).await?,
        Scenario::CutCommits => cut_commits(&some_lines(stage, chance), chance).await,
        Scenario::CutOff => cut_off(stage, chance).await,
        Scenario::CutBytes => cut_bytes(&some_lines(stage, chance), chance).await,
        Scenario::SlowDatabase => slow(stage, scenario, chance).await,
        _ => some_lines(stage, chance)
            .iter()
            .for_each(|line| line.cut_all()),
    }
    Ok(())
}

/// Lines to the database by chance, one to all of them.
fn some_lines<'s>(stage: &'s LabInstallation, chance: &mut StdRng) -> Vec<&'s Proxy> {
    let nodes = some_nodes(stage, chance).into_iter();
    nodes.filter_map(|node| node.database.as_ref()).collect()
}

async fn down(
    stage: &LabInstallation,
    scenario: Scenario,
    end: impl Fn(&mut Database) -> Result<(), Failure>,
    chance: &mut StdRng,
) -> Result<(), Failure> {
    let Some(database) = &stage.database else {
        return Ok(());
    };
    let from_us = now_us();
    end(&mut database.lock())?;
    pause(chance, 0, AWAY).await;
    database.lock().restart()?;
    let everybody = Whom::Everybody;
    stage
        .journal
        .note(FaultKind::Database, scenario, everybody, from_us);
    stage.tally.add(Count::DatabaseKills, 1);
    Ok(())
}

async fn cut_commits(lines: &[&Proxy], chance: &mut StdRng) {
    let begun = Instant::now();
    let count = chance.random_range(2..=6);
    let before: Vec<_> = lines
        .iter()
        .map(|line| line.counts().around_commits())
        .collect();
    for line in lines {
        line.cut_commits(CutCommits {
            moment: Moment::Either,
            count,
            one_in: chance.random_range(1..=5),
        });
    }
    let is_done = || {
        let mut counts = lines.iter().zip(&before);
        counts.all(|(line, before)| line.counts().around_commits() >= before + u64::from(count))
    };
    while !is_done() && begun.elapsed() < AIM {
        sleep(LOOK).await;
    }
    lines.iter().for_each(|line| line.heal());
}

/// Behind any message of a server, one that answers clients or one that works, also for those it started a job for as
/// it came in: what it has told has to be true, whatever it cannot find out any more. How long it was away is noted,
/// for the leases of a worker may run out in that time.
async fn cut_off(stage: &LabInstallation, chance: &mut StdRng) {
    let nodes = stage.nodes.iter();
    let lines = nodes.filter_map(|node| Some((node, node.database.as_ref()?)));
    let lines: Vec<(&Node, &Proxy)> = lines.collect();
    if lines.is_empty() {
        return;
    }
    let (node, line) = lines[chance.random_range(0..lines.len())];
    let begun = Instant::now();
    let before = line.counts().cut_behind_message;
    line.cut_behind(chance.random_range(1..=60));
    while line.counts().cut_behind_message == before && begun.elapsed() < AIM {
        sleep(LOOK).await;
    }
    pause(chance, 500, LONGER_THAN_ASKED).await;
    let was_cut = line.counts().cut_behind_message > before;
    line.heal();
    let deeds = line.deeds();
    let last = deeds.iter().rfind(|deed| deed.how == How::BehindMessage);
    if let Some(from_us) = last.map(|deed| deed.at_us).filter(|_| was_cut)
        && let Some(whom) = Whom::at(node, from_us)
    {
        let (journal, scenario) = (&stage.journal, Scenario::CutOff);
        journal.note(FaultKind::Cut, scenario, whom, from_us);
    }
}

async fn cut_bytes(lines: &[&Proxy], chance: &mut StdRng) {
    for line in lines {
        let after = Some(chance.random_range(500..40_000));
        let to_server = chance.random::<bool>();
        line.change(|faults| {
            let way = if to_server {
                &mut faults.to_server
            } else {
                &mut faults.to_client
            };
            way.cut_after = after;
        });
    }
    pause(chance, 200, 1_000).await;
    lines.iter().for_each(|line| line.heal());
}

async fn slow(stage: &LabInstallation, scenario: Scenario, chance: &mut StdRng) {
    let nodes = some_nodes(stage, chance);
    let way = DirectionFaults {
        delay: Duration::from_millis(chance.random_range(5..80)),
        jitter: Duration::from_millis(chance.random_range(0..100)),
        ..DirectionFaults::default()
    };
    let from_us = now_us();
    for line in nodes.iter().filter_map(|node| node.database.as_ref()) {
        line.change(|faults| {
            (faults.to_server, faults.to_client) = (way, way);
        });
    }
    pause(chance, 1_000, 3_000).await;
    for node in nodes {
        node.database.iter().for_each(Proxy::heal);
        if let Some(whom) = Whom::at(node, from_us) {
            stage.journal.note(FaultKind::Slow, scenario, whom, from_us);
        }
    }
}
