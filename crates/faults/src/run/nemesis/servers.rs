//! Servers are killed, frozen, stopped and started again.

use std::time::Duration;

use baton_lab::checker::FaultKind;
use futures::future::try_join_all;
use rand::{RngExt, rngs::StdRng};
use tokio::time::sleep;

use crate::{Failure, now_us};

use super::{
    super::{
        crew::Duty, journal::Whom, node::LockedNode, scenario::Scenario, stage::LabInstallation,
        tally::Count,
    },
    pause, shuffle,
};

/// The longest a killed server is away, in milliseconds.
const AWAY: u64 = 800;
/// How many are killed at once, at most.
const MANY: usize = 4;

pub async fn play(
    stage: &LabInstallation,
    scenario: Scenario,
    chance: &mut StdRng,
) -> Result<(), Failure> {
    let held = match scenario {
        Scenario::KillApi => hold(stage, chance, 1, |duty| has(duty, Duty::Api)),
        Scenario::KillEngine => hold(stage, chance, 1, |duty| has(duty, Duty::Engine)),
        Scenario::KillWorker => hold(stage, chance, 1, |duty| has(duty, Duty::Worker)),
        Scenario::KillMany => {
            let count = chance.random_range(2..=MANY);
            hold(stage, chance, count, |_| true)
        }
        Scenario::KillStopping => return kill_stopping(stage, scenario, chance).await,
        Scenario::Roll => return roll(stage, chance).await,
        Scenario::PauseWorker => return freeze(stage, scenario, Duty::Worker, chance).await,
        _ => return freeze(stage, scenario, Duty::Engine, chance).await,
    };
    kill(stage, scenario, held, chance).await
}

fn has(duty: Duty, wanted: Duty) -> bool {
    duty == wanted || duty == Duty::All
}

/// Kills any server.
pub async fn kill_any(
    stage: &LabInstallation,
    scenario: Scenario,
    chance: &mut StdRng,
) -> Result<(), Failure> {
    let held = hold(stage, chance, 1, |_| true);
    kill(stage, scenario, held, chance).await
}

/// Nodes by chance to which nothing is being done; fewer, if there are not so many.
fn hold<'s>(
    stage: &'s LabInstallation,
    chance: &mut StdRng,
    count: usize,
    is_meant: impl Fn(Duty) -> bool,
) -> Vec<LockedNode<'s>> {
    let mut nodes: Vec<_> = stage
        .nodes
        .iter()
        .filter(|node| is_meant(node.duty))
        .collect();
    shuffle(&mut nodes, chance);
    nodes
        .into_iter()
        .filter_map(super::Node::hold)
        .take(count)
        .collect()
}

async fn kill(
    stage: &LabInstallation,
    scenario: Scenario,
    mut held: Vec<LockedNode<'_>>,
    chance: &mut StdRng,
) -> Result<(), Failure> {
    for one in &mut held {
        kill_one(stage, scenario, one).await?;
    }
    pause(chance, 0, AWAY).await;
    try_join_all(held.iter_mut().map(LockedNode::start)).await?;
    Ok(())
}

async fn kill_one(
    stage: &LabInstallation,
    scenario: Scenario,
    held: &mut LockedNode<'_>,
) -> Result<(), Failure> {
    let from_us = now_us();
    let whom = Whom::at(held.node, from_us);
    held.kill().await?;
    if let Some(whom) = whom {
        stage.journal.note(FaultKind::Kill, scenario, whom, from_us);
        stage.tally.add(Count::Kills, 1);
    }
    Ok(())
}

/// A stop that is cut short at any moment of it.
async fn kill_stopping(
    stage: &LabInstallation,
    scenario: Scenario,
    chance: &mut StdRng,
) -> Result<(), Failure> {
    for mut held in hold(stage, chance, 1, |_| true) {
        let grace = Duration::from_millis(chance.random_range(0..600));
        if !held.stop_within(grace).await? {
            kill_one(stage, scenario, &mut held).await?;
        }
        held.start().await?;
    }
    Ok(())
}

/// A stop in order is no fault, and excuses nothing.
async fn roll(stage: &LabInstallation, chance: &mut StdRng) -> Result<(), Failure> {
    for mut held in hold(stage, chance, 1, |_| true) {
        held.stop().await?;
        held.start().await?;
    }
    Ok(())
}

async fn freeze(
    stage: &LabInstallation,
    scenario: Scenario,
    duty: Duty,
    chance: &mut StdRng,
) -> Result<(), Failure> {
    for held in hold(stage, chance, 1, |one| has(one, duty)) {
        let from_us = now_us();
        let whom = Whom::at(held.node, from_us);
        held.pause()?;
        // Past the lease, the look for expired ones, and a little more or less.
        let margin = Duration::from_millis(chance.random_range(0..4_000));
        sleep(stage.lease + margin).await;
        held.resume()?;
        if let Some(whom) = whom {
            stage
                .journal
                .note(FaultKind::Pause, scenario, whom, from_us);
        }
    }
    Ok(())
}
