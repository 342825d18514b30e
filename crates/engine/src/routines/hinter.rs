//! The hinter keeps the hints complete.
//!
//! It builds them anew after a loss, hints again at what was forgotten, and gives back what workers that are gone had taken.
//!
//! Nothing is correct because of it: a job that nobody hints at is found by those who look.

mod rebuild;
mod sweep;

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use async_trait::async_trait;
use baton_domain::{Timestamp, WorkerId};
use baton_ports::{
    Findings, Hints,
    hints::{HintIdentity, HintState},
    store::{self, Generation},
};

use super::Tools;
use crate::{Next, Routine, routine::about};

/// How often the far end is asked what it knows: a loss goes unseen for so long.
const PAUSE: Duration = Duration::from_millis(500);
/// How often what was forgotten is looked for.
const SWEEP: Duration = Duration::from_secs(5);
/// The same while the poller finds no line: then no hint leads to a job, and what is left to do is to tidy up.
const QUIET: Duration = Duration::from_mins(1);

/// Keeps the hints.
pub struct Hinter {
    tools: Tools,
    hints: Arc<dyn Hints>,
    /// How long a worker can be silent and live.
    lease: Duration,
    next_sweep: Timestamp,
    /// When to sweep however quiet it is.
    next_tidying: Timestamp,
    /// What the poller of this process has found.
    findings: Findings,
    /// What the far end knew when it was last as it should be.
    found: Option<HintIdentity>,
    /// Workers that had taken hints at the last sweep and were not among the living.
    absent: BTreeSet<WorkerId>,
}

impl Hinter {
    /// A keeper of these hints.
    #[must_use]
    pub fn new(tools: Tools, hints: Arc<dyn Hints>, lease: Duration) -> Self {
        Self {
            tools,
            hints,
            lease,
            next_sweep: Timestamp::from_micros(0),
            next_tidying: Timestamp::from_micros(0),
            findings: Findings::default(),
            found: None,
            absent: BTreeSet::new(),
        }
    }

    /// The same keeper, which looks for nothing that the poller of its process has just not found.
    #[must_use]
    pub fn beside(self, findings: Findings) -> Self {
        Self { findings, ..self }
    }

    async fn keep(&mut self, seen: &HintIdentity) -> store::Result<()> {
        let now = self.tools.clock.now();
        if now < self.next_sweep && self.found.as_ref() == Some(seen) {
            return Ok(());
        }
        if now < self.next_tidying && self.is_quiet(seen) {
            self.next_sweep = now + SWEEP;
            return Ok(());
        }
        // Where nobody reads the feed, nobody else notices that the database is another copy than it was; the hints
        // that there are tell of the former one.
        self.tools.store.bounds().await?;
        let book = self.tools.store.generation().await?;
        self.found = None;
        if let Some(why) = loss(&book, seen) {
            return self.rebuild(&book, seen, &why).await;
        }
        self.found = Some(seen.clone());
        if now < self.next_sweep {
            return Ok(());
        }
        self.next_sweep = now + SWEEP;
        self.next_tidying = now + QUIET;
        match self.sweep(now).await? {
            Some(why) => self.rebuild(&book, seen, &why).await,
            None => Ok(()),
        }
    }

    /// Whether the far end is as it was, the store wants the same generation, and nobody stands in line.
    fn is_quiet(&self, seen: &HintIdentity) -> bool {
        let found = self.findings.within(SWEEP);
        self.found.as_ref() == Some(seen)
            && found.is_some_and(|found| !found.in_line && seen.generation == Some(found.hints))
    }
}

#[async_trait]
impl Routine for Hinter {
    about!("hinter": "builds hints anew after a loss, and hints again at what was forgotten");

    async fn turn(&mut self) -> store::Result<Next> {
        // A far end that answers again is still away until it has been well for a while: a build would
        // be refused, and each turn would begin another generation in vain.
        let is_away = matches!(self.hints.state(), HintState::Away(_));
        if !is_away && let Ok(seen) = self.hints.look().await {
            self.keep(&seen).await?;
        }
        Ok(Next::After(PAUSE))
    }
}

/// Why the hints are not what the store has them to be, if so.
fn loss(book: &Generation, seen: &HintIdentity) -> Option<String> {
    let number = book.number;
    match seen.generation {
        _ if number == 0 => Some("no hints were built yet".to_owned()),
        None => Some("the hints are gone".to_owned()),
        Some(open) if open != number => Some(format!(
            "generation {open} of the hints is open instead of {number}: an old state has come back, or its build was cut short"
        )),
        Some(_) if seen.incarnation != book.incarnation => Some(
            "the server has restarted or another one has taken over: it may have lost hints"
                .to_owned(),
        ),
        Some(_) => None,
    }
}
