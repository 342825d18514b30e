//! Remote workers are killed, frozen, drained, and hear no answers.

use std::time::Duration;

use baton_lab::checker::FaultKind;
use rand::{RngExt, rngs::StdRng};
use rustix::process::Signal;
use tokio::time::{Instant, sleep};

use crate::{Failure, now_us};

use super::{
    super::{
        journal::Whom,
        remote::{CALLS, LockedWorker},
        scenario::Scenario,
        stage::LabInstallation,
        tally::Count,
    },
    pause, shuffle,
};

/// The longest a killed worker is away, in milliseconds.
const AWAY: u64 = 300;
/// How long a worker is drained.
const DRAINED: Duration = Duration::from_secs(4);
/// How many answers are lost one after the other, and how long each is waited for.
const ANSWERS: usize = 12;
const ANSWER: Duration = Duration::from_millis(600);
const LOOK: Duration = Duration::from_millis(5);

pub async fn play(
    stage: &LabInstallation,
    scenario: Scenario,
    chance: &mut StdRng,
) -> Result<(), Failure> {
    let mut remotes: Vec<_> = stage.remotes.each.iter().collect();
    shuffle(&mut remotes, chance);
    let held = remotes
        .into_iter()
        .filter_map(super::super::remote::Remote::hold);
    // Frozen workers wait out their leases together.
    let most = if scenario == Scenario::PauseRemote {
        3
    } else {
        1
    };
    let held: Vec<_> = held.take(most).collect();
    match scenario {
        Scenario::KillRemote => kill(stage, scenario, held, chance).await,
        Scenario::PauseRemote => freeze(stage, scenario, held, chance).await,
        Scenario::DrainRemote => drain(stage, held).await,
        _ => cut(stage, scenario, held, chance).await,
    }
}

/// No call of the target is excused by what befell it: it makes none.
fn whom(held: &LockedWorker<'_>) -> Whom {
    Whom::One {
        node: held.name(),
        works: false,
        process: held.process(),
    }
}

async fn kill(
    stage: &LabInstallation,
    scenario: Scenario,
    held: Vec<LockedWorker<'_>>,
    chance: &mut StdRng,
) -> Result<(), Failure> {
    for mut held in held {
        let (from_us, whom, name) = (now_us(), whom(&held), held.name());
        held.kill().await?;
        stage.journal.note(FaultKind::Kill, scenario, whom, from_us);
        stage.tally.add(Count::RemoteKills, 1);
        pause(chance, 0, AWAY).await;
        held.start()?;
        stage.remotes.look_for_orphans(&name).await;
    }
    Ok(())
}

async fn freeze(
    stage: &LabInstallation,
    scenario: Scenario,
    held: Vec<LockedWorker<'_>>,
    chance: &mut StdRng,
) -> Result<(), Failure> {
    let from_us = now_us();
    held.iter().for_each(|one| one.signal(Signal::STOP));
    let margin = Duration::from_millis(chance.random_range(0..4_000));
    sleep(stage.lease + margin).await;
    for held in held {
        held.signal(Signal::CONT);
        stage
            .journal
            .note(FaultKind::Pause, scenario, whom(&held), from_us);
        stage.tally.add(Count::RemoteFreezes, 1);
    }
    Ok(())
}

async fn drain(stage: &LabInstallation, held: Vec<LockedWorker<'_>>) -> Result<(), Failure> {
    for held in held {
        // One that has just begun, or whose servers are all away, is left alone.
        if !held.drain(&stage.endpoints, true).await {
            continue;
        }
        let from_us = now_us();
        sleep(DRAINED).await;
        stage.remotes.drained(held.name(), from_us);
        while !held.drain(&stage.endpoints, false).await {
            sleep(LOOK).await;
        }
    }
    Ok(())
}

async fn cut(
    stage: &LabInstallation,
    scenario: Scenario,
    held: Vec<LockedWorker<'_>>,
    chance: &mut StdRng,
) -> Result<(), Failure> {
    for held in held {
        let (from_us, lost_answers) = (now_us(), &held.remote.lost_answers);
        for _ in 0..ANSWERS {
            // A beat waits for a third of a lease.
            let call = CALLS[[0, 0, 0, 1, 1, 1, 2, 2, 3][chance.random_range(0..9)]];
            lost_answers.lock().arm(Some(call));
            let end = Instant::now() + ANSWER;
            while lost_answers.lock().is_armed() && Instant::now() < end {
                sleep(LOOK).await;
            }
        }
        lost_answers.lock().arm(None);
        stage
            .journal
            .note(FaultKind::Cut, scenario, whom(&held), from_us);
    }
    Ok(())
}
