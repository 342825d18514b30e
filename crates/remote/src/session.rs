//! A session: who the worker is to its servers, and the calls it makes, to one server after the other.

use std::{
    sync::{
        OnceLock,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use baton_client::{Client, Error};
use baton_domain::WorkerId;
use baton_ports::store;
use baton_protocol::remote::{RegisterWorker, Registered};
use tokio_util::sync::CancellationToken;

use crate::answers::{self, Pause};

/// Who the worker is to its servers.
pub struct Session {
    servers: Vec<Client>,
    /// Which one is asked next.
    turn: AtomicUsize,
    pub worker: WorkerId,
    whom: RegisterWorker,
    /// How long leases last, as the first server has said.
    lease: OnceLock<Duration>,
    pub ended: Ended,
}

/// Whether the servers have ended the worker, and by which words.
#[derive(Debug, Default)]
pub struct Ended {
    why: parking_lot::Mutex<Option<Error>>,
    told: CancellationToken,
}

impl Ended {
    /// Waits until they have; says by which words. Nobody hears them twice.
    pub async fn why(&self) -> Option<Error> {
        self.told.cancelled().await;
        self.why.lock().take()
    }

    /// Whether they have.
    pub fn is_told(&self) -> bool {
        self.told.is_cancelled()
    }

    fn tell(&self, error: Error) {
        if !self.told.is_cancelled() {
            *self.why.lock() = Some(error);
            self.told.cancel();
        }
    }
}

impl Session {
    /// A session with servers that are one installation.
    pub fn new(servers: Vec<Client>, worker: WorkerId, whom: RegisterWorker) -> Self {
        Self {
            servers,
            turn: AtomicUsize::new(0),
            worker,
            whom,
            lease: OnceLock::new(),
            ended: Ended::default(),
        }
    }

    /// Registers, however long it takes until a server answers.
    ///
    /// # Errors
    /// When a server refuses the worker.
    pub async fn register(&self) -> Result<Registered, Error> {
        let mut pause = Pause::default();
        loop {
            let register = |client: Client, worker| async move {
                client.register_worker(worker, &self.whom).await
            };
            match self.once(&register).await {
                Ok(registered) => {
                    self.lease.get_or_init(|| registered.lease);
                    return Ok(registered);
                }
                Err(error) if is_refusal(&error) => return Err(error),
                Err(error) => {
                    if pause.is_fresh() {
                        tracing::warn!(%error, "the worker cannot register yet: {error}; it keeps trying");
                    }
                    pause.rest().await;
                }
            }
        }
    }

    /// The queues it claims from.
    pub fn queues(&self) -> &[String] {
        match self.whom.queues.is_empty() {
            true => &self.whom.kinds,
            false => &self.whom.queues,
        }
    }

    /// How many jobs it runs at once.
    pub const fn slots(&self) -> u32 {
        self.whom.slots
    }

    /// How long leases last.
    pub fn lease(&self) -> Duration {
        self.lease.get().copied().unwrap_or(Duration::from_secs(30))
    }

    /// Makes a call, of another server than the last one if that did not do it. A worker that was forgotten registers again
    /// and asks once more; one that is not wanted ends.
    pub async fn ask<T, F>(&self, call: impl Fn(Client, WorkerId) -> F + Sync) -> Result<T, Error>
    where
        F: Future<Output = Result<T, Error>> + Send,
    {
        let mut answer = self.once(&call).await;
        if answer.as_ref().is_err_and(answers::is_forgotten) {
            tracing::info!("the servers have forgotten this worker: it registers again");
            if let Err(error) = self.register().await {
                // A worker that may not come back is not wanted.
                return Err(self.end(Some(error)));
            }
            answer = self.once(&call).await;
        }
        if let Err(error) = &answer
            && answers::is_final(error)
        {
            return Err(self.end(answer.err()));
        }
        answer
    }

    /// The same with the error as the worker knows those of its store.
    pub async fn told<T, F>(&self, call: impl Fn(Client, WorkerId) -> F + Sync) -> store::Result<T>
    where
        F: Future<Output = Result<T, Error>> + Send,
    {
        self.ask(call).await.map_err(answers::read)
    }

    async fn once<T, F>(&self, call: &(impl Fn(Client, WorkerId) -> F + Sync)) -> Result<T, Error>
    where
        F: Future<Output = Result<T, Error>> + Send,
    {
        let turn = self.turn.load(Ordering::Relaxed);
        let client = self.servers[turn % self.servers.len()].clone();
        let answer = call(client, self.worker).await;
        if answer.as_ref().is_err_and(answers::is_worth_another) {
            let next = turn.wrapping_add(1);
            // Whoever else has met the same has moved on already.
            let _ = self
                .turn
                .compare_exchange(turn, next, Ordering::Relaxed, Ordering::Relaxed);
        }
        answer
    }

    fn end(&self, error: Option<Error>) -> Error {
        let text = error.as_ref().map(ToString::to_string);
        let text = text.unwrap_or_default();
        if let Some(error) = error {
            self.ended.tell(error);
        }
        Error::Unexpected {
            url: String::new(),
            what: text,
        }
    }
}

/// Whether a server will not have this worker, however often it asks.
fn is_refusal(error: &Error) -> bool {
    match error {
        Error::Problem(problem) => problem.status < 500 && problem.status != 429,
        _ => false,
    }
}
