//! Attempts that no worker of this process counts: those of remote workers, and the lost ones.

use std::collections::HashMap;

use baton_domain::job::Outcome;
use baton_ports::labels;

/// Counts attempts by their queues, kinds and outcomes. Each metric is looked up once.
pub fn count<'a>(attempts: impl IntoIterator<Item = (&'a str, &'a str, Outcome)>) {
    let mut groups: HashMap<_, u64> = HashMap::new();
    for (queue, kind, outcome) in attempts {
        let group = (labels::of(queue), labels::of_kind(kind), outcome);
        *groups.entry(group).or_default() += 1;
    }
    for ((queue, kind, outcome), count) in groups {
        let (queue, kind) = (queue.to_owned(), kind.to_owned());
        metrics::counter!("baton_job_attempts_total", "queue" => queue, "kind" => kind, "outcome" => outcome.as_str())
            .increment(count);
    }
}
