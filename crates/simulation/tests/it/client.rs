//! Clients and operators: ask for jobs, and then meddle with them, at random.

use std::{sync::Arc, time::Duration};

use baton_domain::{
    Clock, JobId,
    job::{Backoff, DeliveryGuarantee, Jitter, Job, JobSpec, State, Strategy},
    operation::{Action, DeadLetterFilter},
    page::PageRequest,
    queue::QueueChange,
};
use baton_engine::{Cancel, Error, Resolution, Result};
use baton_ports::store::{Enqueued, JobFilter};
use rand::{RngExt, SeedableRng, rngs::StdRng};
use tokio::time::{sleep, timeout};

use crate::{
    fleet::Fleet,
    journal::{Act, ActKind, Asked, Said, Started},
    script::Script,
    target::KIND,
};

/// How long a client waits for an answer.
const TIMEOUT: Duration = Duration::from_secs(8);
/// The queues that jobs stand in.
pub const QUEUES: [&str; 3] = ["default", "mail", "slow"];

/// A client, who is an operator too.
pub struct Client {
    fleet: Arc<Fleet>,
    dice: StdRng,
    /// The number of its next job; other clients count elsewhere.
    next: u32,
    /// What it has asked for with a key.
    keyed: Vec<JobSpec>,
    known: Vec<JobId>,
}

impl Client {
    pub fn new(fleet: Arc<Fleet>, name: u32, seed: u64) -> Self {
        Self {
            fleet,
            dice: StdRng::seed_from_u64(seed),
            next: name * 10_000,
            keyed: Vec::new(),
            known: Vec::new(),
        }
    }

    /// Does so many things, with pauses.
    pub async fn run(mut self, things: u32) {
        for _ in 0..things {
            let pause = self.dice.random_range(0..1_200);
            sleep(Duration::from_millis(pause)).await;
            match self.dice.random_range(0..100) {
                0..35 => self.ask_for_one().await,
                35..45 => self.ask_again().await,
                45..60 => self.ask_for_many().await,
                60..85 => self.act().await,
                85..93 => self.change_a_queue().await,
                _ => self.start_an_operation().await,
            }
        }
    }

    async fn ask_for_one(&mut self) {
        let spec = self.spec();
        self.post(spec).await;
    }

    /// The same key again, mostly with the same content.
    async fn ask_again(&mut self) {
        let Some(at) = below(self.keyed.len(), &mut self.dice) else {
            return;
        };
        let mut spec = self.keyed[at].clone();
        if self.dice.random_bool(0.3) {
            spec.payload = self.script();
        }
        self.post(spec).await;
    }

    async fn post(&mut self, spec: JobSpec) {
        let engine = self.fleet.engine(&mut self.dice);
        let answer = timeout(TIMEOUT, engine.enqueue(spec.clone())).await;
        let said = match answer {
            Ok(Ok(enqueued)) => Said::Accepted(enqueued.id()),
            Ok(Err(Error::KeyConflict { holder, .. })) => Said::Conflict(holder.parse().unwrap()),
            _ => Said::Unknown,
        };
        self.remember(&spec, said);
    }

    async fn ask_for_many(&mut self) {
        let count = self.dice.random_range(2..12);
        let specs: Vec<_> = (0..count).map(|_| self.spec()).collect();
        let engine = self.fleet.engine(&mut self.dice);
        let answer = timeout(TIMEOUT, engine.enqueue_all(specs.clone())).await;
        let answers: Vec<Enqueued> = match answer {
            Ok(Ok(enqueued)) => enqueued,
            _ => Vec::new(),
        };
        for (i, spec) in specs.iter().enumerate() {
            let said = answers.get(i);
            let said = said.map_or(Said::Unknown, |answer| Said::Accepted(answer.id()));
            self.remember(spec, said);
        }
    }

    fn remember(&mut self, spec: &JobSpec, said: Said) {
        if let Said::Accepted(job) = said {
            self.known.push(job);
        }
        if spec.key.is_some() {
            self.keyed.push(spec.clone());
        }
        self.fleet.journal.asked.lock().push(Asked {
            key: spec.key.clone(),
            payload: spec.payload.clone(),
            said,
        });
    }

    fn script(&mut self) -> String {
        self.next += 1;
        Script::random(self.next, &mut self.dice).payload()
    }

    fn spec(&mut self) -> JobSpec {
        let payload = self.script();
        let dice = &mut self.dice;
        let millis = |dice: &mut StdRng, most| Duration::from_millis(dice.random_range(1..most));
        let sometimes = |dice: &mut StdRng, share| dice.random_bool(share);
        let base = millis(dice, 1_500);
        JobSpec {
            kind: KIND.to_owned(),
            payload,
            key: sometimes(dice, 0.5).then(|| format!("key {}", self.next)),
            queue: Some(QUEUES[dice.random_range(0..QUEUES.len())].to_owned()),
            priority: Some(dice.random_range(-2..3)),
            delay: sometimes(dice, 0.3).then(|| millis(dice, 5_000)),
            max_attempts: Some(dice.random_range(1..5)),
            backoff: Some(Backoff {
                strategy: [Strategy::Exponential, Strategy::Linear, Strategy::Fixed]
                    [dice.random_range(0..3)],
                base,
                cap: base * 3,
                jitter: [Jitter::Full, Jitter::None][dice.random_range(0..2)],
            }),
            timeout: Some(Duration::from_millis(dice.random_range(1_000..12_000))),
            expires_at: sometimes(dice, 0.1)
                .then(|| self.fleet.store_time() + millis(dice, 20_000)),
            delivery: sometimes(dice, 0.2).then_some(DeliveryGuarantee::AtMostOnce),
            ..JobSpec::default()
        }
    }

    async fn act(&mut self) {
        let Some(at) = below(self.known.len(), &mut self.dice) else {
            return;
        };
        // Mostly one of the newest, which is still on its way.
        let newest = self.known.len().saturating_sub(5);
        let at = if self.dice.random_bool(0.6) {
            at.max(newest)
        } else {
            at
        };
        let kind = match self.dice.random_range(0..10) {
            0..3 => ActKind::Cancel,
            3..5 => ActKind::Revoke,
            5..8 => ActKind::Retry,
            8 => ActKind::RunNow,
            _ => ActKind::Resolve,
        };
        let job = match kind {
            ActKind::Resolve => self.some_uncertain().await.unwrap_or(self.known[at]),
            _ => self.known[at],
        };
        self.do_to(job, kind).await;
    }

    /// A job that waits for a person's word; there are few, and none would be met by chance.
    async fn some_uncertain(&mut self) -> Option<JobId> {
        let engine = self.fleet.engine(&mut self.dice);
        let uncertain = JobFilter {
            state: Some(State::Uncertain),
            ..JobFilter::default()
        };
        let page = PageRequest::default();
        let listed = timeout(TIMEOUT, engine.jobs(&uncertain, &page)).await;
        let jobs = listed.ok()?.ok()?.items;
        Some(jobs.first()?.id)
    }

    /// Does something to a job and writes down what was answered; a refusal did nothing.
    pub async fn do_to(&mut self, job: JobId, kind: ActKind) {
        let sent = self.fleet.now();
        let engine = self.fleet.engine(&mut self.dice);
        let resolution = if self.dice.random_bool(0.5) {
            Resolution::Succeeded
        } else {
            Resolution::Failed
        };
        let doing = async {
            match kind {
                ActKind::Cancel | ActKind::Revoke => {
                    let cancel = Cancel {
                        force: kind == ActKind::Revoke,
                        reason: Some("not wanted".to_owned()),
                    };
                    engine.cancel(job, cancel).await
                }
                ActKind::Retry => engine.retry(job, false).await,
                ActKind::RunNow => engine.run_now(job).await,
                ActKind::Resolve => engine.resolve(job, resolution).await,
            }
        };
        let confirmed: Option<Result<Job>> = timeout(TIMEOUT, doing).await.ok();
        if let Some(Err(Error::Illegal(_))) = confirmed {
            return;
        }
        let confirmed = confirmed.and_then(Result::ok);
        self.fleet.journal.acts.lock().push(Act {
            job,
            kind,
            sent,
            confirmed: confirmed.map(|job| (self.fleet.clock.now(), Box::new(job))),
        });
    }

    async fn change_a_queue(&mut self) {
        let queue = QUEUES[self.dice.random_range(0..QUEUES.len())];
        let dice = &mut self.dice;
        let change = match dice.random_range(0..6) {
            0 => QueueChange {
                paused: Some(true),
                ..QueueChange::default()
            },
            1 | 2 => QueueChange {
                paused: Some(false),
                ..QueueChange::default()
            },
            3 => QueueChange {
                max_running: Some(Some(dice.random_range(1..4))),
                ..QueueChange::default()
            },
            4 => QueueChange {
                rate: Some(Some(f64::from(dice.random_range(1..6_u32)))),
                ..QueueChange::default()
            },
            _ => QueueChange {
                max_running: Some(None),
                rate: Some(None),
                ..QueueChange::default()
            },
        };
        let engine = self.fleet.engine(dice);
        // What was committed is written down by the witness.
        let _ = timeout(TIMEOUT, engine.change_queue(queue, &change)).await;
    }

    async fn start_an_operation(&mut self) {
        let action = if self.dice.random_bool(0.6) {
            Action::Retry
        } else {
            Action::Discard
        };
        let queue = self.dice.random_bool(0.5);
        let filter = DeadLetterFilter {
            queue: queue.then(|| QUEUES[self.dice.random_range(0..QUEUES.len())].to_owned()),
            ..DeadLetterFilter::default()
        };
        let engine = self.fleet.engine(&mut self.dice);
        let begun = timeout(TIMEOUT, engine.start_operation(action, &filter)).await;
        self.fleet.journal.operations.lock().push(Started {
            action,
            is_confirmed: matches!(begun, Ok(Ok(_))),
        });
    }
}

/// A number below `count`, if there is one.
fn below(count: usize, dice: &mut StdRng) -> Option<usize> {
    (count > 0).then(|| dice.random_range(0..count))
}
