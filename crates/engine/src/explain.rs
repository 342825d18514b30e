//! Why a job is, or is not, running: in sentences.

use baton_domain::{
    JobId,
    fleet::{Presence, RemoteWorker, Worker},
    job::{Explanation, Job, State},
    queue::{Queue, WorkedBy},
};

use crate::{Caller, Result};

impl Caller {
    /// Why a job is, or is not, running.
    pub async fn explain(&self, id: JobId) -> Result<Explanation> {
        let job = self.look_at(id).await?;
        let queues = self.queues().await?;
        let workers = self.workers().await?;
        let queue = queues.iter().find(|queue| queue.name == job.queue);
        let worked_by = self.inner.settings.limits.kinds.worked_by(&job.kind);
        let mut explanation = explain(&job, queue);
        if waits(&job) {
            let missing = match worked_by {
                WorkedBy::Server => self.no_server_worker(&workers),
                WorkedBy::Remote => self.no_remote_worker(&job, queue, &workers),
            };
            explanation.blockers.extend(missing);
        }
        Ok(explanation)
    }

    fn no_server_worker(&self, workers: &[Worker]) -> Option<String> {
        (self.alive(workers) == 0).then(|| {
            "No worker is alive that could take it; start one with `baton serve`.".to_owned()
        })
    }

    /// Why no remote worker takes it, and what to type.
    fn no_remote_worker(
        &self,
        job: &Job,
        queue: Option<&Queue>,
        workers: &[Worker],
    ) -> Option<String> {
        let (kind, line) = (&job.kind, &job.queue);
        if queue.is_some_and(|queue| queue.worked_by == WorkedBy::Server) {
            return Some(format!(
                "Queue {line} is worked off by the servers themselves, which do not know the kind {kind}; cancel it, and enqueue it without a queue."
            ));
        }
        let (now, lease) = (self.now(), self.inner.settings.lease);
        let remote = |worker: &Worker| worker.heartbeat.remote.clone();
        let serving: Vec<_> = workers
            .iter()
            .filter_map(|worker| Some((worker, remote(worker)?)))
            .filter(|(_, remote)| remote.kinds.contains(kind) && remote.queues.contains(line))
            .map(|(worker, remote)| (worker, remote, worker.presence(now, lease)))
            .collect();
        let start = format!("start one with `baton worker --kind {kind} -- COMMAND`");
        let is = |wanted: Presence| {
            move |(_, _, presence): &&(&Worker, RemoteWorker, Presence)| *presence == wanted
        };
        if serving.is_empty() {
            let elsewhere = workers
                .iter()
                .filter_map(remote)
                .find(|remote| remote.kinds.contains(kind));
            return Some(match elsewhere {
                Some(remote) => format!(
                    "A worker handles the kind {kind}, but claims from other queues: {}; have it claim from {line} as well.",
                    remote.queues.join(", ")
                ),
                None => {
                    format!("No worker has handled the kind {kind} yet, or not for long; {start}.")
                }
            });
        }
        if let Some((worker, ..)) = serving
            .iter()
            .find(is(Presence::Deaf))
            .filter(|_| serving.iter().all(|one| one.2 != Presence::Live))
        {
            return Some(format!(
                "{} beats and has free slots, but has not asked for jobs for longer than a lease: it is deaf; restart it.",
                worker.heartbeat.name
            ));
        }
        let live: Vec<_> = serving.iter().filter(is(Presence::Live)).collect();
        if live.is_empty() {
            let last = serving.iter().max_by_key(|(worker, ..)| worker.seen_at)?;
            let name = &last.0.heartbeat.name;
            return Some(match last.2 {
                Presence::Draining => format!(
                    "All {} workers that handle the kind {kind} drain; {start}.",
                    serving.len()
                ),
                _ => format!(
                    "The last worker that handled the kind {kind}, {name}, was heard of at {}; {start}.",
                    last.0.seen_at
                ),
            });
        }
        let slots: u32 = live.iter().map(|(_, remote, _)| remote.slots).sum();
        let free: u32 = live.iter().map(|(_, remote, _)| remote.free).sum();
        (free == 0 && job.state == State::Queued).then(|| {
            format!("All {slots} slots of the workers that handle the kind {kind} are taken.")
        })
    }

    fn alive(&self, workers: &[Worker]) -> usize {
        let (now, lease) = (self.now(), self.inner.settings.lease);
        workers
            .iter()
            .filter(|worker| worker.presence(now, lease) == Presence::Live)
            .count()
    }
}

const fn waits(job: &Job) -> bool {
    matches!(job.state, State::Pending | State::Queued | State::RetryWait)
}

fn explain(job: &Job, queue: Option<&Queue>) -> Explanation {
    let (summary, next) = sentences(job);
    Explanation {
        job_id: job.id,
        state: job.state,
        summary,
        blockers: blockers(job, queue),
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
                job.tries, job.options.max_attempts, job.run_at
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
                job.tries, job.options.max_attempts
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

fn blockers(job: &Job, queue: Option<&Queue>) -> Vec<String> {
    let mut blockers = Vec::new();
    if !waits(job) {
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
    blockers
}
