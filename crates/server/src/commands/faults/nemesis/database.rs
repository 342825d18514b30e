//! PostgreSQL is killed, and lines to it are cut and slowed.

use std::time::Duration;

use baton_lab::{
    checker::FaultKind,
    proxy::{CutCommits, Moment, Way},
    servers::Postgres,
};
use rand::{RngExt, rngs::StdRng};
use tokio::{
    task::block_in_place,
    time::{Instant, sleep},
};

use crate::{commands::evidence::now_us, exit::Failure};

use super::{
    super::{
        journal::Whom,
        node::Node,
        scenario::Scenario,
        stage::{Stage, cannot},
        tally::Count,
    },
    pause, some_nodes,
};

/// The longest PostgreSQL is away, in milliseconds.
const AWAY: u64 = 400;
/// How long commits are waited for that can be cut around.
const AIM: Duration = Duration::from_secs(3);
/// How often they are counted.
const LOOK: Duration = Duration::from_millis(20);

pub async fn play(stage: &Stage, scenario: Scenario, chance: &mut StdRng) -> Result<(), Failure> {
    match scenario {
        Scenario::KillDatabase => down(stage, scenario, Postgres::kill, chance).await?,
        Scenario::StopDatabase => down(stage, scenario, Postgres::stop_immediately, chance).await?,
        Scenario::CutCommits => cut_commits(&some_nodes(stage, chance), chance).await,
        Scenario::CutBytes => cut_bytes(&some_nodes(stage, chance), chance).await,
        Scenario::SlowDatabase => slow(stage, scenario, chance).await,
        _ => some_nodes(stage, chance)
            .iter()
            .for_each(|node| node.database.cut_all()),
    }
    Ok(())
}

async fn down<E: std::fmt::Display>(
    stage: &Stage,
    scenario: Scenario,
    end: impl Fn(&mut Postgres) -> Result<(), E>,
    chance: &mut StdRng,
) -> Result<(), Failure> {
    let Some(postgres) = &stage.postgres else {
        return Ok(());
    };
    let from_us = now_us();
    block_in_place(|| end(&mut postgres.lock())).map_err(cannot)?;
    pause(chance, 0, AWAY).await;
    block_in_place(|| postgres.lock().restart()).map_err(cannot)?;
    let everybody = Whom::Everybody;
    stage
        .journal
        .note(FaultKind::Database, scenario, everybody, from_us);
    stage.tally.add(Count::DatabaseKills, 1);
    Ok(())
}

async fn cut_commits(nodes: &[&Node], chance: &mut StdRng) {
    let begun = Instant::now();
    let count = chance.random_range(2..=6);
    let before: Vec<_> = nodes.iter().map(|node| around_commits(node)).collect();
    for node in nodes {
        node.database.cut_commits(CutCommits {
            moment: Moment::Either,
            count,
            one_in: chance.random_range(1..=5),
        });
    }
    let is_done = || {
        let mut counts = nodes.iter().zip(&before);
        counts.all(|(node, before)| around_commits(node) >= before + u64::from(count))
    };
    while !is_done() && begun.elapsed() < AIM {
        sleep(LOOK).await;
    }
    nodes.iter().for_each(|node| node.database.heal());
}

fn around_commits(node: &Node) -> u64 {
    let counts = node.database.counts();
    counts.cut_before_commit + counts.cut_after_commit
}

async fn cut_bytes(nodes: &[&Node], chance: &mut StdRng) {
    for node in nodes {
        let after = Some(chance.random_range(500..40_000));
        let to_server = chance.random::<bool>();
        node.database.change(|faults| {
            let way = if to_server {
                &mut faults.to_server
            } else {
                &mut faults.to_client
            };
            way.cut_after = after;
        });
    }
    pause(chance, 200, 1_000).await;
    nodes.iter().for_each(|node| node.database.heal());
}

async fn slow(stage: &Stage, scenario: Scenario, chance: &mut StdRng) {
    let nodes = some_nodes(stage, chance);
    let way = Way {
        delay: Duration::from_millis(chance.random_range(5..80)),
        jitter: Duration::from_millis(chance.random_range(0..100)),
        ..Way::default()
    };
    let from_us = now_us();
    for node in &nodes {
        node.database.change(|faults| {
            (faults.to_server, faults.to_client) = (way, way);
        });
    }
    pause(chance, 1_000, 3_000).await;
    for node in nodes {
        node.database.heal();
        if let Some(whom) = Whom::at(node, from_us) {
            stage.journal.note(FaultKind::Slow, scenario, whom, from_us);
        }
    }
}
