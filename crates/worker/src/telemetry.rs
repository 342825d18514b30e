//! What the worker's metrics and log lines look like.

use std::collections::{BTreeMap, HashMap};

use baton_domain::{
    JobId,
    job::{Outcome, State},
};
use baton_ports::{
    labels,
    store::{AttemptResult, SettleOutcome},
    work_source::Settled,
};
use metrics::{counter, gauge, histogram};
use parking_lot::Mutex;
use std::sync::atomic::Ordering;
use tokio::time::{Duration, Instant};

use crate::{all_slots::AllSlots, core::Core, finished_attempt::AttemptContext, spans};

/// So many successes are logged each second; the rest are counted.
const LINES: u64 = 100;
const WINDOW: Duration = Duration::from_secs(1);

/// Tells the recorder what the worker's metrics mean.
pub fn describe() {
    metrics::describe_counter!("baton_job_attempts_total", "Attempts by their outcome.");
    metrics::describe_histogram!(
        "baton_job_wait_seconds",
        metrics::Unit::Seconds,
        "From claimable to started."
    );
    metrics::describe_histogram!(
        "baton_job_run_seconds",
        metrics::Unit::Seconds,
        "From started to ended."
    );
    metrics::describe_gauge!("baton_slots", "Slots by queue and state.");
    metrics::describe_histogram!("baton_settle_batch_size", "Results recorded at once.");
    metrics::describe_histogram!("baton_claim_batch_size", "Jobs claimed at once.");
    drop(histogram!("baton_settle_batch_size"));
    drop(histogram!("baton_claim_batch_size"));
}

/// Shows what the slots are used for.
pub fn slots(all: &AllSlots) {
    let all = all.all();
    let mut counts: BTreeMap<(&str, &str), f64> = BTreeMap::new();
    for slots in &all {
        let (running, buffered) = slots.counts();
        let free = slots.count.saturating_sub(running);
        let queue = labels::of(&slots.queue);
        for (state, count) in [("running", running), ("buffered", buffered), ("free", free)] {
            *counts.entry((queue, state)).or_default() += f64::from(count);
        }
    }
    for ((queue, state), count) in counts {
        gauge!("baton_slots", "queue" => queue.to_owned(), "state" => state).set(count);
    }
}

/// Shows how many jobs a claim got.
pub fn claimed(core: &Core, count: usize) {
    let sizes = || histogram!("baton_claim_batch_size");
    core.claim_sizes.get_or_init(sizes).record(as_f64(count));
    if count > 0 {
        tracing::debug!(target: "baton::job", count, "claimed {count} jobs");
    }
}

/// Shows what was recorded: one line per attempt, and the metrics group by group.
pub fn recorded(
    core: &Core,
    results: &[AttemptResult],
    contexts: &[AttemptContext],
    answers: &[Settled],
) {
    histogram!("baton_settle_batch_size").record(as_f64(results.len()));
    count(core, results);
    measure(results, contexts);
    let now = Instant::now();
    for ((result, context), answer) in results.iter().zip(contexts).zip(answers) {
        log(core, result, context, *answer, now);
        spans::settled(result, context, answer.outcome);
    }
}

fn count(core: &Core, results: &[AttemptResult]) {
    let is_back = |result: &&AttemptResult| result.decision.outcome == Outcome::GivenBack;
    let back = results.iter().filter(is_back).count() as u64;
    let finished = results.len() as u64 - back;
    core.tally.given_back.fetch_add(back, Ordering::Relaxed);
    core.tally.finished.fetch_add(finished, Ordering::Relaxed);
}

/// Looks each metric up once per group and batch: a look-up costs more than a small handler.
fn measure(results: &[AttemptResult], contexts: &[AttemptContext]) {
    let mut groups: HashMap<_, Vec<_>> = HashMap::new();
    for (result, context) in results.iter().zip(contexts) {
        let group = (
            labels::of(&context.queue),
            labels::of_kind(&context.kind),
            result.decision.outcome,
        );
        groups.entry(group).or_default().push((result, context));
    }
    for ((queue, kind, outcome), attempts) in groups {
        let labels = [
            ("queue", queue.to_owned()),
            ("kind", kind.to_owned()),
            ("outcome", outcome.as_str().to_owned()),
        ];
        counter!("baton_job_attempts_total", &labels).increment(attempts.len() as u64);
        let waits = histogram!("baton_job_wait_seconds", "queue" => queue.to_owned());
        let runs = histogram!("baton_job_run_seconds", &labels);
        for (result, context) in attempts {
            if let (Some(at), Some(ran)) = (result.started_at, context.ran) {
                waits.record(at.since(result.queued_at));
                runs.record(ran);
            }
        }
    }
}

fn log(
    core: &Core,
    result: &AttemptResult,
    context: &AttemptContext,
    answer: Settled,
    now: Instant,
) {
    let (job, decision) = (result.job, &result.decision);
    let (queue, kind, attempt) = (&*context.queue, &*context.kind, result.counters.attempt);
    let state = decision.transition.to();
    let ran_ms = context.ran.map(|ran| ran.as_secs_f64() * 1_000.0);
    let (trace_id, span_id) = spans::ids(&context.span);
    match answer.outcome {
        SettleOutcome::Stale | SettleOutcome::Adopted => {
            let meaning = meaning(answer.outcome);
            tracing::info!(target: "baton::job", %job, queue, kind, attempt, %state, ran_ms, trace_id, span_id, "{job} ended after its lease was lost: {meaning}");
        }
        SettleOutcome::Recorded if state == State::Succeeded => {
            if core.sampler.admits(job, now) {
                tracing::info!(target: "baton::job", %job, queue, kind, attempt, ran_ms, trace_id, span_id, "{job} succeeded");
            }
        }
        SettleOutcome::Recorded => {
            let class = decision.failure.as_ref().map(|f| f.class.as_str());
            let code = decision.failure.as_ref().map(|f| f.code.as_str());
            let run_at = answer.run_at.map(|at| at.to_string());
            tracing::info!(target: "baton::job", %job, queue, kind, attempt, %state, outcome = decision.outcome.as_str(), class, code, run_at, ran_ms, trace_id, span_id, "{job} is {state} now");
        }
    }
}

const fn meaning(answer: SettleOutcome) -> &'static str {
    match answer {
        SettleOutcome::Adopted => "it counts, as nobody had claimed the job since",
        _ => "it is history only",
    }
}

/// Lets the first successes of each second through and counts the others.
#[derive(Debug, Default)]
pub struct Sampler(Mutex<Window>);

#[derive(Debug, Default)]
struct Window {
    begun: Option<Instant>,
    seen: u64,
}

impl Sampler {
    /// Whether this success gets a line; says first how many did not since the last second began.
    fn admits(&self, job: JobId, now: Instant) -> bool {
        let mut window = self.0.lock();
        if window.begun.is_none_or(|begun| now - begun >= WINDOW) {
            let seen = std::mem::take(&mut window.seen);
            window.begun = Some(now);
            if seen > LINES {
                tracing::info!(target: "baton::job", seen, logged = LINES, before = %job, "{seen} jobs succeeded in a second, {LINES} of them have a line");
            }
        }
        window.seen += 1;
        window.seen <= LINES
    }
}

fn as_f64(count: usize) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use baton_domain::Timestamp;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_hundred_successes_a_second_get_a_line() {
        let sampler = Sampler::default();
        let job = JobId::new(Timestamp::from_micros(0));

        let first = (0..1_000)
            .filter(|_| sampler.admits(job, Instant::now()))
            .count();
        tokio::time::advance(WINDOW).await;
        let second = (0..50)
            .filter(|_| sampler.admits(job, Instant::now()))
            .count();

        assert_eq!((first, second), (100, 50));
    }
}
