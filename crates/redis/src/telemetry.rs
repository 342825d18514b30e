//! What the metrics mean that are written here.

use metrics::{counter, describe_counter, describe_gauge as gauge};

/// Each counter, and what it counts.
const COUNTERS: [(&str, &str); 7] = [
    ("baton_hints_offered_total", "Hints offered."),
    ("baton_hints_taken_total", "Hints taken."),
    (
        "baton_hints_dropped_total",
        "Hints dropped after a recorded result, or because they led to nothing.",
    ),
    (
        "baton_hints_trimmed_total",
        "Hints that workers left unread because they searched the store for what was in front.",
    ),
    (
        "baton_hints_given_back_total",
        "Hints put back by workers that left, or for workers that are gone.",
    ),
    (
        "baton_hints_left_out_total",
        "Hints that no list had room for; the sweep brings them later.",
    ),
    (
        "baton_hints_refused_total",
        "Entries that nobody of ours has offered; they were removed.",
    ),
];

/// Describes the metrics of hints, and has each counter begin at zero.
pub fn describe() {
    gauge!(
        "baton_redis_state",
        "1 for the state Redis is in: open, building or away."
    );
    gauge!(
        "baton_redis_answer_seconds",
        "How long Redis took to answer the last probe."
    );
    for (name, meaning) in COUNTERS {
        describe_counter!(name, meaning);
        counter!(name).increment(0);
    }
}
