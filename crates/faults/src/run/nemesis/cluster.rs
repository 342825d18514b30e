//! The primary's part in the cluster is handed on: because its holder was killed, or in order.

use std::fmt::Display;

use baton_lab::{
    checker::FaultKind,
    servers::{Moved, Patroni},
};
use tokio::task::spawn_blocking;

use crate::{Failure, now_us};

use super::super::{
    journal::Whom,
    scenario::Scenario,
    stage::{LabInstallation, cannot},
    tally::Count,
};

pub async fn play(stage: &LabInstallation, scenario: Scenario) -> Result<(), Failure> {
    let from_us = now_us();
    let is_kill = scenario == Scenario::FailOver;
    let moved = if is_kill {
        on(stage, Patroni::fail_over).await?
    } else {
        on(stage, |cluster| cluster.switch_over()).await?
    };
    let Some(Moved { from, at_us }) = moved else {
        return Ok(());
    };
    // What comes now comes after it: the killed one's return hurts nobody.
    let span = (from_us, at_us);
    stage
        .journal
        .note_span(FaultKind::Failover, scenario, Whom::Everybody, span);
    if is_kill {
        on(stage, move |cluster| cluster.bring_back(from)).await?;
    }
    // Else the next one would find no synchronous standby, and nobody would follow.
    on(stage, |cluster| cluster.wait_until_whole()).await?;
    let count = if is_kill {
        Count::Failovers
    } else {
        Count::SwitchOvers
    };
    stage.tally.add(count, 1);
    Ok(())
}

/// Hints are gone with it until the replica is promoted, and then they are others.
pub async fn fail_redis_over(stage: &LabInstallation, scenario: Scenario) -> Result<(), Failure> {
    let Some(sentinels) = stage.sentinels.clone() else {
        return Ok(());
    };
    let from_us = now_us();
    away(move || sentinels.lock().fail_over()).await?;
    stage
        .journal
        .note(FaultKind::Redis, scenario, Whom::Everybody, from_us);
    stage.tally.add(Count::RedisKills, 1);
    Ok(())
}

async fn on<T: Send + 'static, E: Display + Send + 'static>(
    stage: &LabInstallation,
    act: impl FnOnce(&mut Patroni) -> Result<T, E> + Send + 'static,
) -> Result<Option<T>, Failure> {
    let Some(cluster) = stage.cluster.clone() else {
        return Ok(None);
    };
    away(move || act(&mut cluster.lock())).await.map(Some)
}

/// Away from the task in which all others are hurt, which would stand still meanwhile.
async fn away<T: Send + 'static, E: Display + Send + 'static>(
    act: impl FnOnce() -> Result<T, E> + Send + 'static,
) -> Result<T, Failure> {
    let done = spawn_blocking(act).await;
    let done =
        done.map_err(|error| Failure::new(format!("the cluster's hand has ended: {error}")))?;
    done.map_err(cannot)
}
