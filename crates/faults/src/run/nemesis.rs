//! Who hurts: one scenario after another for each victim, drawn by the seed.

mod campaigns;
mod clocks;
mod cluster;
mod database;
mod redis;
mod remote;
mod servers;

use std::{sync::Arc, time::Duration};

use futures::future::try_join_all;
use parking_lot::Mutex;
use rand::{RngExt, rngs::StdRng};
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use crate::Failure;

use super::{
    node::Node,
    scenario::{Scenario, Victim},
    stage::LabInstallation,
    tally::Count,
    versions,
};

/// Who is hurt at the same time as whom; two hands are on the servers, and two on remote workers.
const HANDS: [Victim; 11] = [
    Victim::Servers,
    Victim::Servers,
    Victim::Campaigns,
    Victim::Database,
    Victim::Lines,
    Victim::Cluster,
    Victim::Sentinels,
    Victim::Redis,
    Victim::Clocks,
    Victim::Remote,
    Victim::Remote,
];

/// What is being done at this moment, for those who watch.
#[derive(Debug, Clone, Default)]
pub struct Now(Arc<Mutex<Vec<Scenario>>>);

impl Now {
    #[must_use]
    pub fn names(&self) -> Vec<&'static str> {
        self.0.lock().iter().map(|one| one.as_str()).collect()
    }
}

/// Hurts until it is told to stop; then every fault has been taken back.
pub async fn rage(
    stage: &LabInstallation,
    now: &Now,
    stop: &CancellationToken,
) -> Result<(), Failure> {
    let hands = (0..).zip(HANDS).map(|(number, victim)| Attacker {
        stage,
        victim,
        chance: stage.chance(1_000 + number),
    });
    tokio::try_join!(
        try_join_all(hands.map(|hand| hand.hurt(now, stop))),
        versions::change(stage, stop)
    )?;
    clocks::heal(stage)?;
    stage.heal().await
}

struct Attacker<'s> {
    stage: &'s LabInstallation,
    victim: Victim,
    chance: StdRng,
}

impl Attacker<'_> {
    async fn hurt(mut self, now: &Now, stop: &CancellationToken) -> Result<(), Failure> {
        let mut old_redis = redis::Dump::default();
        let mut blows = 0;
        while !stop.is_cancelled() {
            self.breathe().await;
            let drawn = self.stage.tally.draw(self.victim, &mut self.chance);
            let Some(scenario) = drawn else { return Ok(()) };
            now.0.lock().push(scenario);
            let played = match self.victim {
                Victim::Servers => servers::play(self.stage, scenario, &mut self.chance).await,
                Victim::Remote => remote::play(self.stage, scenario, &mut self.chance).await,
                Victim::Campaigns => {
                    blows += 1;
                    tokio::select! {
                        () = campaigns::come_to(self.stage, blows) => {}
                        () = stop.cancelled() => return Ok(()),
                    }
                    servers::kill_any(self.stage, scenario, &mut self.chance).await
                }
                Victim::Database | Victim::Lines => {
                    database::play(self.stage, scenario, &mut self.chance).await
                }
                Victim::Cluster => cluster::play(self.stage, scenario).await,
                Victim::Sentinels => cluster::fail_redis_over(self.stage, scenario).await,
                Victim::Clocks => clocks::play(self.stage, scenario, &mut self.chance).await,
                Victim::Redis => {
                    redis::play(self.stage, scenario, &mut self.chance, &mut old_redis).await
                }
            };
            let mut names = now.0.lock();
            if let Some(place) = names.iter().position(|one| *one == scenario) {
                names.remove(place);
            }
            drop(names);
            played?;
            self.stage.journal.played(scenario);
        }
        Ok(())
    }

    /// Between two faults there is time for a little work.
    async fn breathe(&mut self) {
        let most = match self.victim {
            Victim::Servers => 700,
            Victim::Remote => 400,
            Victim::Campaigns => 6,
            // In between there is a database, for the others to hurt.
            Victim::Database => 5_000,
            Victim::Lines => 900,
            // Between two of its primaries there is service.
            Victim::Cluster | Victim::Sentinels => 3_000,
            // It is used again a little after it was away, and shall be when it is hurt next.
            Victim::Redis => 2_000,
            // A goal first; else seldom, since what waits for a time waits for it longer after each step back.
            Victim::Clocks if self.stage.tally.missing().contains_key(&Count::ClockSteps) => 3_000,
            Victim::Clocks => 20_000,
        };
        // What has been hurt often enough leaves the machine to the rest.
        let is_done = self.victim != Victim::Clocks && self.stage.tally.is_done_with(self.victim);
        let most = if is_done { most * 3 } else { most };
        pause(&mut self.chance, most / 6, most).await;
    }
}

/// Waits for so many milliseconds, by chance.
async fn pause(chance: &mut StdRng, least: u64, most: u64) {
    sleep(Duration::from_millis(chance.random_range(least..=most))).await;
}

/// Nodes by chance, one to all of them.
fn some_nodes<'s>(stage: &'s LabInstallation, chance: &mut StdRng) -> Vec<&'s Node> {
    some(stage.nodes.iter().collect(), chance)
}

/// Workers by chance, one to all of them.
fn some_workers<'s>(stage: &'s LabInstallation, chance: &mut StdRng) -> Vec<&'s Node> {
    let works = |node: &&Node| node.duty.works();
    some(stage.nodes.iter().filter(works).collect(), chance)
}

fn some<'s>(mut nodes: Vec<&'s Node>, chance: &mut StdRng) -> Vec<&'s Node> {
    shuffle(&mut nodes, chance);
    nodes.truncate(chance.random_range(1..=nodes.len().max(1)));
    nodes
}

fn shuffle<T>(items: &mut [T], chance: &mut StdRng) {
    for place in (1..items.len()).rev() {
        items.swap(place, chance.random_range(0..=place));
    }
}
