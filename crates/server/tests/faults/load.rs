//! Clients that ask for work without a pause, and log each answer.

use std::{
    net::SocketAddr,
    sync::{Arc, Mutex},
    time::Duration,
};

use baton_client::{Client, Error};
use baton_domain::JobId;
use baton_lab::checker::{Act, Posted, Request};
use rand::{RngExt, rngs::StdRng};
use tokio::{task::JoinSet, time::Instant};
use tokio_util::sync::CancellationToken;

use crate::{
    fixture::{Fixture, PATIENCE, now_us},
    meddler,
    plan::{self, Planned},
};

/// How many clients enqueue.
const CLIENTS: u64 = 4;
/// The longest a client thinks between two posts, in milliseconds.
const THINK: u64 = 120;
/// The longest batch.
const BATCH: usize = 16;
/// How long a client waits before it asks again.
const PAUSE: Duration = Duration::from_millis(60);

/// What clients were told.
#[derive(Default)]
pub struct Log {
    pub requests: Vec<Request>,
    pub acts: Vec<Act>,
}

/// Clients at work.
pub struct Load {
    shared: Arc<Shared>,
    stop: CancellationToken,
    tasks: JoinSet<()>,
}

/// What the clients share.
pub struct Shared {
    /// Who they ask, each one of these.
    clients: Vec<Client>,
    pub log: Mutex<Log>,
    /// What was accepted, in order.
    pub accepted: Mutex<Vec<JobId>>,
}

impl Load {
    /// Starts clients that enqueue, and one that cancels, retries and resolves.
    pub fn start(fixture: &Fixture) -> Self {
        Self::start_through(fixture, vec![fixture.client.clone()])
    }

    /// The same, shared out over several servers.
    pub fn start_through(fixture: &Fixture, clients: Vec<Client>) -> Self {
        let shared = Arc::new(Shared {
            clients,
            log: Mutex::default(),
            accepted: Mutex::default(),
        });
        let stop = CancellationToken::new();
        let mut tasks = JoinSet::new();
        for number in 1..=CLIENTS {
            let writer = Writer {
                shared: shared.clone(),
                target: fixture.target.addr(),
                chance: fixture.chance(number),
                number,
                drawn: 0,
            };
            tasks.spawn(writer.write(stop.clone()));
        }
        let meddling = meddler::meddle(shared.clone(), fixture.chance(0), stop.clone());
        tasks.spawn(meddling);
        Self {
            shared,
            stop,
            tasks,
        }
    }

    /// Stops the clients; what they are about to post is still accepted.
    pub async fn end(mut self) -> Log {
        self.stop.cancel();
        while let Some(ended) = self.tasks.join_next().await {
            ended.unwrap();
        }
        std::mem::take(&mut *self.shared.log.lock().unwrap())
    }
}

impl Shared {
    /// Who the client of this number asks.
    pub fn client(&self, number: u64) -> &Client {
        let place = usize::try_from(number).unwrap() % self.clients.len();
        &self.clients[place]
    }
}

struct Writer {
    shared: Arc<Shared>,
    target: SocketAddr,
    chance: StdRng,
    number: u64,
    drawn: usize,
}

impl Writer {
    async fn write(mut self, stop: CancellationToken) {
        while !stop.is_cancelled() {
            let is_batch = self.chance.random_ratio(1, 4);
            let count = if is_batch {
                self.chance.random_range(2..=BATCH)
            } else {
                1
            };
            let jobs = self.draw(count);
            self.post_until_answered(&jobs, is_batch).await;
            // Who posts again what was answered is told the same.
            if jobs[0].has_key() && self.chance.random_ratio(1, 12) {
                self.post_until_answered(&jobs, is_batch).await;
            }
            let think = Duration::from_millis(self.chance.random_range(0..THINK));
            tokio::time::sleep(think).await;
        }
    }

    /// A batch is with keys or without: only as a whole it can be asked for again.
    fn draw(&mut self, count: usize) -> Vec<Planned> {
        let has_keys = !self.chance.random_ratio(1, 8);
        let mut jobs = Vec::with_capacity(count);
        for _ in 0..count {
            self.drawn += 1;
            let key = has_keys.then(|| format!("client-{}-{}", self.number, self.drawn));
            jobs.push(plan::draw(&mut self.chance, self.target, key));
        }
        jobs
    }

    /// Posts until there is an answer; without a key, once.
    async fn post_until_answered(&self, jobs: &[Planned], is_batch: bool) {
        let end = Instant::now() + PATIENCE;
        while !self.post(jobs, is_batch).await && jobs[0].has_key() {
            assert!(Instant::now() < end, "nothing was accepted in {PATIENCE:?}");
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// Posts once and logs what came of it; whether it was accepted.
    async fn post(&self, jobs: &[Planned], is_batch: bool) -> bool {
        let start_us = now_us();
        let answers = if is_batch {
            self.post_batch(jobs).await
        } else {
            self.post_one(&jobs[0]).await
        };
        let end_us = now_us();
        let is_accepted = answers.is_ok();
        let answers = answers.unwrap_or_else(|error| vec![refusal(&error); jobs.len()]);
        let logged = jobs.iter().zip(answers);
        let requests = logged.map(|(job, answer)| job.request(start_us, end_us, answer));
        self.shared.log.lock().unwrap().requests.extend(requests);
        is_accepted
    }

    async fn post_batch(&self, jobs: &[Planned]) -> Result<Vec<Posted>, Error> {
        let specs = jobs.iter().map(|planned| planned.job.clone()).collect();
        let items = self.client().enqueue_all(specs).await?;
        assert_eq!(items.len(), jobs.len(), "a batch is answered job by job");
        let answers = items.iter().map(|item| self.took(item.id, item.created));
        Ok(answers.collect())
    }

    async fn post_one(&self, planned: &Planned) -> Result<Vec<Posted>, Error> {
        let enqueued = self.client().enqueue(&planned.job).await?;
        Ok(vec![self.took(enqueued.job.id, enqueued.created)])
    }

    fn client(&self) -> &Client {
        self.shared.client(self.number)
    }

    fn took(&self, id: JobId, created: bool) -> Posted {
        if created {
            self.shared.accepted.lock().unwrap().push(id);
        }
        Posted::Ok {
            id: id.to_string(),
            created,
        }
    }
}

/// What an error means for the job. A refusal of what is well formed is a mistake of the server.
fn refusal(error: &Error) -> Posted {
    match error {
        Error::Problem(problem) => {
            let status = problem.status;
            assert!(
                matches!(status, 429 | 503),
                "a good post was refused: {problem}"
            );
            Posted::Refused {
                status,
                problem: Some(problem.code.clone()),
            }
        }
        Error::Unreachable { .. } => Posted::Unknown,
        error => panic!("an answer is none of Baton's: {error}"),
    }
}
