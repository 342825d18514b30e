//! Which jobs are meant, in words.

use baton_domain::operation::JobSelection;

/// Which jobs are meant: `queued jobs, queue mail, tag red`.
pub fn selection(jobs: &JobSelection) -> String {
    let parts = [
        ("queue ", &jobs.queue),
        ("kind ", &jobs.kind),
        ("tag ", &jobs.tag),
    ];
    let given = parts.iter();
    let given =
        given.filter_map(|(name, value)| value.as_ref().map(|value| format!(", {name}{value}")));
    format!("{} jobs{}", jobs.state, given.collect::<String>())
}
