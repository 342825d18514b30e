//! Gathers spans and sends them, batch by batch; whoever ends a span never waits.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use baton_ports::spans::{EndedSpan, SpanSink};
use metrics::counter;
use parking_lot::Mutex;
use tokio::{
    sync::mpsc::{self, Receiver, Sender},
    task::JoinHandle,
    time::timeout,
};
use tokio_util::sync::CancellationToken;

use super::Collector;

/// How many spans wait at the most; a few megabytes.
const QUEUE: usize = 8_192;
/// How many are sent at once.
const BATCH: usize = 1_024;
/// How long a batch gathers.
const GATHER: Duration = Duration::from_secs(1);

/// Gathers spans and sends them to a collector.
pub struct SpanExporter {
    queue: Sender<EndedSpan>,
    /// How many were taken that are neither sent nor dropped.
    pending: Arc<AtomicU64>,
    stop: CancellationToken,
    task: Mutex<Option<JoinHandle<()>>>,
}

impl SpanExporter {
    /// Begins to send what comes in.
    #[must_use]
    pub fn start(collector: Collector) -> Self {
        let (queue, waiting) = mpsc::channel(QUEUE);
        let (pending, stop) = (Arc::<AtomicU64>::default(), CancellationToken::new());
        let sending = Sending {
            collector,
            waiting,
            pending: Arc::clone(&pending),
            stop: stop.clone(),
            is_failing: false,
        };
        Self {
            queue,
            pending,
            stop,
            task: Mutex::new(Some(tokio::spawn(sending.run()))),
        }
    }

    /// Sends what is left, and takes nothing more; what is not sent within this time is dropped.
    pub async fn finish(&self, within: Duration) {
        self.stop.cancel();
        let Some(mut task) = self.task.lock().take() else {
            return;
        };
        if timeout(within, &mut task).await.is_err() {
            task.abort();
            let left = self.pending.swap(0, Ordering::Relaxed);
            dropped("stopped", left);
            tracing::warn!(
                left,
                "{left} spans were not sent: the collector did not take them in time"
            );
        }
    }
}

impl SpanSink for SpanExporter {
    fn ended(&self, span: EndedSpan) {
        self.pending.fetch_add(1, Ordering::Relaxed);
        if self.queue.try_send(span).is_err() {
            self.pending.fetch_sub(1, Ordering::Relaxed);
            dropped("full", 1);
        }
    }
}

struct Sending {
    collector: Collector,
    waiting: Receiver<EndedSpan>,
    pending: Arc<AtomicU64>,
    stop: CancellationToken,
    is_failing: bool,
}

impl Sending {
    async fn run(mut self) {
        let mut batch = Vec::with_capacity(BATCH);
        while self.gather(&mut batch).await {
            self.send(&batch).await;
            let done = batch.len() as u64;
            self.pending.fetch_sub(done, Ordering::Relaxed);
            batch.clear();
        }
    }

    /// Gathers a batch for a while; nothing once all have come after a stop.
    async fn gather(&mut self, batch: &mut Vec<EndedSpan>) -> bool {
        let stop = self.stop.clone();
        let gathering = async {
            self.waiting.recv_many(batch, BATCH).await;
            let more = async {
                while batch.len() < BATCH {
                    let room = BATCH - batch.len();
                    self.waiting.recv_many(batch, room).await;
                }
            };
            // It is full, or it has gathered for long enough.
            let _ = timeout(GATHER, more).await;
        };
        if stop.run_until_cancelled(gathering).await.is_none() {
            self.waiting.close();
            let room = BATCH - batch.len();
            self.waiting.recv_many(batch, room).await;
        }
        !batch.is_empty()
    }

    async fn send(&mut self, batch: &[EndedSpan]) {
        let all = batch.len() as u64;
        match self.collector.send(batch).await {
            Ok(refused) => {
                counter!("baton_spans_sent_total").increment(all - refused);
                dropped("refused", refused);
                if std::mem::take(&mut self.is_failing) {
                    tracing::info!("the collector takes spans again");
                }
            }
            Err(why) => {
                dropped("failed", all);
                if !std::mem::replace(&mut self.is_failing, true) {
                    tracing::warn!(
                        error = why,
                        "spans are dropped, for the collector does not take them: {why}"
                    );
                }
            }
        }
    }
}

fn dropped(why: &'static str, count: u64) {
    if count > 0 {
        counter!("baton_spans_dropped_total", "why" => why).increment(count);
    }
}
