//! Claims that wait: asked at one server after the other until one answers, always under the same leases.

use std::{collections::HashMap, sync::atomic::Ordering, time::Duration};

use baton_client::Client;
use baton_domain::{
    JobId, Timestamp, WorkerId,
    checkpoint::Checkpoint,
    job::{AttemptCounters, Backoff},
};
use baton_ports::store::{Claim, Claimed, Error, JobArgs, Result};
use baton_protocol::remote::{
    ClaimJobs, ClaimedBatch, ClaimedJob, ClaimedJobs, ReleaseLeases, Want,
};
use tokio::time::Instant;

use crate::{
    answers::{self, Pause},
    held::HeldJob,
    source::RemoteSource,
};

/// How many bytes of payload a claim takes at the most, if it is more than one job.
const BYTES: u32 = 4 * 1024 * 1024;
/// How long an open claim may still be answered once the worker drains.
const LAST_ANSWER: Duration = Duration::from_secs(1);
/// A claim waits no shorter, however impatient whatever stands between is.
pub const SHORTEST: Duration = Duration::from_secs(5);

impl RemoteSource {
    /// Asks until a server answers, for half a lease at the most: a deadline counts from before the first time it was sent.
    pub(crate) async fn claim_jobs(
        &self,
        claim: &Claim,
        most: u32,
        now: Timestamp,
    ) -> Result<Vec<Claimed>> {
        let began = Instant::now();
        let end = began + self.session.lease() / 2;
        let most = most.min(self.limits.claim).min(self.errand.left());
        if most == 0 {
            self.errand.rest().await;
            return Ok(Vec::new());
        }
        let mut body = body_of(claim, most);
        let mut pause = Pause::default();
        // What was asked before may have done something: that it was not heard the last time does not undo it.
        let mut is_unknown = false;
        loop {
            if self.errand.waits() {
                let left = end.saturating_duration_since(Instant::now());
                body.wait = self.patience().min(left);
            }
            self.asked.store(self.born.elapsed(), Ordering::Relaxed);
            let Some(answer) = self.unless_draining(&body).await else {
                self.abandon(&body).await;
                return Ok(Vec::new());
            };
            let error = match answer {
                Ok(claimed) => {
                    let now = now + began.elapsed();
                    let claimed = self.take_in(claimed, now);
                    let holds_any = || !self.held.is_empty();
                    self.errand.claimed(claimed.len(), holds_any).await;
                    return Ok(claimed);
                }
                Err(error) => error,
            };
            if answers::is_impatient_gateway(&error) {
                self.lose_patience();
            }
            let error = answers::read(error);
            is_unknown |= matches!(error, Error::Unconfirmed(_));
            let may_be_repeated = matches!(error, Error::Unconfirmed(_) | Error::Unavailable(_));
            let is_late = Instant::now() + SHORTEST / 5 >= end;
            if !is_unknown || !may_be_repeated || is_late || self.is_over() {
                return Err(match error {
                    Error::Unavailable(text) if is_unknown => Error::Unconfirmed(text),
                    error => error,
                });
            }
            body.repeat += 1;
            pause.rest().await;
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

    fn take_in(&self, claimed: ClaimedJobs, now: Timestamp) -> Vec<Claimed> {
        let batches = claimed.batches.into_iter();
        batches
            .flat_map(|batch| self.take_batch(batch, now))
            .collect()
    }

    fn take_batch(&self, batch: ClaimedBatch, now: Timestamp) -> Vec<Claimed> {
        let ClaimedBatch { lease, queue, jobs } = batch;
        let mut held = HashMap::with_capacity(jobs.len());
        let jobs = jobs.into_iter().map(|job| {
            held.insert(job.id, held_of(&job, now));
            Claimed {
                lease,
                counters: counters_of(&job),
                queued_at: before(now, job.queued_ago),
                args: args_of(job, &queue, now),
            }
        });
        let jobs: Vec<_> = jobs.collect();
        self.held.take_in(lease, held);
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
        at: before(now, stood.ago),
    });
    HeldJob {
        token: job.token.as_str().into(),
        attempt: job.attempt,
        checkpoint,
    }
}

const fn counters_of(job: &ClaimedJob) -> AttemptCounters {
    AttemptCounters {
        attempt: job.attempt,
        tries: job.tries,
        losses: job.losses,
        run: job.run,
    }
}

/// The server decides when it is tried again, so the backoff is nobody's business here.
fn args_of(job: ClaimedJob, queue: &str, now: Timestamp) -> JobArgs {
    JobArgs {
        id: job.id as JobId,
        kind: job.kind,
        queue: queue.to_owned(),
        payload: job.payload.into_text(),
        max_attempts: job.max_attempts,
        backoff: Backoff::default(),
        timeout: job.timeout,
        expires_at: job.expires_in.map(|span| now + span),
        delivery: job.delivery,
        created_at: before(now, job.created_ago),
        key: job.key,
        tags: job.tags,
        trace: job.trace.filter(|trace| trace.errors().is_empty()),
    }
}

fn before(now: Timestamp, span: Duration) -> Timestamp {
    let micros = i64::try_from(span.as_micros()).unwrap_or(i64::MAX);
    Timestamp::from_micros(now.as_micros().saturating_sub(micros))
}

#[cfg(test)]
mod tests {
    use std::{
        collections::BTreeMap,
        sync::{
            Arc,
            atomic::{AtomicU32, Ordering},
        },
        time::Duration,
    };

    use baton_client::{Client, Transport};
    use baton_domain::{LeaseId, Timestamp, WorkerId};
    use baton_ports::{
        Wakeups, WorkSource,
        store::{Claim, Error, QueueClaim},
    };
    use baton_protocol::remote::{PROTOCOL, RegisterWorker, Registered, RemoteLimits};
    use futures::{FutureExt, future::BoxFuture};
    use reqwest::{Method, Request, Response};

    use crate::{RemoteSource, Until};

    const NOW: Timestamp = Timestamp::from_micros(1_000_000_000_000_000);

    /// A server whose answer to the first claim is lost, and that is not reached after that.
    #[derive(Debug, Default)]
    struct Going(AtomicU32);

    impl Transport for Going {
        fn carry(&self, request: Request) -> BoxFuture<'_, baton_client::Result<Response>> {
            async move {
                if *request.method() == Method::PUT {
                    let body = serde_json::to_vec(&registered()).unwrap();
                    return Ok(http::Response::new(body).into());
                }
                Err(baton_client::Error::Unreachable {
                    url: request.url().to_string(),
                    cause: "it is gone".to_owned(),
                    unsent: self.0.fetch_add(1, Ordering::Relaxed) > 0,
                })
            }
            .boxed()
        }
    }

    fn registered() -> Registered {
        Registered {
            id: WorkerId::new(NOW),
            protocol: PROTOCOL,
            lease: Duration::from_secs(30),
            beat: Duration::from_secs(10),
            server: "0".to_owned(),
            limits: RemoteLimits::default(),
        }
    }

    async fn source(transport: Arc<Going>) -> RemoteSource {
        let client = Client::new("http://localhost").unwrap();
        let whom = RegisterWorker {
            protocol: PROTOCOL,
            name: "host:1".to_owned(),
            sdk: "test/0".to_owned(),
            version: None,
            kinds: vec!["resize".to_owned()],
            queues: Vec::new(),
            slots: 4,
            labels: BTreeMap::new(),
        };
        let servers = vec![client.carried_by(transport)];
        let worker = WorkerId::new(NOW);
        let source = RemoteSource::register(
            servers,
            worker,
            whom,
            Arc::new(Wakeups::default()),
            Until::default(),
        );
        source.await.unwrap()
    }

    #[tokio::test(start_paused = true)]
    async fn a_claim_that_may_have_got_something_is_in_doubt_although_its_repeat_was_not_sent() {
        let calls = Arc::new(Going::default());
        let source = source(Arc::clone(&calls)).await;
        let claim = Claim {
            worker: source.worker(),
            until: NOW,
            queues: vec![QueueClaim {
                queue: "resize".to_owned(),
                lease: LeaseId::random(),
                limit: 4,
                limited: false,
                jobs: None,
            }],
        };

        let claimed = source.claim(&claim, 4, NOW).await;

        assert!(matches!(claimed, Err(Error::Unconfirmed(_))), "{claimed:?}");
        assert!(calls.0.load(Ordering::Relaxed) > 2, "it asks again");
    }
}
