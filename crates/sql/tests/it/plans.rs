//! The hot statements are planned as they are meant, whatever the statistics say.
//!
//! The queue's statistics are always wrong: a table that was analysed while nothing ran says that
//! nothing ever runs. So every plan is looked at on tables that are empty, filled behind the
//! planner's back, analysed, and emptied behind its back.

mod filling;
mod mysql;
mod postgres;
mod sqlite;

use baton_sql::inside::{ALL, Script};

/// Tables that grow with the backlog or with history. The others are small by nature: `leases` and
/// `cancellations` hold what runs at this moment, `queues` and the counters what is configured,
/// `workers` and `nodes` who is alive, `stream`, `leadership`, `hint_generation` and `recipient_numbers` one row.
const BIG: [&str; 19] = [
    "jobs",
    "job_keys",
    "waiting",
    "ready",
    "ready_batches",
    "success_batches",
    "checkpoints",
    "attempts",
    "late_results",
    "finished",
    "redrives",
    "facts",
    "recipients",
    "recipient_marks",
    "inbox",
    "inboxes",
    "notifications",
    "sessions",
    "audit_log",
];

/// What runs for every job, for every look at one, or beside a history of millions.
const HOT: [&str; 87] = [
    "access/end_sessions",
    "access/session",
    "audit_log/append",
    "audit_log/entries",
    "audit_log/entries_about",
    "audit_log/entries_by",
    "audit_log/entries_of",
    "campaigns/count_unreached",
    "campaigns/deliver",
    "campaigns/sweep",
    "campaigns/swept",
    "campaigns/unreached",
    "events/after",
    "events/of_job",
    "events/recoveries",
    "events/sequence",
    "fleet/note_waiting",
    "fleet/wishes",
    "hints/claimable",
    "inbox/add",
    "inbox/list",
    "inbox/news",
    "inbox/read",
    "inbox/read_all",
    "inbox/unread",
    "jobs/request_cancel",
    "jobs/attempts",
    "jobs/begin_anew",
    "jobs/checkpoints",
    "jobs/enqueue",
    "jobs/key_holders",
    "jobs/places",
    "jobs/force_cancel",
    "jobs/scan_all",
    "jobs/scan_finished",
    "jobs/scan_held",
    "jobs/scan_key",
    "jobs/scan_ready",
    "jobs/scan_succeeded",
    "jobs/scan_waiting",
    "jobs/shift",
    "notifications/accept",
    "queues/all",
    "queues/late",
    "queues/ready",
    "recipients/beginning",
    "recipients/bury_address",
    "recipients/count_all",
    "recipients/count_mark",
    "recipients/delete",
    "recipients/find",
    "recipients/identified",
    "recipients/list",
    "recipients/marked",
    "recipients/numbered",
    "recipients/probe",
    "recipients/put",
    "recipients/switch_topic",
    "recipients/walk_all",
    "recipients/walk_mark",
    "upkeep/outstanding",
    "upkeep/prune",
    "upkeep/prune_audit",
    "upkeep/prune_events",
    "upkeep/prune_inbox",
    "upkeep/prune_keys",
    "upkeep/prune_notifications",
    "upkeep/prune_sessions",
    "work/adopt",
    "work/checkpoint",
    "work/claim",
    "work/claim_named",
    "work/claim_limited",
    "work/claimed",
    "work/expire",
    "work/held",
    "work/leases",
    "work/progress",
    "work/release",
    "work/renew",
    "work/settle",
    "work/start",
    "work/start_one",
    "work/succeed_batch",
    "work/succeed_blocks",
    "work/succeed_lease",
    "work/succeed",
];

/// What walks an audience, page by page: in the order of an index, without sorting.
const WALKS: [&str; 10] = [
    "audit_log/entries",
    "audit_log/entries_about",
    "audit_log/entries_by",
    "audit_log/entries_of",
    "campaigns/unreached",
    "inbox/list",
    "recipients/beginning",
    "recipients/list",
    "recipients/walk_all",
    "recipients/walk_mark",
];

fn hot_scripts() -> impl Iterator<Item = &'static Script> {
    HOT.into_iter().map(|name| {
        let script = ALL.iter().find(|script| script.name == name);
        *script.unwrap_or_else(|| panic!("there is no statement {name}"))
    })
}
