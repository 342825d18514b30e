//! A fleet of processes: one that accepts and keeps the installation, and four that run jobs.

use std::time::Duration;

use baton_client::{ChangeQueue, Client, EnqueueJob, Json};
use baton_faults::Server;
use baton_lab::servers::Redis;
use baton_sql::{
    OpenOptions,
    bench::{Scratch, Tools},
};
use indicatif::ProgressBar;
use serde_json::json;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep};

use crate::{
    commands::bench::{
        load::{BATCH, QUEUE},
        session::Session,
    },
    exit::{Exit, Failure},
    store,
};

use super::Source;

pub const WORKERS: u32 = 4;
/// How often the counters are looked at: seldom, because each look takes the database some milliseconds
/// while a line moves.
const LOOK: Duration = Duration::from_millis(50);
/// How long it takes at most until every hint of a backlog is out.
const REST: Duration = Duration::from_secs(2);
/// How long an idle connection of PostgreSQL can keep to itself what it has done.
pub const TELLING: Duration = Duration::from_secs(11);
/// How long nothing may move before the measurement is given up.
const STILL: Duration = Duration::from_mins(1);

pub struct Crowd {
    scratch: Scratch,
    tools: Tools,
    client: Client,
    front: Server,
    workers: Vec<Server>,
}

impl Crowd {
    /// Starts the processes over an empty database.
    pub async fn gather(
        session: &Session<'_>,
        way: Source,
        redis: &Redis,
    ) -> Result<Self, Failure> {
        let scratch = session.ground.scratch().await?;
        let mut flags = vec!["--database".to_owned(), scratch.url().to_owned()];
        if way == Source::Redis {
            flags.extend(["--redis".to_owned(), redis.url()]);
        }
        let start = async |name: String, roles: &str| {
            let folder = session.ground.folder().join(name);
            std::fs::create_dir_all(&folder)
                .map_err(|error| Failure::new(format!("{}: {error}", folder.display())))?;
            let own = ["--listen", "127.0.0.1:0", "--roles", roles].map(str::to_owned);
            let started = Server::start(&folder, own.into_iter().chain(flags.clone())).await;
            started.map_err(Failure::from)
        };
        let front = start("front".to_owned(), "api,engine").await?;
        let mut workers = Vec::new();
        for number in 1..=WORKERS {
            workers.push(start(format!("worker-{number}"), "worker").await?);
        }
        let options = OpenOptions {
            connections: 3,
            allow_unsafe: true,
        };
        let sql = baton_sql::open(scratch.url(), &options).await;
        let sql = sql.map_err(|error| store::refused(&error))?;
        Ok(Self {
            client: Client::new(front.url())?,
            tools: Tools::of(&sql),
            scratch,
            front,
            workers,
        })
    }

    /// Runs a first job, so that every process knows the queue.
    pub async fn warm_up(&self) -> Result<(), Failure> {
        self.accept(1, 0).await?;
        self.drain(0, 1, &ProgressBar::hidden()).await?;
        self.settle().await
    }

    pub async fn pause(&self, paused: bool) -> Result<(), Failure> {
        let change = ChangeQueue {
            paused: Some(paused),
            ..ChangeQueue::default()
        };
        self.client.change_queue(QUEUE, &change).await?;
        Ok(())
    }

    /// Brings so many jobs that take so long.
    pub async fn accept(&self, jobs: u32, sleep_ms: u64) -> Result<(), Failure> {
        self.accept_by(BATCH, jobs, sleep_ms).await
    }

    /// Brings them in batches of this size.
    pub async fn accept_by(&self, batch: u32, jobs: u32, sleep_ms: u64) -> Result<(), Failure> {
        let mut left = jobs;
        while left > 0 {
            let count = left.min(batch);
            let batch = vec![job(sleep_ms); count as usize];
            self.client.enqueue_all(batch).await?;
            left -= count;
        }
        Ok(())
    }

    /// Lets what is under way end: hints go out, and the database writes down what it holds.
    pub async fn settle(&self) -> Result<(), Failure> {
        let done = self.tools.checkpoint().await;
        done.map_err(|error| store::lost(&error))?;
        sleep(REST).await;
        Ok(())
    }

    /// How many transactions the database has ended, once everybody has told of his.
    pub async fn transactions(&self) -> Result<f64, Failure> {
        sleep(TELLING).await;
        let count = self.tools.transactions().await;
        let count = count.map_err(|error| store::lost(&error))?;
        #[expect(clippy::cast_precision_loss, reason = "nobody counts to 2^53 here")]
        let count = count.unwrap_or_default() as f64;
        Ok(count)
    }

    /// How many jobs have succeeded.
    pub async fn succeeded(&self) -> Result<u64, Failure> {
        let queues = self.client.queues().await?;
        let queue = queues.into_iter().find(|queue| queue.name == QUEUE);
        Ok(queue.map_or(0, |queue| queue.succeeded))
    }

    /// Waits until so many more jobs have succeeded than before.
    pub async fn drain(&self, before: u64, jobs: u32, bar: &ProgressBar) -> Result<(), Failure> {
        let jobs = u64::from(jobs);
        let (mut last, mut moved) = (0, Instant::now());
        loop {
            let succeeded = self.succeeded().await? - before;
            bar.set_position(succeeded);
            if succeeded >= jobs {
                return Ok(());
            }
            if succeeded != last {
                (last, moved) = (succeeded, Instant::now());
            }
            if moved.elapsed() > STILL {
                return Err(Failure::new(format!(
                    "nothing moves any more: {succeeded} of {jobs} jobs are done"
                ))
                .exit(Exit::TimedOut));
            }
            sleep(LOOK).await;
        }
    }

    /// Brings jobs one by one, and says how long each waited for its start.
    pub async fn singles(
        &self,
        jobs: u32,
        apart: Duration,
        bar: &ProgressBar,
    ) -> Result<Vec<Duration>, Failure> {
        let before = self.succeeded().await?;
        let mut ticks = interval(apart);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut accepted = Vec::new();
        for _ in 0..jobs {
            ticks.tick().await;
            accepted.push(self.client.enqueue(&job(0)).await?.job);
        }
        self.drain(before, jobs, bar).await?;
        let mut waits = Vec::new();
        for job in accepted {
            let attempts = self.client.attempts(job.id).await?;
            let started = attempts.first().and_then(|attempt| attempt.started_at);
            waits.extend(started.map(|at| at.since(job.created_at)));
        }
        Ok(waits)
    }

    /// Stops the processes, and drops the database.
    pub async fn leave(self, session: &Session<'_>) -> Result<(), Failure> {
        for worker in self.workers {
            worker.stop().await?;
        }
        self.front.stop().await?;
        session.ground.give_up(&self.scratch).await
    }
}

fn job(sleep_ms: u64) -> EnqueueJob {
    EnqueueJob {
        queue: Some(QUEUE.to_owned()),
        ..EnqueueJob::new("simulate", Json::from(&json!({"sleep_ms": sleep_ms})))
    }
}
