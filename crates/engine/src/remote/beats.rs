//! Beats of remote workers: leases are renewed as they arrive, and answered when there is news.

use std::{
    collections::{HashMap, HashSet},
    time::Duration,
};

use baton_domain::{JobId, LeaseId, WorkerId, checkpoint::Progress, fleet::Heartbeat};
use baton_ports::{
    Wakeup,
    store::{ProgressReport, Renewed, Wish},
};
use parking_lot::Mutex;
use tokio::{
    sync::watch,
    time::{Instant, sleep, timeout_at},
};
use tokio_util::sync::CancellationToken;

use super::{known_workers::Novelty, register::BEAT_SHARE};
use crate::{Caller, Engine, Error, Result};

/// How often it is looked for news without a wake-up, while somebody waits for some.
const LOOK: Duration = Duration::from_secs(5);
/// That often in a lease at the least.
const LOOK_SHARE: u32 = 12;
/// How close looks for news follow on one another.
const PAUSE: Duration = Duration::from_millis(10);
/// When news is told once more, as the first answer may have been lost; until then other news can be told.
const AGAIN: Duration = Duration::from_secs(1);
/// How many beats wait on one node.
const MOST: usize = 8_192;

/// A beat.
#[derive(Debug, Clone, Default)]
pub struct Beat {
    /// How long to wait for news.
    pub wait: Duration,
    /// How many jobs the worker runs.
    pub running: u32,
    /// How many more it could run.
    pub free: u32,
    /// How long ago it asked for jobs last.
    pub asked_ago: Option<Duration>,
    /// Whether it takes nothing new.
    pub draining: bool,
    /// The leases it works under, and those of claims it has heard no answer to.
    pub heard: Vec<LeaseId>,
    /// How far its jobs have come, by token.
    pub progress: Vec<(String, Progress)>,
}

impl Beat {
    /// Whether it says no more than that a worker lives which has nothing to do, and waits for news.
    fn is_idle(&self) -> bool {
        let says_nothing = self.heard.is_empty() && self.progress.is_empty();
        says_nothing && self.running == 0 && !self.wait.is_zero()
    }
}

/// News for a worker.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct News {
    /// The leases it has, of those it named.
    pub held: Vec<LeaseId>,
    /// Those it has not any more.
    pub lost: Vec<LeaseId>,
    /// Its jobs that are to stop.
    pub stop: Vec<JobId>,
    /// Whether it is to take nothing new.
    pub drain: bool,
}

/// Where beats wait for news.
#[derive(Default)]
pub struct WaitingBeats(Mutex<Board>);

#[derive(Default)]
struct Board {
    waiting: HashMap<WorkerId, watch::Sender<Wish>>,
    is_looked_for: bool,
}

impl Caller {
    /// Renews the leases of a remote worker, and waits for news of it.
    pub async fn beat_worker(
        &self,
        worker: WorkerId,
        beat: Beat,
        stop: &CancellationToken,
    ) -> Result<News> {
        self.own_worker(worker).await?;
        let deadline = Instant::now() + beat.wait.min(self.inner.settings.lease / BEAT_SHARE);
        // Asked for before anything is written: what fails from then on has done something.
        self.seal().await?;
        let wish = self.note_beat(worker, &beat).await?;
        self.tell_progress(worker, &beat.progress).await?;
        let renewed = self.renew_remotely(worker, &beat.heard).await?;
        let mut news = news_of(&beat.heard, renewed, &wish);
        if news.lost.is_empty() && !stop.is_cancelled() {
            self.wait_for_news(worker, &mut news, deadline, stop)
                .await?;
        }
        let known = &self.remote().known;
        known.with(worker, |known| known.told.tell(&news.stop, news.drain));
        Ok(news)
    }

    /// Waits until there is something that this worker was not told here, or something that it is to be told again.
    async fn wait_for_news(
        &self,
        worker: WorkerId,
        news: &mut News,
        deadline: Instant,
        stop: &CancellationToken,
    ) -> Result<()> {
        let until = match self.novelty(worker, news) {
            Novelty::New => return Ok(()),
            Novelty::ToldOnce => deadline.min(Instant::now() + AGAIN),
            Novelty::Known => deadline,
        };
        if Instant::now() >= until {
            return Ok(());
        }
        let Some(mut told) = self.remote().beats.wait_for(worker) else {
            // It beats again soon, and nobody would write of it.
            return self.write_of(&[worker]).await;
        };
        if self.remote().beats.begin_to_look() {
            tokio::spawn(look(Engine::clone(self)));
        }
        loop {
            tokio::select! {
                () = stop.cancelled() => return Ok(()),
                changed = timeout_at(until, told.changed()) => match changed {
                    Ok(Ok(())) => {}
                    _ => return Ok(()),
                },
            }
            let wish = told.borrow_and_update().clone();
            news.stop.clone_from(&wish.cancels);
            news.drain = wish.drain;
            if wish.has_left {
                return Err(Error::WorkerLeft(worker));
            }
            if self.novelty(worker, news) == Novelty::New {
                return Ok(());
            }
        }
    }

    /// Takes note that the worker lives, and hears what is wanted of it. One that waits and says nothing new is written of together
    /// with others.
    async fn note_beat(&self, worker: WorkerId, beat: &Beat) -> Result<Wish> {
        let known = self.known_worker(worker).await?;
        let heartbeat = self.said(known.heartbeat.clone(), beat);
        if beat.is_idle() && known.says_the_same(&heartbeat) {
            self.remote().known.heard_again(heartbeat, self.now());
            return Ok(Wish {
                drain: known.drain,
                ..Wish::default()
            });
        }
        let wish = self.store().heartbeat(&heartbeat, self.now()).await?;
        if wish.has_left {
            self.remote().known.forget(worker);
            return Err(Error::WorkerLeft(worker));
        }
        self.remote().known.heard(heartbeat, wish.drain);
        Ok(wish)
    }

    fn said(&self, mut heartbeat: Heartbeat, beat: &Beat) -> Heartbeat {
        heartbeat.running = beat.running;
        heartbeat.draining = beat.draining;
        if let Some(remote) = &mut heartbeat.remote {
            remote.free = beat.free;
            let asked_at = beat.asked_ago.map(|ago| self.now() - ago);
            remote.asked_at = remote.asked_at.max(asked_at);
        }
        heartbeat
    }

    async fn tell_progress(&self, worker: WorkerId, told: &[(String, Progress)]) -> Result<()> {
        if told.is_empty() {
            return Ok(());
        }
        let seal = self.seal().await?;
        // A note of progress that makes no sense is not worth a beat.
        let reports = told.iter().filter_map(|(token, progress)| {
            let token = self.opened(seal, worker, token).ok()?;
            progress.error().is_none().then(|| ProgressReport {
                lease: token.lease(),
                job: token.job(),
                attempt: token.counters().attempt,
                progress: progress.clone(),
            })
        });
        let reports: Vec<_> = reports.collect();
        Ok(self.store().progress(worker, &reports, self.now()).await?)
    }

    async fn renew_remotely(&self, worker: WorkerId, heard: &[LeaseId]) -> Result<Renewed> {
        if heard.is_empty() {
            return Ok(Renewed::default());
        }
        let until = self.now() + self.inner.settings.lease;
        Ok(self.store().renew(worker, heard, until).await?)
    }

    /// How much of this is new to a worker, as far as is known here.
    fn novelty(&self, worker: WorkerId, news: &News) -> Novelty {
        let known = &self.remote().known;
        let novelty = known.with(worker, |known| known.told.novelty(&news.stop, news.drain));
        novelty.unwrap_or(Novelty::New)
    }
}

fn news_of(heard: &[LeaseId], renewed: Renewed, wish: &Wish) -> News {
    let held: HashSet<_> = renewed.leases.iter().copied().collect();
    News {
        lost: heard
            .iter()
            .filter(|lease| !held.contains(lease))
            .copied()
            .collect(),
        held: renewed.leases,
        stop: renewed.cancels,
        drain: wish.drain,
    }
}

impl WaitingBeats {
    /// Waits for news of a worker; nothing if too many wait.
    fn wait_for(&self, worker: WorkerId) -> Option<watch::Receiver<Wish>> {
        let mut board = self.0.lock();
        if board.waiting.len() >= MOST {
            board.waiting.retain(|_, one| !one.is_closed());
        }
        if board.waiting.len() >= MOST {
            return None;
        }
        let sender = board
            .waiting
            .entry(worker)
            .or_insert_with(|| watch::Sender::new(Wish::default()));
        Some(sender.subscribe())
    }

    fn begin_to_look(&self) -> bool {
        !std::mem::replace(&mut self.0.lock().is_looked_for, true)
    }

    /// Who waits; nobody looks any more if nobody does.
    fn waiting(&self) -> Vec<WorkerId> {
        let mut board = self.0.lock();
        board.waiting.retain(|_, one| !one.is_closed());
        board.is_looked_for = !board.waiting.is_empty();
        board.waiting.keys().copied().collect()
    }

    fn tell(&self, wishes: Vec<(WorkerId, Wish)>) {
        let board = self.0.lock();
        for (worker, wish) in wishes {
            if let Some(sender) = board.waiting.get(&worker) {
                sender.send_if_modified(|before| {
                    let is_new = *before != wish;
                    *before = wish;
                    is_new
                });
            }
        }
    }
}

/// Looks for news for all beats that wait, until none does.
async fn look(engine: Engine) {
    let mut wakeups = engine.inner.wakeups.subscribe(Wakeup::Cancel);
    // A row that is written so much later than its worker spoke says nothing wrong yet of who lives.
    let pause = LOOK.min(engine.inner.settings.lease / LOOK_SHARE);
    loop {
        let workers = engine.remote().beats.waiting();
        if workers.is_empty() {
            return;
        }
        if let Err(error) = engine.look_for_news(&workers).await {
            tracing::debug!(%error, "it cannot be looked for news of remote workers");
        }
        tokio::select! {
            () = wakeups.recv() => sleep(PAUSE).await,
            () = sleep(pause) => {}
        }
    }
}

impl Engine {
    /// Tells workers what is wanted of them, and writes that they live.
    async fn look_for_news(&self, workers: &[WorkerId]) -> Result<()> {
        let wishes = self.inner.store.wishes(workers).await?;
        self.remote().known.wanted(workers, &wishes);
        self.remote().beats.tell(wishes);
        self.write_of(workers).await
    }

    /// Writes what these workers have said that is yet to be written.
    async fn write_of(&self, workers: &[WorkerId]) -> Result<()> {
        let said = self.remote().known.unwritten(workers);
        if said.is_empty() {
            return Ok(());
        }
        let store = &self.inner.store;
        store.heartbeats(&said, self.now()).await?;
        self.remote().known.written(&said);
        Ok(())
    }
}
