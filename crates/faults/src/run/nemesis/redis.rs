//! Redis is killed, frozen, wiped, filled, spoilt and cut off.

use std::{fmt::Display, path::PathBuf, time::Duration};

use baton_lab::{
    checker::FaultKind,
    proxy::{DirectionFaults, Proxy},
    servers::{self, Reply},
};
use rand::{RngExt, rngs::StdRng};
use tokio::{
    task::block_in_place,
    time::{Instant, sleep},
};

use crate::{Failure, now_us};

use super::{
    super::{
        journal::Whom,
        redis::Redis,
        scenario::Scenario,
        stage::{LabInstallation, cannot},
        tally::Count,
    },
    pause, some_nodes, some_workers,
};

/// The longest Redis is away or unwell, in milliseconds.
const AWAY: u64 = 2_500;
/// The longest of most times that it is away.
const SHORT: u64 = 400;
/// How many answers each worker misses at most.
const MOVES: u32 = 3;
/// How long they are waited for: Redis may be out of use.
const AIM: Duration = Duration::from_secs(3);
const LOOK: Duration = Duration::from_millis(20);

/// What Redis held some time ago.
#[derive(Debug, Default)]
pub struct Dump(Option<PathBuf>);

pub async fn play(
    stage: &LabInstallation,
    scenario: Scenario,
    chance: &mut StdRng,
    dump: &mut Dump,
) -> Result<(), Failure> {
    let Some(redis) = &stage.redis else {
        return Ok(());
    };
    let hurt = Hurt(redis);
    let from_us = now_us();
    match scenario {
        Scenario::KillRedis => {
            hurt.own(servers::Redis::kill)?;
            let away = if chance.random_ratio(1, 4) {
                AWAY
            } else {
                SHORT
            };
            pause(chance, 0, away).await;
            hurt.own(servers::Redis::restart)?;
        }
        Scenario::WipeRedis => hurt.ask(&["FLUSHALL"])?,
        Scenario::OldRedis => hurt.restore(dump)?,
        Scenario::PauseRedis => {
            hurt.own(|redis| redis.pause())?;
            pause(chance, 200, AWAY).await;
            hurt.own(|redis| redis.resume())?;
        }
        Scenario::FillRedis => {
            hurt.for_a_while(
                &[["maxmemory-policy", "noeviction"], ["maxmemory", "1"]],
                chance,
            )
            .await?;
        }
        Scenario::EvictRedis => {
            hurt.for_a_while(
                &[["maxmemory-policy", "allkeys-random"], ["maxmemory", "1"]],
                chance,
            )
            .await?;
        }
        Scenario::ReadOnlyRedis => {
            // Of a master that is not there: what it holds stays, and nobody may write.
            hurt.ask(&["REPLICAOF", "127.0.0.1", "1"])?;
            pause(chance, 200, AWAY).await;
            hurt.ask(&["REPLICAOF", "NO", "ONE"])?;
        }
        Scenario::SpoilRedis => hurt.each_key(chance, |key| vec!["SET", key, "spoilt"])?,
        Scenario::DeleteKeys => hurt.each_key(chance, |key| vec!["DEL", key])?,
        Scenario::CutMoves => cut_moves(stage, chance).await,
        other => lines(stage, other, chance).await,
    }
    if matches!(scenario, Scenario::CutRedis | Scenario::CutMoves) {
        // The proxies know each line they broke.
        return Ok(());
    }
    stage
        .journal
        .note(FaultKind::Redis, scenario, Whom::Everybody, from_us);
    if matches!(
        scenario,
        Scenario::KillRedis | Scenario::WipeRedis | Scenario::OldRedis
    ) {
        stage.tally.add(Count::RedisKills, 1);
    }
    Ok(())
}

/// Waits for workers that take hints, and cuts each off behind one.
async fn cut_moves(stage: &LabInstallation, chance: &mut StdRng) {
    let begun = Instant::now();
    let workers = some_workers(stage, chance);
    let lines: Vec<&Proxy> = workers
        .iter()
        .filter_map(|node| node.redis.as_ref())
        .collect();
    let before: Vec<_> = lines
        .iter()
        .map(|line| line.counts().cut_after_move)
        .collect();
    lines.iter().for_each(|line| line.cut_moves(MOVES));
    let is_done = || {
        let mut lines = lines.iter().zip(&before);
        lines.all(|(line, before)| line.counts().cut_after_move >= before + u64::from(MOVES))
    };
    while !is_done() && begun.elapsed() < AIM {
        sleep(LOOK).await;
    }
    lines.iter().for_each(|line| line.heal());
}

/// What is done to the lines, of some of the servers or all.
async fn lines(stage: &LabInstallation, scenario: Scenario, chance: &mut StdRng) {
    let nodes = some_nodes(stage, chance);
    let lines: Vec<&Proxy> = nodes
        .iter()
        .filter_map(|node| node.redis.as_ref())
        .collect();
    let way = match scenario {
        Scenario::SlowRedis => DirectionFaults {
            delay: Duration::from_millis(chance.random_range(20..600)),
            jitter: Duration::from_millis(chance.random_range(0..600)),
            ..DirectionFaults::default()
        },
        Scenario::HangRedis => DirectionFaults {
            is_silent: true,
            ..DirectionFaults::default()
        },
        _ => return lines.iter().for_each(|line| line.cut_all()),
    };
    for line in &lines {
        line.change(|faults| (faults.to_server, faults.to_client) = (way, way));
    }
    pause(chance, 300, AWAY).await;
    lines.iter().for_each(|line| line.heal());
}

struct Hurt<'s>(&'s Redis);

impl Hurt<'_> {
    /// What only a server of our own is there for.
    fn own<T, E: Display>(
        &self,
        hurt: impl FnOnce(&mut servers::Redis) -> Result<T, E>,
    ) -> Result<T, Failure> {
        match self.0 {
            Redis::Own(own) => block_in_place(|| hurt(&mut own.lock())).map_err(cannot),
            Redis::Given(_) => Err(Failure::new("a Redis that was given is not ours to kill")),
        }
    }

    fn ask(&self, words: &[&str]) -> Result<(), Failure> {
        self.0.ask(words).map(|_| ())
    }

    /// With these settings, and then without a limit of memory as before.
    async fn for_a_while(
        &self,
        settings: &[[&str; 2]],
        chance: &mut StdRng,
    ) -> Result<(), Failure> {
        for [name, value] in settings {
            self.ask(&["CONFIG", "SET", name, value])?;
        }
        pause(chance, 200, AWAY).await;
        self.ask(&["CONFIG", "SET", "maxmemory", "0"])
    }

    /// Starts it with what it held the last time this was called, and keeps what it held now.
    fn restore(&self, dump: &mut Dump) -> Result<(), Failure> {
        let new = self.own(servers::Redis::dump)?;
        let old = dump.0.replace(new.clone()).unwrap_or(new);
        self.own(|redis| redis.restart_from(&old))
    }

    /// Does something to about half of the keys.
    fn each_key(
        &self,
        chance: &mut StdRng,
        words: impl Fn(&str) -> Vec<&str>,
    ) -> Result<(), Failure> {
        let Reply::List(keys) = self.0.ask(&["KEYS", "*"])? else {
            return Ok(());
        };
        for key in keys {
            if let Reply::Text(key) = key
                && chance.random::<bool>()
            {
                self.ask(&words(&key))?;
            }
        }
        Ok(())
    }
}
