//! Clients that ask for one walk after the other.

use std::{sync::Arc, time::Duration};

use baton_client::{Client, EnqueueJob, Error, Json};
use baton_domain::JobId;
use baton_lab::checker::{AcceptedWalk, ITEM, WALK};
use parking_lot::Mutex;
use rand::rngs::StdRng;
use serde_json::json;
use tokio::time::{Instant, sleep};
use tokio_util::sync::CancellationToken;

use crate::{
    Failure,
    clients::{Asking, Clients},
    run::{ends::moving, options::Options, stage::LabInstallation},
};

/// How many items make a checkpoint.
const CHUNK: u64 = 200;
/// How many children there may be yet when the next walk begins: clients accept nothing behind a longer line.
const FEW: u64 = 500;
/// How often a walk may fail without getting on: a worker that could not renew in time stops it, and where the machine is busy and answers
/// are lost, that befalls one after the other.
const MAX_ATTEMPTS: u32 = 20;
/// How often a walk is looked at.
const LOOK: Duration = Duration::from_millis(300);
/// How long the last walk may take once the faults have ended; what has not ended is for the judge to name.
const TIMEOUT: Duration = Duration::from_mins(1);

/// Clients that ask for walks.
pub struct Walkers {
    asked: Arc<Mutex<Vec<AcceptedWalk>>>,
    pub clients: Clients,
}

struct Walker {
    endpoints: Vec<Client>,
    asked: Arc<Mutex<Vec<AcceptedWalk>>>,
    chance: StdRng,
    number: u64,
    items: u64,
}

impl Walkers {
    /// As many as the options say; none without remote workers.
    pub fn start(stage: &LabInstallation, args: &Options) -> Self {
        let asked = Arc::<Mutex<Vec<AcceptedWalk>>>::default();
        let mut clients = Clients::default();
        let count = match stage.remotes.each.is_empty() {
            true => 0,
            false => args.walks,
        };
        for number in 1..=u64::from(count) {
            let walker = Walker {
                endpoints: stage.endpoints.clone(),
                asked: asked.clone(),
                chance: stage.chance(5_000 + number),
                number,
                items: args.walk_items,
            };
            clients.add(walker.go_on(clients.stop.clone()));
        }
        Self { asked, clients }
    }

    /// Asks for no more, and waits for what walks; what was accepted.
    pub async fn end(self) -> Result<Vec<AcceptedWalk>, Failure> {
        self.clients.end().await?;
        Ok(std::mem::take(&mut *self.asked.lock()))
    }
}

impl Walker {
    async fn go_on(mut self, stop: CancellationToken) -> Result<(), Failure> {
        let mut count = 0;
        while !stop.is_cancelled() {
            count += 1;
            let key = format!("walk-{}", self.number * 10_000 + count);
            let id = self.ask(&key).await?;
            self.asked.lock().push(AcceptedWalk {
                job: id.to_string(),
                key,
                items: self.items,
                chunk: CHUNK,
            });
            self.wait_for_its_end(id, &stop).await?;
            self.wait_for_children(&stop).await?;
        }
        Ok(())
    }

    async fn ask(&mut self, key: &str) -> Result<JobId, Failure> {
        let payload = json!({"key": key, "items": self.items, "chunk": CHUNK});
        let job = EnqueueJob {
            key: Some(key.to_owned()),
            max_attempts: Some(MAX_ATTEMPTS.into()),
            timeout: Some(Duration::from_secs(30)),
            ..EnqueueJob::new(WALK, Json::from(&payload))
        };
        let mut asking = Asking::begin("accepts a walk", &self.endpoints, &mut self.chance);
        loop {
            match asking.endpoint().await?.enqueue(&job).await {
                Ok(enqueued) => return Ok(enqueued.job.id),
                Err(error) => pass_over(error)?,
            }
        }
    }

    /// Waits until nearly all jobs that walks have made are done: no walk outruns those who work off what it makes.
    async fn wait_for_children(&mut self, stop: &CancellationToken) -> Result<(), Failure> {
        while !stop.is_cancelled() {
            let mut asking = Asking::begin("shows queues", &self.endpoints, &mut self.chance);
            match asking.endpoint().await?.queues().await {
                Ok(queues) => {
                    let line = queues.iter().find(|queue| queue.name == ITEM);
                    if line.map_or(0, moving) <= FEW {
                        return Ok(());
                    }
                }
                Err(error) => pass_over(error)?,
            }
            sleep(LOOK).await;
        }
        Ok(())
    }

    async fn wait_for_its_end(
        &mut self,
        id: JobId,
        stop: &CancellationToken,
    ) -> Result<(), Failure> {
        let mut told = None;
        loop {
            sleep(LOOK).await;
            let since = stop
                .is_cancelled()
                .then(|| *told.get_or_insert_with(Instant::now));
            if since.is_some_and(|since| since.elapsed() > TIMEOUT) {
                return Ok(());
            }
            let mut asking = Asking::begin("shows a walk", &self.endpoints, &mut self.chance);
            match asking.endpoint().await?.job(id).await {
                Ok(job) if job.finished_at.is_some() => return Ok(()),
                Ok(_) => {}
                Err(error) => pass_over(error)?,
            }
        }
    }
}

/// A server that is not there or has too much to do is asked again.
fn pass_over(error: Error) -> Result<(), Failure> {
    match error {
        Error::Unreachable { .. } => Ok(()),
        Error::Problem(problem) if matches!(problem.status, 429 | 503) => Ok(()),
        error => Err(Failure::from(error).then("That was the answer to a good walk.")),
    }
}
