//! The gauges tell the metrics how long the lines are. Only the leader exports them, so that a sum
//! over nodes stays true.

use std::time::Duration;

use async_trait::async_trait;
use baton_domain::queue::{Queue, campaign_of};
use baton_ports::store;

use super::{Leading, Tools};
use crate::{Next, Routine};

const PAUSE: Duration = Duration::from_secs(5);

/// Tells the metrics how long the lines are.
pub struct Gauges {
    tools: Tools,
    leading: Leading,
}

impl Gauges {
    /// The gauges.
    #[must_use]
    pub const fn new(tools: Tools, leading: Leading) -> Self {
        Self { tools, leading }
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
            let queues = self.tools.store.queues(self.tools.clock.now()).await?;
            // Lines of campaigns come and go: each would leave a gauge behind for ever.
            let lasting = queues
                .iter()
                .filter(|line| campaign_of(&line.name).is_none());
            lasting.for_each(|queue| self.show(queue));
        }
        Ok(Next::After(PAUSE))
    }
}
