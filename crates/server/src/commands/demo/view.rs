//! How far the demonstration is: a moving bar on a terminal, a line now and then elsewhere.

use std::time::Duration;

use baton_client::{Client, Error, Queue};
use indicatif::ProgressBar;
use tokio::{
    task::JoinHandle,
    time::{Instant, sleep},
};

use crate::{
    exit::{Exit, Failure},
    output::Output,
};

/// How often the server is asked.
const PAUSE: Duration = Duration::from_millis(150);
/// How often a line is written where no bar moves.
const LINES: Duration = Duration::from_secs(2);
/// How long nothing may move before the demonstration is given up.
const STILL: Duration = Duration::from_mins(1);

pub struct View {
    bar: ProgressBar,
    output: Output,
    task: JoinHandle<Result<(), Failure>>,
}

impl View {
    pub fn start(client: Client, count: usize, output: Output) -> Self {
        let bar = output.bar(count as u64, "jobs");
        let watch = ProgressView {
            // The view shows that the server is away instead of waiting for it.
            client: client.retrying_for(Duration::ZERO),
            count: count as u64,
            bar: bar.clone(),
            output,
        };
        Self {
            bar,
            output,
            task: tokio::spawn(watch.run()),
        }
    }

    /// Says something above the bar.
    pub fn tell(&self, text: String) {
        if self.bar.is_hidden() {
            self.output.say(text);
        } else {
            self.bar.println(text);
        }
    }

    /// Waits until every job has come to its end.
    pub async fn end(self) -> Result<(), Failure> {
        let outcome = self.task.await;
        self.bar.finish_and_clear();
        outcome.map_err(|error| Failure::new(format!("the view has ended: {error}")))?
    }
}

struct ProgressView {
    client: Client,
    count: u64,
    bar: ProgressBar,
    output: Output,
}

impl ProgressView {
    async fn run(self) -> Result<(), Failure> {
        let mut last_line = Instant::now();
        let (mut last_seen, mut last_move) = (nothing(), Instant::now());
        loop {
            match self.client.queues().await {
                Ok(queues) => {
                    let demo = queues.into_iter().find(|queue| queue.name == "demo");
                    let queue = demo.unwrap_or_else(nothing);
                    if self.show(&queue) >= self.count && moving(&queue) == 0 {
                        return Ok(());
                    }
                    if !self.output.shows_progress() && last_line.elapsed() > LINES {
                        self.output.say(line(&queue));
                        last_line = Instant::now();
                    }
                    if last_seen != queue {
                        (last_seen, last_move) = (queue, Instant::now());
                    }
                }
                Err(Error::Unreachable { .. } | Error::Problem(_)) => {
                    self.bar.set_message("the server is away");
                }
                Err(error) => return Err(error.into()),
            }
            if last_move.elapsed() > STILL {
                return Err(stuck(&last_seen));
            }
            sleep(PAUSE).await;
        }
    }

    fn show(&self, queue: &Queue) -> u64 {
        let ended = queue.succeeded + queue.failed;
        self.bar.set_position(ended);
        self.bar.set_message(line(queue));
        ended
    }
}

/// The queue before the first job.
const fn nothing() -> Queue {
    Queue {
        name: String::new(),
        paused: false,
        max_running: None,
        rate: None,
        pending: 0,
        queued: 0,
        running: 0,
        retry_wait: 0,
        failed: 0,
        uncertain: 0,
        succeeded: 0,
        oldest_queued_at: None,
        per_second: 0.0,
        slots: 0,
    }
}

const fn moving(queue: &Queue) -> u64 {
    queue.pending + queue.queued + queue.running + queue.retry_wait
}

fn line(queue: &Queue) -> String {
    format!(
        "{} succeeded, {} failed, {} running, {} queued, {} to be retried",
        queue.succeeded, queue.failed, queue.running, queue.queued, queue.retry_wait
    )
}

fn stuck(queue: &Queue) -> Failure {
    Failure::new(format!("nothing moves any more: {}", line(queue)))
        .exit(Exit::TimedOut)
        .then("This must not happen; please report it with the seed.")
}
