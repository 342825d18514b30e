//! The rescuer takes back what a silent worker held. Any node does it; the guard is in the store.

mod watch;

use std::{collections::HashMap, ops::Range, time::Duration};

use async_trait::async_trait;
use baton_domain::{JobId, LeaseId, chance};
use baton_ports::{
    Findings, Wakeup,
    bisect::{bisect, silence},
    quarantine::Quarantine,
    store::{self, AttemptResult, By, Error, HeldJob, SettleOutcome},
};
use rand::RngExt;
use tokio::time::Instant;

use super::Tools;
use crate::{Next, Routine, attempts, routine::about};
use watch::{LeaseReading, LeaseWatch};

/// How many jobs one turn takes back.
const BATCH: u32 = 1_000;
/// How many leases are watched. Of more, those that end later come into sight as others end.
const WATCHED: u32 = 50_000;
/// How long it is from one look to the next, in milliseconds: a lease comes into sight so long after
/// it was last renewed, and is taken back when it has stood for its length and a second.
const PAUSE: Range<u64> = 1_500..3_000;
/// The shortest time between two looks.
const BREATH: Duration = Duration::from_millis(50);
/// While the poller finds that nothing is held, nobody looks; how often it is asked whether that is still so.
const QUIET: Duration = Duration::from_millis(500);
/// How old what it found may be. Who has not looked for so long is not relied upon.
const FRESH: Duration = Duration::from_millis(2_500);

/// Takes back what a silent worker held.
pub struct Rescuer {
    tools: Tools,
    findings: Findings,
    watch: LeaseWatch,
    /// What the store did not take back.
    quarantine: Quarantine<JobId>,
}

impl Rescuer {
    /// A rescuer beside a poller with these findings, on a node whose own leases last for `lease`.
    #[must_use]
    pub fn new(tools: Tools, findings: Findings, lease: Duration) -> Self {
        let watch = LeaseWatch::new(lease);
        Self {
            tools,
            findings,
            watch,
            quarantine: Quarantine::default(),
        }
    }

    /// Whether the poller has just seen that nothing is held.
    fn is_quiet(&self) -> bool {
        let found = self.findings.within(FRESH);
        found.is_some_and(|found| !found.held)
    }

    /// Looks at the leases; says which have ended.
    async fn look(&mut self) -> store::Result<Vec<LeaseId>> {
        let asked = Instant::now();
        let standings = self.tools.store.leases(WATCHED).await?;
        let look = LeaseReading {
            asked,
            heard: Instant::now(),
            now: self.tools.clock.now(),
        };
        Ok(self.watch.take_in(&standings, look))
    }

    /// Takes back what is held, but for what stands in the way; says how many the store has answered for.
    async fn take_back(&mut self, held: &[HeldJob]) -> store::Result<usize> {
        let now = self.tools.clock.now();
        let quarantine = self.quarantine.all();
        let due = held.iter().filter(|held| !quarantine.contains(&held.job));
        let results: Vec<_> = due
            .filter_map(|held| held.lost(self.watch.until(held.lease)?, now))
            .collect();
        let store = &self.tools.store;
        let settle = |piece: Vec<AttemptResult>| async move {
            let outcomes = store.settle(By::Rescuer, &piece, now).await?;
            Ok(piece.into_iter().zip(outcomes).collect::<Vec<_>>())
        };
        let bisected = bisect(&results, self.quarantine.is_suspect(), settle).await;
        self.quarantine.hear(silence(&bisected));
        let bisected = bisected?;
        for (result, error) in &bisected.alone {
            self.leave(result.job, error);
        }
        let settled = bisected.answers.concat();
        let recorded = settled
            .iter()
            .filter(|(_, outcome)| *outcome == SettleOutcome::Recorded);
        let rescued = recorded.clone().count();
        count_lost(recorded.map(|(result, _)| result), held);
        metrics::counter!("baton_jobs_rescued_total").increment(rescued as u64);
        if let (true, Some(first)) = (rescued > 0, held.first()) {
            tracing::warn!(rescued, worker = %first.worker, "took back jobs of a worker that went silent");
        }
        Ok(settled.len())
    }

    /// One alone that the store does not take back is told, and left alone for a while.
    fn leave(&mut self, job: JobId, error: &Error) {
        tracing::error!(%job, %error, "the store does not take {job} back: {error}; the others are, and it is tried again in a minute");
        metrics::counter!("baton_rows_refused_total", "what" => "rescue").increment(1);
        self.quarantine.leave(job);
    }

    /// When to look again: when the next lease ends, if it is not renewed before, and now and then.
    fn pause(&self) -> Duration {
        let usual = Duration::from_millis(chance::draw(|chance| chance.random_range(PAUSE)));
        let now = Instant::now();
        let end = self.watch.next_end_after(now);
        end.map_or(usual, |end| (end - now).clamp(BREATH, usual))
    }
}

/// Counts the attempts, whose worker does not any more.
fn count_lost<'a>(results: impl Iterator<Item = &'a AttemptResult>, held: &[HeldJob]) {
    let held: HashMap<_, _> = held.iter().map(|held| (held.job, held)).collect();
    attempts::count(results.filter_map(|result| {
        let held = held.get(&result.job)?;
        Some((&*held.queue, &*held.kind, result.decision.outcome))
    }));
}

#[async_trait]
impl Routine for Rescuer {
    about!("rescuer": "takes back jobs whose worker has gone silent");

    async fn turn(&mut self) -> store::Result<Next> {
        if self.is_quiet() {
            self.watch.forget();
            return Ok(Next::After(QUIET));
        }
        let ended = self.look().await?;
        if ended.is_empty() {
            return Ok(Next::After(self.pause()));
        }
        let held = self.tools.store.held(&ended, BATCH).await?;
        let taken = self.take_back(&held).await?;
        if taken > 0 {
            self.tools.wakeups.send(Wakeup::Due);
            self.tools.wakeups.send(Wakeup::Facts);
        }
        let has_more = taken > 0 && held.len() >= BATCH as usize;
        Ok(Next::now_if(has_more, self.pause()))
    }
}
