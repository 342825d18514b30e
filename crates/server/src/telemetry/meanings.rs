//! What the metrics mean that the engine and the store write; the worker and the hints describe their own.

use baton_domain::audit::AuditAction;
use metrics::{counter, describe_counter, describe_gauge, describe_histogram, gauge, histogram};

/// The name of a metric, and what it says.
type Meaning = (&'static str, &'static str);
/// A counter with one label: its name, what it counts, the label, and the values that it has.
type Labelled = (
    &'static str,
    &'static str,
    &'static str,
    &'static [&'static str],
);

const COUNTERS: [Meaning; 19] = [
    (
        "baton_feed_epochs_total",
        "How often the database was another copy than it was, and readers of events were reset.",
    ),
    (
        "baton_store_deadlocks_total",
        "Transactions that MySQL ended for a deadlock; each is tried again at once.",
    ),
    ("baton_events_total", "Events numbered."),
    (
        "baton_checkpoint_jobs_total",
        "Jobs that were made with a checkpoint.",
    ),
    ("baton_jobs_released_total", "Jobs that became due."),
    (
        "baton_jobs_rescued_total",
        "Jobs taken back from workers that went silent.",
    ),
    (
        "baton_jobs_expired_total",
        "Jobs that failed because their time had passed.",
    ),
    (
        "baton_jobs_pruned_total",
        "Finished jobs that were forgotten.",
    ),
    (
        "baton_drifts_total",
        "Counters that had to be repaired; more than none is worth a look.",
    ),
    (
        "baton_hints_rebuilt_total",
        "Generations of hints that were built.",
    ),
    (
        "baton_hints_again_total",
        "Jobs that were hinted at again because their hint was lost.",
    ),
    (
        "baton_campaign_chunks_total",
        "Chunks of audiences that were expanded.",
    ),
    (
        "baton_campaign_recipients_total",
        "Recipients that campaigns were expanded to.",
    ),
    (
        "baton_schedule_fires_total",
        "Jobs that schedules have enqueued.",
    ),
    (
        "baton_schedule_missed_total",
        "Moments of schedules for which no job was enqueued, because they had passed.",
    ),
    (
        "baton_connections_refused_total",
        "HTTP connections that were refused because a limit was reached.",
    ),
    (
        "baton_failure_groups_opened_total",
        "Groups of dead letters that have begun: causes that nobody has seen yet, or not since the last of them was done with; written by the leader.",
    ),
    (
        "baton_sse_resyncs_total",
        "Streams of events and of inboxes whose reader was told to begin anew.",
    ),
    (
        "baton_spans_sent_total",
        "Spans that a collector of traces has taken.",
    ),
];

const LABELLED: [Labelled; 16] = [
    (
        "baton_jobs_enqueued_total",
        "Jobs that were asked for, by what became of it: created; known, as their key was taken by the same job; or refused for a conflict with another.",
        "outcome",
        &["created", "known", "conflict"],
    ),
    (
        "baton_access_denied_total",
        "Requests that were refused, by whose they were: of nobody who could say who they are, of a key, of a user, of anybody where nobody is asked, or of the server itself.",
        "whom",
        &["nobody", "key", "user", "anonymous", "server"],
    ),
    (
        "baton_store_errors_total",
        "Transactions that the database did not do, or whose commit it did not confirm.",
        "error",
        &["unavailable", "unconfirmed", "corrupt", "refused"],
    ),
    (
        "baton_store_timeouts_total",
        "Transactions that were not done in time, by what they are about: a statement, a lock or a connection took too long.",
        "area",
        &[],
    ),
    (
        "baton_clock_steps_total",
        "How often the database's clock was put forward or back by more than a second.",
        "direction",
        &["forward", "back"],
    ),
    (
        "baton_unreadable_rows_total",
        "Rows that could not be read and were passed over, by table.",
        "table",
        &[
            "attempts",
            "campaigns",
            "facts",
            "jobs",
            "recipients",
            "schedules",
            "settlements",
        ],
    ),
    (
        "baton_remote_claims_total",
        "Claims of remote workers that were answered, by how their jobs were found.",
        "how",
        &["dispatch", "look", "repeat", "empty"],
    ),
    (
        "baton_remote_results_total",
        "Results of remote workers, by what became of them; stale ones came too late.",
        "settled",
        &["recorded", "adopted", "stale"],
    ),
    (
        "baton_tokens_refused_total",
        "Tokens of attempts that were refused, by why: sealed by no server of this installation, another worker's, or of a queue that the key may not work off.",
        "why",
        &["seal", "worker", "queue"],
    ),
    (
        "baton_remote_given_back_total",
        "Jobs given back that a remote worker had not heard of, by why.",
        "why",
        &["hung_up", "bytes"],
    ),
    (
        "baton_staged_jobs_total",
        "Jobs asked for in transactions of other programs, by whether they were enqueued or refused.",
        "outcome",
        &["enqueued", "refused"],
    ),
    (
        "baton_checkpoints_total",
        "Cursors that jobs wanted to move, by what became of it.",
        "saved",
        &["recorded", "repeated", "lost", "out_of_order", "refused"],
    ),
    (
        "baton_rows_refused_total",
        "Rows that the store refused alone, after the batch they were in was halved; more than none is worth a look.",
        "what",
        &[
            "claim",
            "result",
            "give_back",
            "rescue",
            "chunk",
            "schedule",
            "prune",
        ],
    ),
    (
        "baton_spans_dropped_total",
        "Spans that no collector of traces has, by why: the queue was full, a batch failed, the collector did not want them, or the server stopped.",
        "why",
        &["full", "failed", "refused", "stopped"],
    ),
    (
        "baton_audit_events_total",
        "Entries of the audit log, by what was done and whether it was: done, or refused to whoever may not.",
        "action",
        &[],
    ),
    (
        "baton_routine_failures_total",
        "Turns of routines that failed.",
        "routine",
        &[],
    ),
];

const GAUGES: [Meaning; 25] = [
    ("baton_build_info", "1, with the version as a label."),
    (
        "baton_queue_jobs",
        "Jobs by queue and state; written by the leader.",
    ),
    (
        "baton_campaign_deliveries",
        "Deliveries of all campaigns by state; written by the leader.",
    ),
    (
        "baton_campaigns",
        "Campaigns that have not ended, by state; written by the leader.",
    ),
    (
        "baton_failure_groups",
        "Groups of dead letters that are not empty, counted up to 100,000; written by the leader.",
    ),
    (
        "baton_component_up",
        "1 if a part of this node can do its work: the server, the store, Redis where there is one, the routines `leader`, `scheduler` and `sequencer`.",
    ),
    (
        "baton_degraded",
        "1 if this node works less well than it could, by why: no hints, a step of the clock a while ago, rows that cannot be read, routines that make no progress, labels that have run out.",
    ),
    (
        "baton_database_pool_connections",
        "Connections to the database, by what they are for and whether they are lent.",
    ),
    (
        "baton_database_pool_waiting",
        "How many wait for a connection to the database.",
    ),
    (
        "baton_outbox_pending",
        "Facts without a number, counted up to 100,000; written by the leader.",
    ),
    (
        "baton_outbox_oldest_seconds",
        "How long the first fact without a number has waited for it; written by the leader.",
    ),
    (
        "baton_queue_unserved_jobs",
        "Jobs that may be claimed from a queue, while no live worker claims from it; written by the leader.",
    ),
    (
        "baton_queue_oldest_ready_seconds",
        "How long the longest waiting claimable job has been due.",
    ),
    (
        "baton_queue_late_jobs",
        "Jobs that have been due for longer than the target of their queue, counted up to 10,000; written by the leader.",
    ),
    (
        "baton_queue_wait_target_seconds",
        "How long jobs of the queue may be due before they count as late, as `queues.wait_target` says.",
    ),
    ("baton_queue_paused", "1 if the queue is paused."),
    (
        "baton_access_open",
        "1 if this node was told to ask nobody who they are, by `server.dev` or `server.insecure_no_auth`.",
    ),
    ("baton_leader", "1 if this node leads."),
    (
        "baton_clock_bound_seconds",
        "How far this node's clock can be from the database's.",
    ),
    (
        "baton_clock_offset_seconds",
        "How far the database's clock is ahead of this machine's; behind, if below zero.",
    ),
    (
        "baton_hints_open",
        "1 if hints are to be had on this node; 0 while jobs are claimed from the database.",
    ),
    (
        "baton_remote_waiters",
        "Claims of remote workers that wait here for a job.",
    ),
    ("baton_connections", "Open HTTP connections."),
    (
        "baton_streams",
        "Open event streams, those of pages and of inboxes among them.",
    ),
    (
        "baton_workers",
        "Workers by state, those inside servers and remote ones; written by the leader.",
    ),
];

const HISTOGRAMS: [Meaning; 6] = [
    (
        "baton_http_request_seconds",
        "How long it took until the answer to a request began.",
    ),
    (
        "baton_store_seconds",
        "How long transactions took, by what they were about.",
    ),
    (
        "baton_provider_request_seconds",
        "How long providers took to answer, by what their answers were like; `none` if no answer came.",
    ),
    (
        "baton_routine_turn_seconds",
        "How long the turns of a routine took.",
    ),
    (
        "baton_schedule_delay_seconds",
        "How long after its moment a schedule fired.",
    ),
    (
        "baton_commit_group_size",
        "Writes that shared one commit of SQLite.",
    ),
];

/// Gauges that are 0 until something happens.
const AT_REST: [&str; 4] = [
    "baton_leader",
    "baton_connections",
    "baton_streams",
    "baton_remote_waiters",
];

/// Says what the metrics mean, and has each that can begin at zero: a first increment is seen only by who saw what was before.
pub fn describe() {
    for (name, meaning) in COUNTERS {
        describe_counter!(name, meaning);
        counter!(name).increment(0);
    }
    for (name, meaning, label, values) in LABELLED {
        describe_counter!(name, meaning);
        for value in values {
            counter!(name, label => *value).increment(0);
        }
    }
    for (name, meaning) in GAUGES {
        describe_gauge!(name, meaning);
    }
    for (name, meaning) in HISTOGRAMS {
        describe_histogram!(name, meaning);
    }
    for name in AT_REST {
        gauge!(name).set(0.0);
    }
    for action in AuditAction::ALL {
        let outcome = match action {
            AuditAction::Denied => "refused",
            _ => "done",
        };
        counter!("baton_audit_events_total", "action" => action.as_str(), "outcome" => outcome)
            .increment(0);
    }
    drop(histogram!("baton_schedule_delay_seconds"));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_tells_of_what_type_its_metric_is() {
        let plain = COUNTERS.iter().chain(&GAUGES).chain(&HISTOGRAMS);
        let names = plain.map(|meaning| meaning.0);
        let names = names.chain(LABELLED.iter().map(|meaning| meaning.0));

        let telling = names.filter(|name| name.split('_').any(is_a_type));

        // Promtool refuses such names, and the metrics of a whole server with them.
        assert_eq!(telling.collect::<Vec<_>>(), Vec::<&str>::new());
    }

    fn is_a_type(word: &str) -> bool {
        ["counter", "gauge", "histogram", "summary", "untyped"].contains(&word)
    }
}
