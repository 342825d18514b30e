//! Clients that ask for work without a pause, and note every answer.

mod meddler;
mod plan;

use std::{
    net::SocketAddr,
    ops::RangeInclusive,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use baton_client::{Client, Error};
use baton_domain::JobId;
use baton_lab::checker::{Act, Posted, Request};
use parking_lot::Mutex;
use rand::{RngExt, rngs::StdRng};
use tokio::time::{Instant, sleep};
use tokio_util::sync::CancellationToken;

use crate::{
    Failure, chance,
    clients::{Asking, Clients, PAUSE},
    now_us,
};

use self::plan::Planned;

/// How many clients enqueue.
const CLIENTS: u64 = 6;
/// The longest batch.
const BATCH: usize = 16;
/// How many the last of the clients asks for at once: more than have a row of the line each, on any store.
const BULK: RangeInclusive<usize> = 260..=600;
/// The longest that nobody asks for so many, however few are asked for in a second.
const BETWEEN_BULKS: Duration = Duration::from_secs(10);
/// Of how many jobs one is of a custom kind, where there are remote workers.
const CUSTOM: u32 = 5;
/// With so many jobs on their way, clients wait: what is measured is not how long a line can get.
const MOST_UNDER_WAY: u64 = 2_000;

/// What clients were told.
#[derive(Default)]
pub struct Log {
    pub requests: Vec<Request>,
    pub acts: Vec<Act>,
}

/// What else clients ask for.
#[derive(Debug, Clone, Copy, Default)]
pub struct Mix {
    /// Jobs of a custom kind, for remote workers.
    pub has_custom: bool,
    /// Hundreds of jobs in one request, by one of the clients.
    pub has_bulk: bool,
}

/// Clients at work.
pub struct Load {
    shared: Arc<Shared>,
    pub clients: Clients,
}

/// What the clients share.
struct Shared {
    endpoints: Vec<Client>,
    log: Mutex<Log>,
    /// What was accepted, in order.
    accepted: Mutex<Vec<JobId>>,
    counters: Arc<Counters>,
}

/// What the clients and who watches them tell each other.
#[derive(Debug, Default)]
pub struct Counters {
    /// How many jobs were accepted.
    pub accepted: AtomicU64,
    /// How many of them were asked for with hundreds of others.
    pub bulk: AtomicU64,
    /// How many are on their way.
    pub under_way: AtomicU64,
}

impl Load {
    /// Starts clients that enqueue so many calls of this target in a second, and one that cancels, retries and
    /// resolves, each at any of these endpoints.
    #[must_use]
    pub fn start(endpoints: Vec<Client>, target: SocketAddr, rate: u32, seed: u64) -> Self {
        Self::with(Mix::default(), endpoints, target, rate, seed)
    }

    /// The same with more in it.
    #[must_use]
    pub fn with(
        mix: Mix,
        endpoints: Vec<Client>,
        target: SocketAddr,
        rate: u32,
        seed: u64,
    ) -> Self {
        let shared = Arc::new(Shared {
            endpoints,
            log: Mutex::default(),
            accepted: Mutex::default(),
            counters: Arc::default(),
        });
        let mut clients = Clients::default();
        for number in 1..=CLIENTS {
            let writer = Writer {
                shared: shared.clone(),
                target,
                has_custom: mix.has_custom,
                has_bulk: mix.has_bulk && number == CLIENTS,
                chance: chance(seed, number),
                number,
                drawn: 0,
                pause: Duration::from_secs(1) * CLIENTS as u32 / rate,
            };
            clients.add(writer.write(clients.stop.clone()));
        }
        let stop = clients.stop.clone();
        clients.add(meddler::meddle(shared.clone(), chance(seed, 0), stop));
        Self { shared, clients }
    }

    /// How many jobs were accepted so far, and how many are on their way, which is told to the clients.
    #[must_use]
    pub fn counters(&self) -> Arc<Counters> {
        self.shared.counters.clone()
    }

    /// Stops the clients; what they are about to post is still accepted.
    pub async fn end(self) -> Result<Log, Failure> {
        self.clients.end().await?;
        Ok(std::mem::take(&mut *self.shared.log.lock()))
    }
}

struct Writer {
    shared: Arc<Shared>,
    target: SocketAddr,
    has_custom: bool,
    /// Whether this client asks for hundreds at once, and for nothing else.
    has_bulk: bool,
    chance: StdRng,
    number: u64,
    drawn: usize,
    /// How long one job takes, at the rate of this client.
    pause: Duration,
}

impl Writer {
    async fn write(mut self, stop: CancellationToken) -> Result<(), Failure> {
        let mut next = Instant::now();
        while !stop.is_cancelled() {
            let count = self.count();
            let jobs = self.draw(count);
            self.post_until_answered(&jobs).await?;
            // Who posts again what was answered is told the same.
            if jobs[0].has_key() && self.chance.random_ratio(1, 12) {
                self.post_until_answered(&jobs).await?;
            }
            // Time that was lost is not made up for.
            let jitter = self.chance.random_range(0.5..1.5);
            let pause = (self.pause * count as u32).min(BETWEEN_BULKS);
            next = next.max(Instant::now() - self.pause) + pause.mul_f64(jitter);
            tokio::select! {
                () = tokio::time::sleep_until(next) => {}
                () = stop.cancelled() => {}
            }
            while self.must_wait() && !stop.is_cancelled() {
                sleep(PAUSE).await;
            }
        }
        Ok(())
    }

    fn must_wait(&self) -> bool {
        self.shared.counters.under_way.load(Ordering::Relaxed) > MOST_UNDER_WAY
    }

    /// How many are asked for at once.
    fn count(&mut self) -> usize {
        if self.has_bulk {
            self.chance.random_range(BULK)
        } else if self.chance.random_ratio(1, 4) {
            self.chance.random_range(2..=BATCH)
        } else {
            1
        }
    }

    /// A batch is with keys or without: only as a whole it can be asked for again.
    fn draw(&mut self, count: usize) -> Vec<Planned> {
        let has_keys = !self.chance.random_ratio(1, 8);
        let mut jobs = Vec::with_capacity(count);
        for _ in 0..count {
            self.drawn += 1;
            let key = has_keys.then(|| format!("client-{}-{}", self.number, self.drawn));
            let is_custom = self.has_custom && self.chance.random_ratio(1, CUSTOM);
            jobs.push(if self.has_bulk {
                plan::alike(&mut self.chance, self.target, key)
            } else if is_custom {
                plan::custom(key)
            } else {
                plan::draw(&mut self.chance, self.target, key)
            });
        }
        jobs
    }

    /// Posts until there is an answer, at one endpoint and then at the next; without a key, once.
    async fn post_until_answered(&mut self, jobs: &[Planned]) -> Result<(), Failure> {
        let mut asking = Asking::begin("accepts a job", &self.shared.endpoints, &mut self.chance);
        while !self.post(asking.endpoint().await?, jobs).await? && jobs[0].has_key() {}
        Ok(())
    }

    /// Posts once and notes what came of it; whether it was accepted.
    async fn post(&self, client: &Client, jobs: &[Planned]) -> Result<bool, Failure> {
        let start_us = now_us();
        let answers = match jobs {
            [one] => self.post_one(client, one).await,
            many => self.post_batch(client, many).await,
        };
        let end_us = now_us();
        let is_accepted = answers.is_ok();
        let answers = match answers {
            Ok(answers) if answers.len() != jobs.len() => {
                return Err(Failure::new("a batch was not answered job by job"));
            }
            Ok(answers) => answers,
            Err(error) => vec![refusal(error)?; jobs.len()],
        };
        let noted = jobs.iter().zip(answers);
        let requests = noted.map(|(job, answer)| job.request(start_us, end_us, answer));
        self.shared.log.lock().requests.extend(requests);
        Ok(is_accepted)
    }

    async fn post_batch(&self, client: &Client, jobs: &[Planned]) -> Result<Vec<Posted>, Error> {
        let specs = jobs.iter().map(|planned| planned.job.clone()).collect();
        let items = client.enqueue_all(specs).await?;
        let answers = items.iter().map(|item| self.took(item.id, item.created));
        Ok(answers.collect())
    }

    async fn post_one(&self, client: &Client, planned: &Planned) -> Result<Vec<Posted>, Error> {
        let enqueued = client.enqueue(&planned.job).await?;
        Ok(vec![self.took(enqueued.job.id, enqueued.created)])
    }

    fn took(&self, id: JobId, created: bool) -> Posted {
        if created {
            self.shared.accepted.lock().push(id);
            let counters = &self.shared.counters;
            counters.accepted.fetch_add(1, Ordering::Relaxed);
            let bulk = u64::from(self.has_bulk);
            counters.bulk.fetch_add(bulk, Ordering::Relaxed);
        }
        Posted::Ok {
            id: id.to_string(),
            created,
        }
    }
}

/// What an error means for the job. A refusal of what is well formed is a mistake of the server.
fn refusal(error: Error) -> Result<Posted, Failure> {
    match error {
        Error::Problem(problem) if matches!(problem.status, 429 | 503) => Ok(Posted::Refused {
            status: problem.status,
            problem: Some(problem.code.clone()),
        }),
        Error::Unreachable { .. } => Ok(Posted::Unknown),
        error => Err(Failure::from(error).then("That was the answer to a good job.")),
    }
}
