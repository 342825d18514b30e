//! What far handlers do: plain jobs that fail so often, and walks that leave a child for every item.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use baton_domain::{
    Clock, WorkerId,
    job::{Class, FieldError, JobSpec, Verdict},
};
use baton_ports::{Call, Handler, checkpoints::Saved};
use serde::{Deserialize, Serialize};
use tokio::time::sleep;

use super::scribe::{Book, Deed};
use crate::{clock::VirtualClock, link::Link};

/// Plain jobs.
pub const PLAIN: &str = "resize";
/// Walks.
pub const WALK: &str = "walk";

/// What a job is to do.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Order {
    /// Which one it is.
    pub number: u32,
    /// Each attempt, or each part of a walk, takes so long.
    pub millis: u64,
    /// One attempt in so many fails; none with 0.
    pub fails: u32,
    /// A walk: over so many items, so many at a time.
    pub items: u32,
    pub chunk: u32,
    /// A child: of which walk, and for which item.
    pub of: Option<(u32, u32)>,
}

impl Order {
    pub fn kind(&self) -> &'static str {
        if self.items > 0 { WALK } else { PLAIN }
    }

    pub fn payload(&self) -> String {
        serde_json::to_string(self).unwrap()
    }

    fn child(&self, item: u32) -> JobSpec {
        let child = Self {
            number: 0,
            millis: 20,
            fails: 0,
            items: 0,
            chunk: 0,
            of: Some((self.number, item)),
        };
        JobSpec {
            kind: PLAIN.to_owned(),
            payload: child.payload(),
            max_attempts: Some(5),
            ..JobSpec::default()
        }
    }
}

/// Does the jobs of one kind in one worker; a frozen worker does nothing.
pub struct Hand {
    pub kind: &'static str,
    pub worker: WorkerId,
    pub link: Arc<Link>,
    pub clock: Arc<VirtualClock>,
    pub book: Arc<Book>,
}

#[async_trait]
impl Handler for Hand {
    fn kind(&self) -> &'static str {
        self.kind
    }

    fn check(&self, _payload: &str) -> Result<(), Vec<FieldError>> {
        Ok(())
    }

    async fn run(&self, call: Call) -> Verdict {
        self.link.moving().await;
        self.book.write(
            self.clock.now(),
            Deed::Began {
                job: call.args.id,
                attempt: call.counters.attempt,
                worker: self.worker,
            },
        );
        let order: Order = serde_json::from_str(&call.args.payload).unwrap();
        let has_to_fail = order.fails > 0 && call.counters.attempt.is_multiple_of(order.fails);
        let verdict = if order.items > 0 {
            self.walk(&call, &order, has_to_fail).await
        } else {
            self.work(&call, &order, has_to_fail).await
        };
        self.link.moving().await;
        verdict
    }
}

impl Hand {
    async fn work(&self, call: &Call, order: &Order, has_to_fail: bool) -> Verdict {
        if !waits(call, order.millis).await {
            return Verdict::Canceled;
        }
        if has_to_fail {
            return failed();
        }
        Verdict::Accepted { result: None }
    }

    async fn walk(&self, call: &Call, order: &Order, mut has_to_fail: bool) -> Verdict {
        let Ok(stands) = call.checkpoints.stands().await else {
            return failed();
        };
        let cursor = stands.and_then(|stands| stands.cursor);
        let mut after: u32 = cursor.map_or(0, |cursor| cursor.parse().unwrap());
        while after < order.items {
            if !waits(call, order.millis).await {
                return Verdict::Canceled;
            }
            // Before the first part of an attempt: it fails without having moved.
            if std::mem::take(&mut has_to_fail) {
                return failed();
            }
            let next = (after + order.chunk).min(order.items);
            let children = (after..next).map(|item| order.child(item)).collect();
            self.link.moving().await;
            match call
                .checkpoints
                .save(next.to_string(), None, children)
                .await
            {
                Saved::Recorded {
                    is_to_stop: true, ..
                } if call.cancel.is_cancelled() => {
                    return Verdict::Canceled;
                }
                Saved::Recorded {
                    is_to_stop: true, ..
                } if next < order.items => {
                    return Verdict::Snoozed {
                        after: Duration::from_millis(200),
                    };
                }
                Saved::Recorded { .. } => after = next,
                Saved::Lost => return failed(),
                Saved::Refused(errors) => panic!("a checkpoint is refused: {errors:?}"),
            }
        }
        Verdict::Accepted { result: None }
    }
}

fn failed() -> Verdict {
    Verdict::failed(Class::Retry, "told_to", "as it was told to")
}

/// Waits so long; `false` if the job is to stop.
async fn waits(call: &Call, millis: u64) -> bool {
    tokio::select! {
        biased;
        () = call.cancel.cancelled() => false,
        () = sleep(Duration::from_millis(millis)) => true,
    }
}
