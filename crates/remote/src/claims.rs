//! Claims that wait: asked at one server after the other until one answers, always under the same leases.

mod askings;

use std::{collections::HashMap, sync::atomic::Ordering, time::Duration};

use baton_client::Client;
use baton_domain::{Timestamp, WorkerId, checkpoint::Checkpoint, job::AttemptCounters};
use baton_ports::store::{Claim, Claimed, Result};
use baton_protocol::remote::{
    ClaimJobs, ClaimedBatch, ClaimedJob, ClaimedJobs, ReleaseLeases, Want,
};
use tokio::time::Instant;

use self::askings::Askings;
use crate::{
    answers::{self, Pause},
    cover::BETWEEN,
    held::HeldJob,
    source::RemoteSource,
};

/// How many bytes of payload a claim takes at the most, if it is more than one job.
const BYTES: u32 = 4 * 1024 * 1024;
/// How long an open claim may still be answered once the worker drains.
const LAST_ANSWER: Duration = Duration::from_secs(1);
/// How long the answer to a claim may take beyond its wait.
const UNANSWERED: Duration = Duration::from_secs(10);
/// A claim waits no shorter, however impatient whatever stands between is.
pub const SHORTEST: Duration = Duration::from_secs(5);
/// By how much the next one waits longer once one was answered that had waited as long as it was to.
pub const GAIN: Duration = Duration::from_secs(1);

impl RemoteSource {
    /// Asks until a server answers, or until what an earlier asking may have got is to be given back rather than begun.
    pub(crate) async fn claim_jobs(
        &self,
        claim: &Claim,
        most: u32,
        now: Timestamp,
        may_wait: bool,
    ) -> Result<Vec<Claimed>> {
        let began = Instant::now();
        let most = most.min(self.limits.claim).min(self.run_limit.left());
        if most == 0 {
            self.run_limit.rest().await;
            return Ok(Vec::new());
        }
        let mut body = body_of(claim, most);
        let mut pause = Pause::default();
        let mut askings = Askings::begin(
            began,
            self.session.lease(),
            self.is_told_of_waits.load(Ordering::Relaxed),
        );
        loop {
            let sent = Instant::now();
            if may_wait && self.run_limit.waits() {
                body.wait = self.wait().min(askings.left(sent));
            }
            self.begin_cover(body.wait);
            self.asked.store(self.born.elapsed(), Ordering::Relaxed);
            let Some(answer) = self.unless_draining(&body).await else {
                self.end_cover(may_wait);
                self.abandon(&body).await;
                return Ok(Vec::new());
            };
            let error = match answer {
                Ok(claimed) => {
                    let from = counts_from(&claimed, began, sent);
                    let claimed = self.take_in(claimed, now + began.elapsed(), from, may_wait);
                    let holds_any = || !self.held.is_empty();
                    self.run_limit.claimed(claimed.len(), holds_any).await;
                    return Ok(claimed);
                }
                Err(error) => error,
            };
            self.end_cover(may_wait);
            if !body.wait.is_zero() && answers::is_impatient_gateway(&error) {
                self.shorten_wait(sent.elapsed());
            }
            askings.go_on_after(answers::read(error), self.is_over())?;
            body.repeat += 1;
            pause.rest().await;
        }
    }

    /// Has a claim that waits long enough stand for beats, at a server that hears it so.
    fn begin_cover(&self, wait: Duration) {
        if self.is_told_of_waits.load(Ordering::Relaxed) && wait >= self.session.lease() / 2 {
            self.cover.lasts(wait + UNANSWERED);
        }
    }

    /// One that does not wait covers nothing, and leaves the cover of the one that does.
    fn end_cover(&self, may_wait: bool) {
        if may_wait {
            self.cover.end();
        }
    }

    async fn unless_draining(
        &self,
        body: &ClaimJobs,
    ) -> Option<std::result::Result<ClaimedJobs, baton_client::Error>> {
        let mut draining = self.draining.subscribe();
        let asked = self.session.ask(|client: Client, worker: WorkerId| {
            let body = body.clone();
            async move { client.claim_jobs(worker, &body).await }
        });
        tokio::select! {
            biased;
            answer = asked => Some(answer),
            () = async {
                let _ = draining.wait_for(|is_draining| *is_draining).await;
                tokio::time::sleep(LAST_ANSWER).await;
            } => None,
        }
    }

    /// Gives back what an open claim may have been granted that nobody waits for any more.
    async fn abandon(&self, body: &ClaimJobs) {
        let leases = body.wants.iter().map(|want| want.lease).collect();
        let body = ReleaseLeases { leases };
        let released = self.session.told(|client: Client, worker| {
            let body = body.clone();
            async move { client.release_leases(worker, &body).await }
        });
        if let Err(error) = released.await {
            tracing::warn!(%error, "what the last claim may have got cannot be given back: {error}");
        }
    }

    fn take_in(
        &self,
        claimed: ClaimedJobs,
        now: Timestamp,
        from: Instant,
        may_wait: bool,
    ) -> Vec<Claimed> {
        let waits_are_told = claimed.waited.is_some();
        let waited = claimed.waited.unwrap_or_default();
        self.is_told_of_waits
            .store(waits_are_told, Ordering::Relaxed);
        if claimed.drain {
            self.is_wanted_to_drain.store(true, Ordering::Relaxed);
        }
        let batches = claimed.batches.into_iter();
        let jobs: Vec<_> = batches
            .flat_map(|batch| self.take_batch(batch, now, from))
            .collect();
        // Servers end waits a little early, several together.
        if jobs.is_empty() && waited + GAIN > self.wait() {
            self.lengthen_wait();
        }
        if waits_are_told && jobs.is_empty() && may_wait && self.cover.is_there() {
            self.cover.lasts(BETWEEN);
        } else {
            self.end_cover(may_wait || !jobs.is_empty());
        }
        jobs
    }

    fn take_batch(&self, batch: ClaimedBatch, now: Timestamp, from: Instant) -> Vec<Claimed> {
        let ClaimedBatch { lease, queue, jobs } = batch;
        let mut held = HashMap::with_capacity(jobs.len());
        let jobs = jobs.into_iter().map(|job| {
            held.insert(job.id, held_of(&job, now));
            Claimed {
                lease,
                counters: counters_of(&job),
                queued_at: now - job.queued_ago,
                args: job.args(&queue, now),
            }
        });
        let jobs: Vec<_> = jobs.collect();
        self.held.take_in(lease, held, from);
        jobs
    }
}

fn body_of(claim: &Claim, most: u32) -> ClaimJobs {
    let wants = claim.queues.iter().map(|want| Want {
        queue: want.queue.clone(),
        limit: want.limit.min(most),
        lease: want.lease,
    });
    ClaimJobs {
        wants: wants.collect(),
        limit: most,
        wait: Duration::ZERO,
        max_bytes: Some(BYTES),
        repeat: 0,
    }
}

fn held_of(job: &ClaimedJob, now: Timestamp) -> HeldJob {
    let checkpoint = job.checkpoint.as_ref().map(|stood| Checkpoint {
        job: job.id,
        seq: stood.seq,
        era: stood.era,
        // Whichever wrote it, this one has not.
        attempt: job.attempt.saturating_sub(1),
        cursor: stood
            .cursor
            .as_ref()
            .map(|cursor| cursor.as_str().to_owned()),
        progress: stood.progress.clone(),
        moved: false,
        at: now - stood.ago,
    });
    HeldJob {
        token: job.token.as_str().into(),
        attempt: job.attempt,
        checkpoint,
    }
}

/// From when the leases of an answer count: they began no earlier than the server says, and no later than now.
fn counts_from(claimed: &ClaimedJobs, began: Instant, sent: Instant) -> Instant {
    let from = claimed.waited.map(|waited| sent.checked_add(waited));
    from.map_or(began, |from| from.unwrap_or(sent).min(Instant::now()))
}

const fn counters_of(job: &ClaimedJob) -> AttemptCounters {
    AttemptCounters {
        attempt: job.attempt,
        tries: job.tries,
        losses: job.losses,
        run: job.run,
    }
}

#[cfg(test)]
mod tests;
