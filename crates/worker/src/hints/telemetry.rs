//! Figures about hints.

use metrics::counter;

/// Says what the metrics mean.
pub fn describe() {
    metrics::describe_counter!("baton_hints_taken_total", "Hints taken.");
    metrics::describe_counter!(
        "baton_hints_stale_total",
        "Hints taken that led to no job: another worker had it, it had ended, or there is none."
    );
}

/// Shows how many hints were taken.
pub fn taken(count: usize) {
    counter!("baton_hints_taken_total").increment(count as u64);
}

/// Shows how many hints have led to nothing.
pub fn stale(count: usize) {
    counter!("baton_hints_stale_total").increment(count as u64);
}
