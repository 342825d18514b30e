//! Enqueues the plan while the server is killed and started again, and notes every answer.

use std::{sync::Arc, time::Duration};

use baton_client::{Client, Enqueued};
use baton_faults::now_us;
use baton_lab::checker::{Posted, Request};
use futures::future::try_join_all;
use tokio::{sync::watch, task::JoinHandle};

use crate::exit::Failure;

use super::plan::{MAX_ATTEMPTS, Plan, Planned, TIMEOUT};

/// In how many steps the plan is enqueued.
const STEPS: usize = 60;
/// How long a step waits for the next; without it all would be accepted before anything happened.
const PAUSE: Duration = Duration::from_millis(80);

/// A client that enqueues.
pub struct Feeder {
    accepted: watch::Receiver<usize>,
    task: JoinHandle<Result<Vec<Request>, Failure>>,
}

impl Feeder {
    pub fn start(client: &Client, plan: &Plan) -> Self {
        let (counter, accepted) = watch::channel(0);
        let jobs: Arc<[Planned]> = plan.jobs().into();
        let task = tokio::spawn(feed(client.clone(), jobs, counter));
        Self { accepted, task }
    }

    /// Waits until so many were accepted; or until the feeder has failed, which `end` tells.
    pub async fn is_past(&self, count: usize) {
        let mut accepted = self.accepted.clone();
        let _ = accepted.wait_for(|accepted| *accepted >= count).await;
    }

    /// Waits until all were accepted.
    pub async fn end(self) -> Result<Vec<Request>, Failure> {
        self.task
            .await
            .map_err(|error| Failure::new(format!("the feeder has ended: {error}")))?
    }
}

/// Every other step is one batch; the others are single jobs, all at once.
async fn feed(
    client: Client,
    jobs: Arc<[Planned]>,
    counter: watch::Sender<usize>,
) -> Result<Vec<Request>, Failure> {
    let mut requests = Vec::with_capacity(jobs.len());
    for (nth, step) in jobs.chunks(jobs.len().div_ceil(STEPS)).enumerate() {
        if nth % 2 == 0 {
            requests.extend(post_batch(&client, step).await?);
        } else {
            let posts = step.iter().map(|planned| post(&client, planned));
            requests.extend(try_join_all(posts).await?);
        }
        counter.send_replace(requests.len());
        tokio::time::sleep(PAUSE).await;
    }
    Ok(requests)
}

async fn post(client: &Client, planned: &Planned) -> Result<Request, Failure> {
    let start_us = now_us();
    let Enqueued { job, .. } = client.enqueue(&planned.job).await?;
    Ok(request(planned, start_us, job.id.to_string()))
}

async fn post_batch(client: &Client, step: &[Planned]) -> Result<Vec<Request>, Failure> {
    let start_us = now_us();
    let jobs = step.iter().map(|planned| planned.job.clone()).collect();
    let items = client.enqueue_all(jobs).await?;
    if items.len() != step.len() {
        return Err(Failure::new(format!(
            "a batch of {} jobs was answered with {} ids",
            step.len(),
            items.len()
        )));
    }
    let answers = step.iter().zip(items);
    Ok(answers
        .map(|(planned, item)| request(planned, start_us, item.id.to_string()))
        .collect())
}

/// The whole of a call. The client asks again by itself where it had no answer, and each key is asked for by one call alone: what it finds
/// known then, an earlier try of its own has created.
fn request(planned: &Planned, start_us: i64, id: String) -> Request {
    Request {
        start_us,
        end_us: now_us(),
        key: planned.job.key.clone(),
        path: planned.path.clone(),
        max_attempts: MAX_ATTEMPTS,
        run_at_us: None,
        timeout_us: i64::try_from(TIMEOUT.as_micros()).unwrap_or(i64::MAX),
        at_most_once: false,
        answer: Posted::Ok { id, created: true },
    }
}
