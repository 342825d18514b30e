//! The sequencer numbers facts and folds them into the counters.
//!
//! Any node may run it: a row lock, not a lease, makes it correct. A fact that commits late gets a
//! later number, so that a reader who follows the numbers misses nothing.

use std::time::Duration;

use async_trait::async_trait;
use baton_ports::{Wakeup, store};

use super::{SAFETY, Tools};
use crate::{Next, Routine, routine::about};

/// How many facts one turn numbers, about.
const BATCH: u32 = 5_000;
/// How many facts make a turn worth a rest after it.
const MANY: u32 = 50;
/// The rest after such a turn. Without it, a queue that is worked off as fast as can be had its facts
/// numbered a hundred times a second, for a tenth of the database's time.
const REST: Duration = Duration::from_millis(25);

/// Numbers facts and folds them into the counters.
pub struct Sequencer {
    pub(super) tools: Tools,
    /// How many facts the last turn numbered.
    pub(super) numbered: u32,
}

#[async_trait]
impl Routine for Sequencer {
    about!("sequencer": "numbers facts and folds them into the counters");

    fn woken_by(&self) -> &'static [Wakeup] {
        &[Wakeup::Facts]
    }

    fn rest(&self, _wakeup: Wakeup) -> Duration {
        if self.numbered >= MANY {
            REST
        } else {
            Duration::ZERO
        }
    }

    async fn turn(&mut self) -> store::Result<Next> {
        let sequenced = self
            .tools
            .store
            .sequence(BATCH, self.tools.clock.now())
            .await?;
        self.numbered = sequenced.count;
        if sequenced.count > 0 {
            metrics::counter!("baton_events_total").increment(sequenced.count.into());
            self.tools.wakeups.send(Wakeup::Events);
        }
        Ok(Next::now_if(sequenced.count >= BATCH, SAFETY))
    }
}
