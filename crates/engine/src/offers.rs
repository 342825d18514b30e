//! Offers: what became claimable is hinted at after its commit, and nobody waits for that.
//!
//! Where hints are not to be had, or a job can wait, a wake-up is sent instead: whoever gets it looks
//! at the store. One is sent as well for the first hint of a queue: perhaps nobody knows the queue yet, so
//! nobody waits for its hints. And one is sent instead for a great many at once: they stand in line side by
//! side, and a look that walks along the line has them for less than their hints would cost.

use std::{
    collections::HashSet,
    sync::{Arc, OnceLock},
};

use baton_ports::{Hint, Hints, Wakeup, Wakeups, hints::HintState};
use parking_lot::Mutex;
use tokio::sync::mpsc;

use crate::sides::Sides;

/// How many jobs of one commit are hinted at, at most. Batches of 1,000 go through four workers 1.1 times as fast without.
const MANY: usize = 200;
/// How many commits can wait to be hinted at; what is more is left to a wake-up.
const WAITING: usize = 4_096;
/// How many commits share an offer.
const GATHER: usize = 256;
/// How many queues are remembered; after that, each is as good as new.
const QUEUES: usize = 10_000;

/// Offers hints after commits.
#[derive(Clone)]
pub struct Offers {
    wakeups: Arc<Wakeups>,
    sides: Arc<Sides>,
    sender: Arc<OnceLock<HintSender>>,
}

/// What sends hints on, commit by commit.
struct HintSender {
    hints: Arc<dyn Hints>,
    commits: mpsc::Sender<Vec<Hint>>,
    /// The queues that were hinted at before.
    known: Mutex<HashSet<String>>,
}

impl Offers {
    /// Rings, until hints are to be had.
    pub(crate) fn new(wakeups: Arc<Wakeups>, sides: Arc<Sides>) -> Self {
        Self {
            wakeups,
            sides,
            sender: Arc::default(),
        }
    }

    /// Hints by these from now on; the first ones stay.
    pub(crate) fn hint_by(&self, hints: Arc<dyn Hints>) {
        let (commits, line) = mpsc::channel(WAITING);
        let sender = HintSender {
            hints: Arc::clone(&hints),
            commits,
            known: Mutex::default(),
        };
        if self.sender.set(sender).is_ok() {
            tokio::spawn(offer_all(hints, Arc::clone(&self.wakeups), line));
        }
    }

    /// The hints, if there are any.
    pub(crate) fn hints(&self) -> Option<&Arc<dyn Hints>> {
        self.sender.get().map(|sender| &sender.hints)
    }

    /// Takes note that jobs have become claimable: a hint for each, `None` for one that has none.
    pub(crate) fn claimable(&self, jobs: impl IntoIterator<Item = Option<Hint>>) {
        let jobs: Vec<_> = jobs.into_iter().collect();
        let count = jobs.len();
        let hints = jobs.into_iter().flatten();
        // Remote workers follow no hints.
        let hints: Vec<_> = hints
            .filter(|hint| !self.sides.is_remote(&hint.queue))
            .collect();
        let has_all = hints.len() == count;
        let is_hinted = count <= MANY && self.offer(hints) && has_all;
        if count > 0 && !is_hinted {
            self.wakeups.send(Wakeup::Ready);
        }
    }

    /// Puts hints on their way; `false` if they have none, or may lead nobody anywhere.
    fn offer(&self, hints: Vec<Hint>) -> bool {
        let sender = self.sender.get();
        let open = sender.filter(|sender| sender.hints.state() == HintState::Open);
        open.is_some_and(|sender| {
            let is_known = sender.knows_all(&hints);
            (hints.is_empty() || sender.commits.try_send(hints).is_ok()) && is_known
        })
    }
}

impl HintSender {
    /// Whether all their queues were hinted at before; from now on they were.
    fn knows_all(&self, hints: &[Hint]) -> bool {
        let mut known = self.known.lock();
        let mut knows_all = true;
        for hint in hints {
            if !known.contains(&hint.queue) {
                if known.len() >= QUEUES {
                    known.clear();
                }
                known.insert(hint.queue.clone());
                knows_all = false;
            }
        }
        knows_all
    }
}

/// Offers until nobody can hint any more.
async fn offer_all(
    hints: Arc<dyn Hints>,
    wakeups: Arc<Wakeups>,
    mut line: mpsc::Receiver<Vec<Hint>>,
) {
    let mut commits = Vec::with_capacity(GATHER);
    while line.recv_many(&mut commits, GATHER).await > 0 {
        let batch: Vec<_> = commits.drain(..).flatten().collect();
        if let Err(error) = hints.offer(&batch).await {
            tracing::debug!(%error, "jobs could not be hinted at; a wake-up is sent instead");
            wakeups.send(Wakeup::Ready);
        }
    }
}
