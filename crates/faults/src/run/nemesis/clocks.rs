//! Wall clocks are put forward and back, now and then with a restart in between.

use baton_lab::checker::FaultKind;
use rand::{RngExt, rngs::StdRng};

use crate::{Failure, now_us};

use super::{
    super::{
        journal::Whom,
        scenario::Scenario,
        stage::{LabInstallation, cannot},
        tally::Count,
    },
    Node, pause, shuffle,
};

/// The longest a server is away whose clock is set while it is down, in milliseconds.
const AWAY: u64 = 400;

/// Steps the database's clock, or that of one server; on SQLite the server's is the store's.
pub async fn play(
    stage: &LabInstallation,
    scenario: Scenario,
    chance: &mut StdRng,
) -> Result<(), Failure> {
    let from_us = now_us();
    let is_database = stage.database.is_some() && chance.random_ratio(2, 3);
    let whom = if is_database {
        step_database(stage, scenario, chance).await?;
        Some(Whom::Everybody)
    } else {
        step_a_server(stage, chance).await?
    };
    if let Some(whom) = whom {
        stage
            .journal
            .note(FaultKind::Clock, scenario, whom, from_us);
        stage.tally.add(Count::ClockSteps, 1);
    }
    Ok(())
}

/// Puts the store's clock where it was furthest ahead, and every other right: what was given a time by a clock
/// that was ahead would else come to rest an hour later.
pub fn heal(stage: &LabInstallation) -> Result<(), Failure> {
    let (now, furthest) = (stage.clocks.ahead_s(), stage.clocks.furthest_s());
    let from_us = now_us();
    if now != furthest {
        stage.clocks.stepped(furthest);
        let (scenario, everybody) = (Scenario::StepClock, Whom::Everybody);
        let kind = FaultKind::Clock;
        if let Some(database) = &stage.database {
            database.lock().set_clock(furthest)?;
        }
        stage.journal.note(kind, scenario, everybody, from_us);
    }
    let of_servers = if stage.is_on_a_file() { furthest } else { 0 };
    for clock in stage.nodes.iter().filter_map(|node| node.clock.as_ref()) {
        clock.set(of_servers).map_err(cannot)?;
    }
    Ok(())
}

/// Where a clock is put next: mostly right again if it is not, else by seconds, by minutes or by up to an hour. Rather
/// back than forward: what is given a time by a clock that is ahead waits for it when the clock is right again.
fn next(ahead_s: i64, chance: &mut StdRng) -> i64 {
    if ahead_s != 0 && chance.random_ratio(2, 3) {
        return 0;
    }
    let by = match chance.random_range(0..6) {
        0..3 => chance.random_range(2..30),
        3..5 => chance.random_range(30..600),
        _ => chance.random_range(600..=3_600),
    };
    let next = if chance.random_ratio(1, 3) { by } else { -by };
    // A step shorter than a second is none.
    if (next - ahead_s).abs() < 2 { 0 } else { next }
}

async fn step_database(
    stage: &LabInstallation,
    scenario: Scenario,
    chance: &mut StdRng,
) -> Result<(), Failure> {
    let Some(database) = &stage.database else {
        return Ok(());
    };
    let ahead_s = next(stage.clocks.ahead_s(), chance);
    let restarts = chance.random_ratio(1, 3);
    let from_us = now_us();
    if restarts {
        database.lock().stop()?;
    }
    stage.clocks.stepped(ahead_s);
    database.lock().set_clock(ahead_s)?;
    if restarts {
        pause(chance, 0, AWAY).await;
        database.lock().restart()?;
        let (kind, everybody) = (FaultKind::Database, Whom::Everybody);
        stage.journal.note(kind, scenario, everybody, from_us);
    }
    Ok(())
}

/// Steps the clock of any server; whose, if it runs.
async fn step_a_server(
    stage: &LabInstallation,
    chance: &mut StdRng,
) -> Result<Option<Whom>, Failure> {
    let nodes = stage.nodes.iter().filter(|node| node.clock.is_some());
    let mut nodes: Vec<&Node> = nodes.collect();
    shuffle(&mut nodes, chance);
    let Some((node, clock)) = nodes
        .first()
        .and_then(|node| Some((*node, node.clock.as_ref()?)))
    else {
        return Ok(None);
    };
    let is_the_stores = stage.is_on_a_file();
    let before = match is_the_stores {
        true => stage.clocks.ahead_s(),
        false => stage.clocks.of_node(&node.name),
    };
    let ahead_s = next(before, chance);
    let restarts = chance.random_ratio(1, 3);
    // In order: that is no fault, and excuses nothing.
    let mut held = restarts.then(|| node.hold()).flatten();
    if let Some(held) = &mut held {
        held.stop().await?;
    }
    if is_the_stores {
        stage.clocks.stepped(ahead_s);
    }
    stage.clocks.node_stepped(&node.name, ahead_s);
    clock.set(ahead_s).map_err(cannot)?;
    let whom = Whom::at(node, now_us());
    if let Some(held) = &mut held {
        held.start().await?;
    }
    Ok(whom.or_else(|| Whom::at(node, now_us())))
}
