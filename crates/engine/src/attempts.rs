//! Attempts that no worker of this process counts: those of remote workers, and the lost ones.

use std::collections::HashMap;

use baton_domain::{Timestamp, job::Outcome};
use baton_ports::{labels, store::AttemptResult};

/// An attempt by its queue, its kind and its outcome.
type Line<'a> = (&'a str, &'a str, Outcome);

/// Counts attempts of which nobody knows how long they ran. Each metric is looked up once.
pub fn count<'a>(attempts: impl IntoIterator<Item = Line<'a>>) {
    for (group, attempts) in grouped(attempts.into_iter().map(|line| (line, ()))) {
        add(group, attempts.len());
    }
}

/// Counts attempts whose workers have told of them by `now`, and how long each waited and ran.
pub fn measure<'a>(
    attempts: impl IntoIterator<Item = (Line<'a>, &'a AttemptResult)>,
    now: Timestamp,
) {
    for (group, attempts) in grouped(attempts) {
        let (queue, kind, outcome) = group;
        add(group, attempts.len());
        let waits = metrics::histogram!("baton_job_wait_seconds", "queue" => queue.to_owned());
        let runs = metrics::histogram!("baton_job_run_seconds", "queue" => queue.to_owned(), "kind" => kind.to_owned(), "outcome" => outcome.as_str());
        for result in attempts {
            // What never started is given back.
            if let Some(at) = result.started_at {
                waits.record(at.since(result.queued_at));
                runs.record(now.since(at));
            }
        }
    }
}

fn grouped<'a, T>(attempts: impl IntoIterator<Item = (Line<'a>, T)>) -> HashMap<Line<'a>, Vec<T>> {
    let mut groups: HashMap<_, Vec<T>> = HashMap::new();
    for ((queue, kind, outcome), attempt) in attempts {
        let group = (labels::of(queue), labels::of_kind(kind), outcome);
        groups.entry(group).or_default().push(attempt);
    }
    groups
}

fn add((queue, kind, outcome): Line<'_>, count: usize) {
    let (queue, kind) = (queue.to_owned(), kind.to_owned());
    metrics::counter!("baton_job_attempts_total", "queue" => queue, "kind" => kind, "outcome" => outcome.as_str())
        .increment(count as u64);
}
