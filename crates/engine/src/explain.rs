//! Why a job is, or is not, running: in sentences.

use baton_domain::{
    JobId,
    fleet::{Presence, Worker},
    job::{Explanation, Job, State},
    queue::Queue,
};

use crate::{Caller, Result};

impl Caller {
    /// Why a job is, or is not, running.
    pub async fn explain(&self, id: JobId) -> Result<Explanation> {
        let job = self.job(id).await?;
        let queues = self.queues().await?;
        let workers = self.workers().await?;
        let queue = queues.iter().find(|queue| queue.name == job.queue);
        let alive = self.alive(&workers);
        Ok(explain(&job, queue, alive))
    }

    fn alive(&self, workers: &[Worker]) -> usize {
        let (now, lease) = (self.now(), self.inner.settings.lease);
        workers
            .iter()
            .filter(|worker| worker.presence(now, lease) == Presence::Live)
            .count()
    }
}

fn explain(job: &Job, queue: Option<&Queue>, alive: usize) -> Explanation {
    let (summary, next) = sentences(job);
    Explanation {
        job_id: job.id,
        state: job.state,
        summary,
        blockers: blockers(job, queue, alive),
        next,
    }
}

fn sentences(job: &Job) -> (String, String) {
    let reason = job.reason.as_deref().unwrap_or("unknown");
    let last = job.last_error.as_ref().map_or_else(String::new, |error| {
        format!(" It failed with: {}", error.message)
    });
    match job.state {
        State::Pending => (
            format!("It waits for its time, {}.", job.run_at),
            "It is released when it is due; run-now releases it at once.".to_owned(),
        ),
        State::Queued => (
            format!(
                "It is ready to run, in queue {} with priority {}.",
                job.queue, job.priority
            ),
            "The next free slot of a worker takes it, the most urgent first.".to_owned(),
        ),
        State::Running => (
            running(job),
            "Its worker records the outcome, or loses it when the lease ends.".to_owned(),
        ),
        State::RetryWait => (
            format!(
                "Try {} of {} failed; the next one is due at {}.{last}",
                job.tries, job.max_attempts, job.run_at
            ),
            "It is released when it is due; run-now releases it at once.".to_owned(),
        ),
        State::Succeeded => (
            format!("It succeeded with attempt {}.", job.attempt),
            "Nothing.".to_owned(),
        ),
        State::Failed => (
            format!(
                "It is a dead letter ({reason}) after {} of {} tries.{last}",
                job.tries, job.max_attempts
            ),
            "Once the cause is mended, retry runs it again.".to_owned(),
        ),
        State::Canceled => (
            format!(
                "It was canceled{}.",
                job.reason
                    .as_ref()
                    .map_or_else(String::new, |why| format!(": {why}"))
            ),
            "Retry runs it again.".to_owned(),
        ),
        State::Skipped => (
            format!("There was nothing to do: {reason}."),
            "Retry runs it again.".to_owned(),
        ),
        State::Uncertain => (
            format!("It was called and its outcome is unknown; it must not be called twice.{last}"),
            "Find out what became of it, then resolve it as succeeded or failed, or retry it."
                .to_owned(),
        ),
    }
}

fn running(job: &Job) -> String {
    let worker = job
        .worker
        .map_or_else(|| "a worker".to_owned(), |worker| worker.to_string());
    let lease = job.leased_until.map_or_else(String::new, |until| {
        format!(", which has it until {until} unless it renews")
    });
    let asked = job
        .cancel_asked_at
        .map_or_else(String::new, |at| format!(" It was asked to stop at {at}."));
    format!("Attempt {} runs on {worker}{lease}.{asked}", job.attempt)
}

fn blockers(job: &Job, queue: Option<&Queue>, alive: usize) -> Vec<String> {
    let mut blockers = Vec::new();
    if !matches!(job.state, State::Pending | State::Queued | State::RetryWait) {
        return blockers;
    }
    if let Some(queue) = queue {
        if queue.paused {
            blockers.push(format!("Queue {} is paused.", queue.name));
        }
        if let Some(most) = queue
            .max_running
            .filter(|most| queue.running >= u64::from(*most))
        {
            blockers.push(format!(
                "Queue {} runs {most} jobs, as many as its limit allows.",
                queue.name
            ));
        }
        if let Some(rate) = queue.rate.filter(|_| job.state == State::Queued) {
            blockers.push(format!(
                "Queue {} starts {rate} jobs a second at most.",
                queue.name
            ));
        }
    }
    if alive == 0 {
        blockers.push(
            "No worker is alive that could take it; start one with `baton serve`.".to_owned(),
        );
    }
    blockers
}
