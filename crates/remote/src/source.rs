//! The source itself: each of the worker's calls, and what they share.

use std::{
    collections::HashMap,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering},
    },
    time::Duration,
};

use async_trait::async_trait;
use baton_client::{Client, Error as ClientError};
use baton_domain::{
    JobId, LeaseId, Timestamp, WorkerId,
    checkpoint::{Checkpoint, Progress},
    fleet::Heartbeat,
    queue::WorkedBy,
};
use baton_ports::{
    Wakeups, WorkSource,
    store::{
        AttemptResult, Claim, Claimed, Error, ProgressReport, ReadyQueue, Renewed, Result, Wish,
    },
    work_source::{CheckpointAnswer, CursorMove, GivenBack, Settled},
};
use baton_protocol::remote::{RegisterWorker, ReleaseLeases, RemoteLimits};
use parking_lot::Mutex;
use tokio::{
    sync::{Notify, watch},
    time::Instant,
};

use crate::{
    answers::Pause,
    claims::{GAIN, SHORTEST},
    cover::Cover,
    held::HeldJobs,
    run_limit::{RunLimit, Until},
    session::Session,
};

/// A server far away as a worker's source of jobs; or several, of one installation.
pub struct RemoteSource {
    pub(crate) session: Session,
    pub(crate) run_limit: RunLimit,
    pub(crate) limits: RemoteLimits,
    pub(crate) held: HeldJobs,
    pub(crate) wakeups: Arc<Wakeups>,
    pub(crate) born: Instant,
    /// When jobs were asked for last, since it was born.
    pub(crate) asked: Moment,
    pub(crate) running: AtomicU32,
    pub(crate) draining: watch::Sender<bool>,
    pub(crate) is_wanted_to_drain: AtomicBool,
    /// When a beat was answered last.
    pub(crate) heard: Mutex<Option<Instant>>,
    pub(crate) progress: Mutex<HashMap<Arc<str>, Progress>>,
    pub(crate) has_progress: Notify,
    /// What stands for the beats of a worker that has nothing to do.
    pub(crate) cover: Cover,
    /// When the last beat was sent that was answered, and whether it said that the worker has nothing to do.
    pub(crate) told_idle: Mutex<(Instant, bool)>,
    /// Whether the server that answered the last claim says how long it had waited.
    pub(crate) is_told_of_waits: AtomicBool,
    /// How long a claim waits at a server, in milliseconds.
    wait: AtomicU64,
}

impl RemoteSource {
    /// Registers a worker, however long it takes until a server answers. `wakeups` are the worker's own.
    ///
    /// # Errors
    /// When a server refuses it.
    pub async fn register(
        servers: Vec<Client>,
        worker: WorkerId,
        whom: RegisterWorker,
        wakeups: Arc<Wakeups>,
        until: Until,
    ) -> std::result::Result<Self, ClientError> {
        let session = Session::new(servers, worker, whom);
        let registered = session.register().await?;
        let wait = registered.limits.wait;
        Ok(Self {
            session,
            run_limit: RunLimit::new(until),
            limits: registered.limits,
            held: HeldJobs::default(),
            wakeups,
            born: Instant::now(),
            asked: Moment::default(),
            running: AtomicU32::new(0),
            draining: watch::Sender::new(false),
            is_wanted_to_drain: AtomicBool::new(false),
            heard: Mutex::default(),
            progress: Mutex::default(),
            has_progress: Notify::new(),
            cover: Cover::default(),
            told_idle: Mutex::new((Instant::now(), false)),
            is_told_of_waits: AtomicBool::new(false),
            wait: AtomicU64::new(millis(wait)),
        })
    }

    /// How long leases last here.
    #[must_use]
    pub fn lease(&self) -> Duration {
        self.session.lease()
    }

    /// Who it is to its servers.
    #[must_use]
    pub const fn worker(&self) -> WorkerId {
        self.session.worker
    }

    /// Waits until a server has ended the worker: it has said goodbye before, or may not work here.
    pub async fn ended(&self) -> Option<ClientError> {
        self.session.ended.why().await
    }

    /// Waits until it has done what it was to do: see [`Until`].
    pub async fn done(&self) {
        self.run_limit.done.cancelled().await;
    }

    pub(crate) fn is_over(&self) -> bool {
        self.session.ended.is_told()
    }

    pub(crate) fn wait(&self) -> Duration {
        Duration::from_millis(self.wait.load(Ordering::Relaxed))
    }

    /// Waits half as long from here on, if something on the way gave up after this wait: what is refused at once, as while a server
    /// starts again, says nothing of waits.
    pub(crate) fn shorten_wait(&self, waited: Duration) {
        if waited < SHORTEST {
            return;
        }
        let shorter = (waited.min(self.wait()) / 2).max(SHORTEST);
        tracing::info!(
            wait_ms = millis(shorter),
            "a gateway did not wait for an answer: claims wait shorter"
        );
        self.wait.store(millis(shorter), Ordering::Relaxed);
    }

    /// Waits a little longer from here on: the last wait was answered.
    pub(crate) fn lengthen_wait(&self) {
        let longer = (self.wait() + GAIN).min(self.limits.wait);
        self.wait.store(millis(longer), Ordering::Relaxed);
    }
}

#[async_trait]
impl WorkSource for RemoteSource {
    fn waits(&self) -> bool {
        true
    }

    fn most_of_a_claim(&self) -> u32 {
        self.limits.claim
    }

    /// Where jobs are counted, each claim depends on what the one before has brought.
    fn may_claim_beside(&self) -> bool {
        !self.run_limit.has_end()
    }

    async fn ready_queues(&self) -> Result<Vec<ReadyQueue>> {
        let queues = self.session.queues().iter().map(|name| ReadyQueue {
            name: name.clone(),
            limited: false,
            worked_by: WorkedBy::Remote,
        });
        Ok(queues.collect())
    }

    async fn claim(&self, claim: &Claim, most: u32, now: Timestamp) -> Result<Vec<Claimed>> {
        self.claim_jobs(claim, most, now, true).await
    }

    async fn claim_at_once(
        &self,
        claim: &Claim,
        most: u32,
        now: Timestamp,
    ) -> Result<Vec<Claimed>> {
        self.claim_jobs(claim, most, now, false).await
    }

    fn granted_at(&self, lease: LeaseId) -> Option<Instant> {
        self.held.granted_at(lease)
    }

    async fn renew(
        &self,
        _worker: WorkerId,
        leases: &[LeaseId],
        _until: Timestamp,
    ) -> Result<Renewed> {
        self.renew_leases(leases).await
    }

    async fn settle(
        &self,
        _worker: WorkerId,
        results: &[AttemptResult],
        now: Timestamp,
    ) -> Result<Vec<Settled>> {
        self.tell_results(results, now).await
    }

    async fn give_back(
        &self,
        _worker: WorkerId,
        leases: &[LeaseId],
        _now: Timestamp,
    ) -> Result<GivenBack> {
        let body = ReleaseLeases {
            leases: leases.to_vec(),
        };
        let released = self.session.told(|client: Client, worker| {
            let body = body.clone();
            async move { client.release_leases(worker, &body).await }
        });
        Ok(GivenBack {
            count: released.await?.given_back as usize,
            ..GivenBack::default()
        })
    }

    /// What it says travels with the beat that waits; only that it drains is told at once.
    async fn heartbeat(&self, heartbeat: &Heartbeat, _now: Timestamp) -> Result<Wish> {
        self.running.store(heartbeat.running, Ordering::Relaxed);
        let was_draining = self.draining.send_replace(heartbeat.draining);
        let heard = *self.heard.lock();
        let is_fresh = heard.is_some_and(|heard| heard.elapsed() < self.lease() / 2);
        let is_fresh = is_fresh || self.need_not_beat();
        if !is_fresh || was_draining != heartbeat.draining {
            self.beat(Duration::ZERO, self.held.leases()).await?;
        }
        Ok(Wish {
            drain: self.is_wanted_to_drain.load(Ordering::Relaxed),
            ..Wish::default()
        })
    }

    async fn leave(&self, _worker: WorkerId, _now: Timestamp) -> Result<()> {
        let mut pause = Pause::default();
        loop {
            let left = self
                .session
                .told(|client: Client, worker| async move { client.leave_worker(worker).await });
            match left.await {
                Err(Error::Unavailable(_) | Error::Unconfirmed(_)) if !self.is_over() => {
                    pause.rest().await;
                }
                answer => return answer,
            }
        }
    }

    async fn checkpoint_of(&self, job: JobId) -> Result<Option<Checkpoint>> {
        Ok(self.held.checkpoint(job))
    }

    async fn checkpoint(
        &self,
        _worker: WorkerId,
        step: &CursorMove,
        _now: Timestamp,
    ) -> Result<CheckpointAnswer> {
        self.move_cursor(step).await
    }

    async fn progress(
        &self,
        _worker: WorkerId,
        reports: &[ProgressReport],
        _now: Timestamp,
    ) -> Result<()> {
        self.keep_progress(reports);
        Ok(())
    }

    async fn run(&self) {
        tokio::join!(self.wait_for_news(), self.tell_progress());
    }
}

/// A moment that may not have been: a span since some beginning.
#[derive(Default)]
pub struct Moment(AtomicU64);

impl Moment {
    pub fn store(&self, span: Duration, ordering: Ordering) {
        self.0.store(millis(span) + 1, ordering);
    }

    pub fn load(&self, ordering: Ordering) -> Option<Duration> {
        let millis = self.0.load(ordering).checked_sub(1)?;
        Some(Duration::from_millis(millis))
    }
}

fn millis(span: Duration) -> u64 {
    u64::try_from(span.as_millis()).unwrap_or(u64::MAX - 1)
}
