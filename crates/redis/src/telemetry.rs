//! What the metrics mean that are written here.

use metrics::{describe_counter as counter, describe_gauge as gauge};

/// Describes the metrics of hints.
pub fn describe() {
    gauge!(
        "baton_redis_state",
        "1 for the state Redis is in: open, building or away."
    );
    gauge!(
        "baton_redis_answer_seconds",
        "How long Redis took to answer the last probe."
    );
    counter!("baton_hints_offered_total", "Hints offered.");
    counter!("baton_hints_taken_total", "Hints taken.");
    counter!(
        "baton_hints_dropped_total",
        "Hints dropped after a recorded result, or because they led to nothing."
    );
    counter!(
        "baton_hints_trimmed_total",
        "Hints that workers left unread because they searched the store for what was in front."
    );
    counter!(
        "baton_hints_given_back_total",
        "Hints put back by workers that left, or for workers that are gone."
    );
    counter!(
        "baton_hints_left_out_total",
        "Hints that no list had room for; the sweep brings them later."
    );
    counter!(
        "baton_hints_refused_total",
        "Entries that nobody of ours has offered; they were removed."
    );
}
