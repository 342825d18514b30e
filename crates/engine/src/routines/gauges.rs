//! The gauges tell the metrics how long the lines are, how the workers are, and what nobody is through with. Only the leader exports them, so that a sum
//! over nodes stays true; who led before tells of none. Lines change with facts alone: while none are numbered, what was read is
//! told again, a little older. However many queues there are, the busiest have labels and the others one together.

mod backlog;
mod failures;
mod fleet;
mod lateness;

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use async_trait::async_trait;
use baton_domain::{
    Timestamp,
    queue::{Queue, WaitTargets, campaign_of},
};
use baton_ports::{Findings, Wakeup, labels, store, wakeups::Subscription};
use futures::FutureExt;
use tokio::time::Instant;

use self::{
    backlog::BacklogGauges, failures::FailureGauges, fleet::FleetGauges, lateness::LatenessGauges,
};
use super::Tools;
use crate::{Next, Routine, routine::about};

const PAUSE: Duration = Duration::from_secs(5);
/// How much of the time may go into that, however many queues there are: a hundredth.
const SHARE: u32 = 100;
/// How long what was read is told again, however quiet it is.
const LASTING: Duration = Duration::from_mins(1);

/// Tells the metrics how long the lines are.
pub struct Gauges {
    tools: Tools,
    numbered: Subscription,
    /// What was read last, and when.
    read: Option<(Instant, Vec<Queue>)>,
    /// The labels that were told of.
    told: BTreeSet<String>,
    fleet: FleetGauges,
    backlog: BacklogGauges,
    lateness: LatenessGauges,
    failures: FailureGauges,
    findings: Findings,
    lease: Duration,
}

impl Gauges {
    /// The gauges, where leases last so long and jobs may wait so long; `findings` are those of this process's poller.
    #[must_use]
    pub fn new(tools: Tools, findings: Findings, lease: Duration, targets: WaitTargets) -> Self {
        let numbered = tools.wakeups.subscribe(Wakeup::Events);
        Self {
            tools,
            numbered,
            read: None,
            told: BTreeSet::new(),
            fleet: FleetGauges::default(),
            backlog: BacklogGauges::default(),
            lateness: LatenessGauges::new(targets),
            failures: FailureGauges::default(),
            findings,
            lease,
        }
    }

    async fn read(&mut self) -> store::Result<()> {
        let has_news = self.numbered.recv().now_or_never().is_some();
        let is_old = |(at, _): &(Instant, _)| at.elapsed() >= LASTING;
        let has_news = has_news || self.read.as_ref().is_none_or(is_old);
        if has_news {
            // What was not read is news the next time, too.
            self.read = None;
            let queues = self.tools.store.queues(self.tools.clock.now()).await?;
            self.read = Some((Instant::now(), queues));
        }
        let (store, now) = (&*self.tools.store, self.tools.clock.now());
        let queues = self.read.as_ref().map(|(_, queues)| &**queues);
        let queues = queues.unwrap_or_default();
        self.lateness.read(store, queues, now).await?;
        self.failures.read(store, has_news).await?;
        self.backlog.read(store, has_news, &self.findings).await?;
        self.fleet.read(store, now, self.lease).await
    }

    /// Shows the busiest first, for they are the ones to have labels of their own.
    fn show(&mut self) {
        let lines = self.read.iter().flat_map(|(_, queues)| queues);
        // The line of a stopped campaign would look as if nobody kept up.
        let (campaigns, mut queues): (Vec<_>, Vec<_>) =
            lines.partition(|line| campaign_of(&line.name).is_some());
        let mut deliveries = Sum::default();
        for line in campaigns {
            deliveries.add(line, self.tools.clock.now());
        }
        deliveries.count("baton_campaign_deliveries", &[]);
        queues.sort_by_cached_key(|queue| Reverse((is_ruled(queue), outstanding(queue))));
        let told = self.told.iter().map(|label| (&**label, Sum::default()));
        let mut sums: BTreeMap<&str, Sum> = told.collect();
        for queue in queues {
            let sum = sums.entry(labels::of(&queue.name)).or_default();
            sum.add(queue, self.tools.clock.now());
            sum.late += self.lateness.late(&queue.name);
            sum.target = sum.target.max(self.lateness.target(&queue.name));
            if !queue.paused && !self.fleet.serves(queue) {
                sum.unserved += queue.queued;
            }
        }
        for (label, sum) in &sums {
            sum.show(label);
        }
        self.told = sums.into_keys().map(str::to_owned).collect();
        self.fleet.show();
        self.backlog.show(self.tools.clock.now());
    }
}

/// Whether an operator has said something about it.
const fn is_ruled(queue: &Queue) -> bool {
    queue.paused || queue.max_running.is_some() || queue.rate.is_some()
}

/// How many of its jobs have not ended.
const fn outstanding(queue: &Queue) -> u64 {
    queue.pending + queue.queued + queue.running + queue.retry_wait
}

/// What the queues of one label have together.
#[derive(Default)]
struct Sum {
    jobs: [u64; 6],
    /// Of those that may be claimed, how many no worker is there for.
    unserved: u64,
    /// How many have been due for longer than the target, and what that is.
    late: u64,
    target: Duration,
    oldest: f64,
    is_paused: bool,
}

impl Sum {
    fn add(&mut self, queue: &Queue, now: Timestamp) {
        let Queue {
            pending,
            queued,
            running,
            retry_wait,
            failed,
            uncertain,
            ..
        } = *queue;
        let counts = [pending, queued, running, retry_wait, failed, uncertain];
        for (sum, count) in self.jobs.iter_mut().zip(counts) {
            *sum += count;
        }
        let oldest = queue.oldest_queued_at.map(|at| now.since(at).as_secs_f64());
        self.oldest = self.oldest.max(oldest.unwrap_or_default());
        self.is_paused |= queue.paused;
    }

    /// Tells of the jobs of each state, under their own label beside these.
    fn count(&self, gauge: &'static str, labels: &[(&'static str, String)]) {
        let states = [
            "pending",
            "queued",
            "running",
            "retry_wait",
            "failed",
            "uncertain",
        ];
        for (state, count) in states.into_iter().zip(self.jobs) {
            let mut labels = labels.to_vec();
            labels.push(("state", state.to_owned()));
            #[expect(clippy::cast_precision_loss, reason = "a gauge is a float by nature")]
            metrics::gauge!(gauge, &labels).set(count as f64);
        }
    }

    fn show(&self, label: &str) {
        self.count("baton_queue_jobs", &[("queue", label.to_owned())]);
        #[expect(clippy::cast_precision_loss, reason = "a gauge is a float by nature")]
        metrics::gauge!("baton_queue_unserved_jobs", "queue" => label.to_owned())
            .set(self.unserved as f64);
        metrics::gauge!("baton_queue_oldest_ready_seconds", "queue" => label.to_owned())
            .set(self.oldest);
        #[expect(clippy::cast_precision_loss, reason = "a gauge is a float by nature")]
        metrics::gauge!("baton_queue_late_jobs", "queue" => label.to_owned()).set(self.late as f64);
        metrics::gauge!("baton_queue_wait_target_seconds", "queue" => label.to_owned())
            .set(self.target.as_secs_f64());
        metrics::gauge!("baton_queue_paused", "queue" => label.to_owned())
            .set(f64::from(u8::from(self.is_paused)));
    }
}

#[async_trait]
impl Routine for Gauges {
    about!("gauges": "tells the metrics how long the lines are and how the workers are");

    async fn turn(&mut self) -> store::Result<Next> {
        let asked = Instant::now();
        self.read().await?;
        self.show();
        Ok(Next::After(PAUSE.max(asked.elapsed() * SHARE)))
    }

    fn stand_down(&mut self) {
        self.read = None;
        self.fleet = FleetGauges::default();
        self.backlog = BacklogGauges::default();
        self.lateness.forget();
        self.failures = FailureGauges::default();
        self.show();
    }
}
