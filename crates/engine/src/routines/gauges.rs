//! The gauges tell the metrics how long the lines are. Only the leader exports them, so that a sum
//! over nodes stays true. Lines change with facts alone: while none are numbered, what was read is
//! told again, a little older.

use std::time::Duration;

use async_trait::async_trait;
use baton_domain::queue::{Queue, campaign_of};
use baton_ports::{Wake, signal::Bell, store};
use futures::FutureExt;
use tokio::time::Instant;

use super::{Leading, Tools};
use crate::{Next, Routine};

const PAUSE: Duration = Duration::from_secs(5);
/// How long what was read is told again, however quiet it is.
const LASTING: Duration = Duration::from_secs(60);

/// Tells the metrics how long the lines are.
pub struct Gauges {
    tools: Tools,
    leading: Leading,
    numbered: Bell,
    /// What was read last, and when.
    read: Option<(Instant, Vec<Queue>)>,
}

impl Gauges {
    /// The gauges.
    #[must_use]
    pub fn new(tools: Tools, leading: Leading) -> Self {
        let numbered = tools.signal.listen(Wake::Events);
        Self {
            tools,
            leading,
            numbered,
            read: None,
        }
    }

    async fn read(&mut self) -> store::Result<()> {
        let has_news = self.numbered.rung().now_or_never().is_some();
        let is_old = |(at, _): &(Instant, _)| at.elapsed() >= LASTING;
        if has_news || self.read.as_ref().is_none_or(is_old) {
            // What was not read is news the next time, too.
            self.read = None;
            let queues = self.tools.store.queues(self.tools.clock.now()).await?;
            self.read = Some((Instant::now(), queues));
        }
        Ok(())
    }

    fn show(&self, queue: &Queue) {
        let name = &queue.name;
        let gauge = |state: &'static str, count: u64| {
            #[expect(clippy::cast_precision_loss, reason = "a gauge is a float by nature")]
            metrics::gauge!("baton_queue_jobs", "queue" => name.clone(), "state" => state)
                .set(count as f64);
        };
        gauge("pending", queue.pending);
        gauge("queued", queue.queued);
        gauge("running", queue.running);
        gauge("retry_wait", queue.retry_wait);
        gauge("failed", queue.failed);
        let age = queue
            .oldest_queued_at
            .map_or(0.0, |at| self.tools.clock.now().since(at).as_secs_f64());
        metrics::gauge!("baton_queue_oldest_ready_seconds", "queue" => name.clone()).set(age);
        metrics::gauge!("baton_queue_paused", "queue" => name.clone()).set(if queue.paused {
            1.0
        } else {
            0.0
        });
    }
}

#[async_trait]
impl Routine for Gauges {
    fn name(&self) -> &'static str {
        "gauges"
    }

    fn duty(&self) -> &'static str {
        "tells the metrics how long the lines are"
    }

    async fn turn(&mut self) -> store::Result<Next> {
        if self.leading.is_true() {
            self.read().await?;
            // Lines of campaigns come and go: each would leave a gauge behind for ever.
            let queues = self.read.iter().flat_map(|(_, queues)| queues);
            let lasting = queues.filter(|line| campaign_of(&line.name).is_none());
            lasting.for_each(|queue| self.show(queue));
        }
        Ok(Next::After(PAUSE))
    }
}
