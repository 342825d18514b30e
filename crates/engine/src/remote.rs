//! Remote workers: what they ask of the engine, as use cases.
//!
//! A remote worker is any program that claims jobs over HTTP. It has the fence and the records of one inside a server: each
//! call here comes down to one of the store's, and none needs the memory of an earlier one. What is remembered of workers
//! makes answers quicker and is nobody's truth.

mod beats;
mod checkpoints;
mod claims;
mod in_turn;
mod known_workers;
mod looks;
mod register;
mod releases;
mod results;
mod token;
mod unheard;
mod waiting_claims;
mod waiting_workers;

pub use beats::{Beat, News};
pub use checkpoints::{CheckpointItem, CheckpointRequest};
pub use claims::{ClaimAnswer, ClaimRequest, LONGEST_CLAIM, RemoteBatch, RemoteJob, Want};
pub use register::{BEAT_SHARE, Registration};
pub use results::{ResultItem, ResultReport};

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
    time::Duration,
};

use baton_domain::{
    LeaseId, WorkerId,
    access::Permission,
    job::{FieldError, NewJob},
    queue::WorkedBy,
};
use parking_lot::Mutex;
use tokio::{
    sync::{Notify, OnceCell},
    time::Instant,
};

use crate::{Caller, Engine, Error, Result};
use beats::WaitingBeats;
use known_workers::KnownWorkers;
use token::{AttemptToken, Seal};
use waiting_claims::WaitingClaims;

/// How long what was read of all workers counts.
const FRESH: Duration = Duration::from_secs(2);
/// How many queues are remembered by the size of their payloads.
const MOST_SIZES: usize = 10_000;

/// What an engine keeps of remote workers.
#[derive(Default)]
pub struct RemoteWorkers {
    seal: OnceCell<Seal>,
    known: KnownWorkers,
    waiting: Arc<WaitingClaims>,
    beats: WaitingBeats,
    /// The queues that remote workers claim from, and when that was read.
    served: Mutex<Option<(Instant, Arc<HashSet<String>>)>>,
    /// Leases whose jobs are given back this moment, as nobody has heard of them.
    given_back: Mutex<HashSet<LeaseId>>,
    has_given_back: Notify,
    /// How many bytes the payloads of a queue have had of late.
    sizes: Mutex<HashMap<String, usize>>,
}

impl RemoteWorkers {
    /// Waits until nothing is given back under these leases.
    async fn nothing_is_given_back(&self, leases: &[LeaseId]) {
        loop {
            let changed = self.has_given_back.notified();
            let is_any = {
                let given_back = self.given_back.lock();
                leases.iter().any(|lease| given_back.contains(lease))
            };
            if !is_any {
                return;
            }
            changed.await;
        }
    }

    /// How many bytes a payload of a queue has, about.
    fn usual_size(&self, queue: &str) -> usize {
        self.sizes.lock().get(queue).copied().unwrap_or(0)
    }

    /// Takes note of a payload: the mean moves on by an eighth.
    fn note_size(&self, queue: &str, bytes: usize) {
        let mut sizes = self.sizes.lock();
        if sizes.len() >= MOST_SIZES {
            sizes.clear();
        }
        match sizes.get_mut(queue) {
            Some(mean) => *mean = (*mean * 7 + bytes) / 8,
            None => drop(sizes.insert(queue.to_owned(), bytes)),
        }
    }
}

impl RemoteWorkers {
    /// Takes note that the clock was put ahead on purpose.
    pub(crate) fn clock_moved(&self, span: Duration) {
        self.known.clock_moved(span);
    }
}

impl Engine {
    pub(crate) fn remote(&self) -> &RemoteWorkers {
        &self.inner.remote
    }

    async fn seal(&self) -> Result<&Seal> {
        let ask = async || {
            let secret = self.inner.store.secret().await?;
            Ok::<_, Error>(Seal::new(&secret))
        };
        self.remote().seal.get_or_try_init(ask).await
    }
}

impl Caller {
    /// Whether no live worker claims from the queue of a job that is not run by the servers, as far as is known here.
    pub async fn is_unserved(&self, job: &NewJob) -> bool {
        if job.worked_by == WorkedBy::Server {
            return false;
        }
        if self.remote().waiting.is_wanted(&job.queue) {
            return false;
        }
        !self.served().await.contains(&job.queue)
    }

    /// The queues that remote workers claim from, as of a moment ago: an enqueue is not to cost a look at all of them.
    async fn served(&self) -> Arc<HashSet<String>> {
        let known = self.remote().served.lock().clone();
        if let Some((_, queues)) = known.filter(|(at, _)| at.elapsed() < FRESH) {
            return queues;
        }
        let since = self.now() - self.inner.settings.lease;
        let workers = self.inner.store.workers(since).await.unwrap_or_default();
        let here = workers
            .into_iter()
            .filter(|worker| worker.left_at.is_none());
        let remote = here.filter_map(|worker| worker.heartbeat.remote);
        let queues = Arc::new(remote.flat_map(|remote| remote.queues).collect());
        *self.remote().served.lock() = Some((Instant::now(), Arc::clone(&queues)));
        queues
    }

    /// The attempt that a token is a right to, if it is this worker's.
    fn opened(
        &self,
        seal: &Seal,
        worker: WorkerId,
        token: &str,
    ) -> Result<AttemptToken, FieldError> {
        let (reason, why) = match seal.open(token) {
            Some(told) if told.worker() != worker => ("worker", "belongs to another worker"),
            Some(told) if !self.may_work(told.queue()) => {
                ("queue", "is of a queue that this key may not work off")
            }
            Some(told) => return Ok(told),
            None => ("seal", "is none that this installation has sealed"),
        };
        metrics::counter!("baton_tokens_refused_total", "why" => reason).increment(1);
        Err(FieldError::new("token", why))
    }

    /// A remote worker that the actor may speak for: a key that is bounded by queues speaks for none beyond them.
    async fn own_worker(&self, worker: WorkerId) -> Result<()> {
        self.needs(Permission::Worker)?;
        if self.actor().queues.is_empty() {
            return Ok(());
        }
        let known = self.known_worker(worker).await?;
        let remote = known.heartbeat.remote.unwrap_or_default();
        if remote.queues.iter().all(|queue| self.may_work(queue)) {
            return Ok(());
        }
        Err(self.refused(Error::OtherWorker(worker)))
    }

    /// Whether the actor may work off a queue.
    fn may_work(&self, queue: &str) -> bool {
        self.may(Permission::Worker) && self.actor().may_use_queue(queue)
    }
}
