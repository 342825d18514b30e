//! Beats: they renew the leases, and one of them waits at a server for news, unless a claim does that.

use std::{sync::atomic::Ordering, time::Duration};

use baton_client::Client;
use baton_domain::LeaseId;
use baton_ports::{
    Wakeup,
    store::{Renewed, Result},
};
use baton_protocol::remote::{BeatWorker, News};
use tokio::time::Instant;

use crate::{answers::Pause, source::RemoteSource};

/// An answer that comes sooner than this and says nothing new is not followed by the next beat at once.
const EARLY: Duration = Duration::from_millis(500);
/// How long that one is put off.
const PUT_OFF: Duration = Duration::from_secs(1);
/// How often progress is told, at the most.
const PROGRESS: Duration = Duration::from_secs(1);

impl RemoteSource {
    /// Renews these leases; hears at once what became of them, and which jobs are to stop.
    pub(crate) async fn renew_leases(&self, leases: &[LeaseId]) -> Result<Renewed> {
        let news = self.beat(Duration::ZERO, leases.to_vec()).await?;
        Ok(Renewed {
            leases: news.held,
            cancels: news.stop.iter().map(|stop| stop.job).collect(),
        })
    }

    /// Beats once, and takes note of what is wanted of the worker.
    pub(crate) async fn beat(&self, wait: Duration, heard: Vec<LeaseId>) -> Result<News> {
        let running = self.running.load(Ordering::Relaxed);
        let body = BeatWorker {
            wait,
            running,
            free: self.session.slots().saturating_sub(running),
            asked_ago: self.asked_ago(),
            draining: *self.draining.borrow(),
            heard,
            progress: self.take_progress(),
        };
        let sent = Instant::now();
        let news = self.session.told(|client: Client, worker| {
            let body = body.clone();
            async move { client.beat_worker(worker, &body).await }
        });
        let news = news.await?;
        let is_idle = body.running == 0 && body.heard.is_empty() && !body.draining;
        {
            let mut told = self.told_idle.lock();
            // A beat that has waited tells of before a later one that did not.
            if sent >= told.0 {
                *told = (sent, is_idle);
            }
        }
        self.is_wanted_to_drain.store(news.drain, Ordering::Relaxed);
        *self.heard.lock() = Some(Instant::now());
        if self.held.lost(&news.lost) {
            self.run_limit.settled(!self.held.is_empty());
        }
        Ok(news)
    }

    /// How long ago it asked for jobs last; whoever waits for some asks this moment.
    fn asked_ago(&self) -> Option<Duration> {
        if self.cover.is_there() {
            return Some(Duration::ZERO);
        }
        let asked = self.asked.load(Ordering::Relaxed)?;
        Some(self.born.elapsed().saturating_sub(asked))
    }

    /// Whether a claim that waits says all that a beat would: the worker has nothing to do, and its last beat has said so.
    pub(crate) fn need_not_beat(&self) -> bool {
        let is_idle = self.held.is_empty() && self.told_idle.lock().1;
        let may_work = !*self.draining.borrow() && !self.is_wanted_to_drain.load(Ordering::Relaxed);
        is_idle && may_work && self.cover.is_there()
    }

    /// Has a beat wait for news for as long as the worker lives and no claim does that, and wakes it when there are some.
    pub(crate) async fn wait_for_news(&self) {
        let mut pause = Pause::default();
        let mut last = None;
        loop {
            while self.need_not_beat() {
                self.cover.changed().await;
            }
            let wait = self.session.lease() / 3;
            let asked = Instant::now();
            match self.beat(wait, self.held.leases()).await {
                Ok(news) => {
                    pause = Pause::default();
                    let told = (news.stop, news.lost, news.drain);
                    let is_quiet = told.0.is_empty() && told.1.is_empty() && !told.2;
                    let is_known = last.as_ref() == Some(&told);
                    if !is_quiet {
                        self.wakeups.send_here(Wakeup::Cancel);
                    }
                    // As a server does that stops, or has no room for waiting.
                    let is_early = asked.elapsed() < EARLY.min(wait);
                    if is_early && (is_quiet || is_known) {
                        tokio::time::sleep(PUT_OFF).await;
                    }
                    last = Some(told);
                }
                Err(_) if self.is_over() => return,
                Err(_) => pause.rest().await,
            }
        }
    }

    /// Tells progress soon after it is told here, and not too often.
    pub(crate) async fn tell_progress(&self) {
        loop {
            self.has_progress.notified().await;
            if let Err(error) = self.beat(Duration::ZERO, self.held.leases()).await {
                tracing::debug!(%error, "progress is not told: {error}");
            }
            tokio::time::sleep(PROGRESS).await;
        }
    }
}
