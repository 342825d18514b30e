//! What an installation consists of: each logical table, its columns, and what kind of value stands in them.
//!
//! A table that the dialects lay out differently is named once, as the rows that all of them can tell: what is ready, and
//! who succeeded. A test holds this list against the schema of each dialect, so that no table and no column is forgotten.

/// What a column holds, whatever a dialect keeps it as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// An id.
    Id,
    /// A text, to the byte.
    Text,
    /// A whole number, or a time.
    Whole,
    /// A truth.
    Flag,
    /// A broken number, to the bit.
    Number,
    /// A list of ids: an array on PostgreSQL, JSON elsewhere.
    Ids,
    /// A list of whole numbers: an array on PostgreSQL, JSON elsewhere.
    Wholes,
}

/// A column.
#[derive(Debug, Clone, Copy)]
pub struct Column {
    /// Its name.
    pub name: &'static str,
    /// What it holds.
    pub kind: Kind,
}

/// A logical table.
#[derive(Debug)]
pub struct Table {
    /// Its name.
    pub name: &'static str,
    /// Its columns, in the order they are read and written in.
    pub columns: &'static [Column],
    /// What its rows are told apart by, and read in the order of.
    pub key: &'static [&'static str],
    /// How its rows are found.
    pub layout: Layout,
}

/// How the rows of a table are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// They are the rows of the table of this name.
    Rows,
    /// They are rows of `ready`, and those that stand together in `ready_batches`.
    Ready,
    /// They are what the view `results` says of those that are not in `attempts`; written as `successes` and `settlements`.
    Successes,
}

impl Table {
    /// The place and kind of a column.
    pub(super) fn column(&self, name: &str) -> (usize, Kind) {
        let found = self.columns.iter().position(|column| column.name == name);
        let place = found.unwrap_or_else(|| panic!("{} has no column {name}", self.name));
        (place, self.columns[place].kind)
    }
}

/// What is not copied, and why. The columns of these are nobody's business but their dialect's.
pub const LEFT_OUT: &[(&str, &str)] = &[
    ("ready_batches", "told as rows of `ready`"),
    ("success_batches", "told by the view `results`"),
    ("success_blocks", "told by the view `results`"),
    ("successes", "told by the view `results`"),
    ("settlements", "told by the view `results`"),
    ("leases", "a sealed database holds nothing"),
    ("leased", "a sealed database holds nothing"),
    ("leased_blocks", "a sealed database holds nothing"),
    ("workers", "whoever worked there works here no more"),
    ("nodes", "whoever was there is there no more"),
    ("leadership", "whoever led there leads here no more"),
    ("stream", "one row: the target goes on with its numbers"),
    (
        "recipient_numbers",
        "one row: the target goes on with its number",
    ),
    (
        "hint_generation",
        "one row: the target goes on with its number",
    ),
    ("erasing", "a lock"),
    ("schema_migrations", "each database has its own"),
    ("schema_under_way", "each database has its own"),
    ("sessions", "nobody is signed in there: people sign in anew"),
    ("set_up_tokens", "it is offered where there is nobody"),
    ("relocation", "what this copy is steered by"),
    ("relocated_pages", "what this copy is steered by"),
];

/// What a dialect works out by itself.
pub const WORKED_OUT: &[(&str, &str)] = &[("campaigns", "expanding_lane")];

macro_rules! table {
    ($name:ident by $($key:ident),+ as $layout:ident: $($column:ident $kind:ident),+ $(,)?) => {
        Table {
            name: stringify!($name),
            columns: &[$(Column { name: stringify!($column), kind: Kind::$kind }),+],
            key: &[$(stringify!($key)),+],
            layout: Layout::$layout,
        }
    };
}

/// Every logical table.
#[rustfmt::skip]
pub static TABLES: &[Table] = &[
    table!(jobs by id as Rows:
        id Id, key Text, kind Text, queue Text, priority Whole, payload Text, run_at Whole, max_attempts Whole, backoff Text,
        timeout_us Whole, expires_at Whole, delivery Text, tags Text, created_at Whole, trace Text),
    table!(job_keys by key as Rows:
        key Text, job_id Id, content_hash Text, created_at Whole, ended_as Text, ended_at Whole),
    table!(staged_jobs by id as Rows: id Id, key Text, job Text, at Whole, refused Text),
    table!(queues by name as Rows:
        name Text, paused Flag, max_running Whole, rate Number, tokens Number, tokens_at Whole, created_at Whole, worked_by Text),
    table!(waiting by job_id as Rows:
        job_id Id, state Text, queue Text, priority Whole, run_at Whole, expires_at Whole, since Whole, attempt Whole, tries Whole,
        losses Whole, run Whole),
    table!(ready by job_id as Ready:
        job_id Id, queue Text, priority Whole, run_at Whole, expires_at Whole, since Whole, attempt Whole, tries Whole, losses Whole,
        run Whole),
    table!(attempts by job_id, attempt as Rows:
        job_id Id, attempt Whole, run Whole, lease_id Id, worker_id Id, queued_at Whole, claimed_at Whole, started_at Whole,
        ended_at Whole, cancel_asked_at Whole, outcome Text, state Text, reason Text, next_run_at Whole, tries Whole, losses Whole,
        class Text, code Text, message Text, fingerprint Text, result Text),
    table!(successes by job_id as Successes:
        job_id Id, worker_id Id, lease_id Id, claimed_at Whole, queued_at Whole, started_at Whole, ended_at Whole, result Text),
    table!(late_results by job_id, attempt as Rows:
        job_id Id, attempt Whole, outcome Text, at Whole, adopted Flag, result Text),
    table!(finished by job_id as Rows:
        job_id Id, state Text, reason Text, finished_at Whole, queued_at Whole, attempt Whole, tries Whole, losses Whole, run Whole,
        fingerprint Text, discarded_at Whole),
    table!(redrives by job_id, run as Rows:
        job_id Id, run Whole, at Whole, finished_at Whole, queued_at Whole, discarded_at Whole),
    table!(cancellations by job_id as Rows: job_id Id, asked_at Whole, reason Text),
    table!(checkpoints by job_id as Rows:
        job_id Id, seq Whole, era Whole, attempt Whole, lease_id Id, cursor Text, progress Text, moved Flag, at Whole, told_at Whole),
    table!(installation by id as Rows: id Whole, secret Text),
    table!(facts by last_seq as Rows:
        last_seq Whole, id Whole, n Whole, type Text, queue Text, from_state Text, to_state Text, at Whole, subject Text,
        subjects Ids, attempts Wholes, data Text, items Text),
    table!(queue_counts by queue, state as Rows: queue Text, state Text, n Whole),
    table!(queue_minutes by queue, minute as Rows: queue Text, minute Whole, n Whole),
    table!(rollups by queue, resolution, span, state as Rows:
        queue Text, resolution Text, span Whole, state Text, came Whole, went Whole),
    table!(waits by queue, resolution, span, bucket as Rows: queue Text, resolution Text, span Whole, bucket Whole, n Whole),
    table!(markers by minute, kind as Rows: minute Whole, kind Text, n Whole, subject Text, version Text),
    table!(dead_letter_groups by fingerprint as Rows:
        fingerprint Text, kind Text, reason Text, class Text, code Text, message Text, sample_job Id, n Whole, first_at Whole,
        last_at Whole),
    table!(operations by id as Rows:
        id Id, action Text, filter Text, total Whole, done Whole, cursor Id, created_at Whole, finished_at Whole,
        stopped Flag),
    table!(job_operations by id as Rows:
        id Id, action Text, filter Text, reason Text, total Whole, at_least Flag, done Whole, skipped Whole, cursor Id, created_at Whole,
        finished_at Whole, stopped Flag),
    table!(recipients by number as Rows:
        number Whole, id Text, platform Text, lat Number, lon Number, topics Text, enabled Flag, addresses Text, time_zone Text,
        locale Text, dead Text, marks Text, created_at Whole, updated_at Whole),
    table!(recipient_marks by mark, number as Rows: mark Text, number Whole),
    table!(campaigns by id as Rows:
        id Id, key Text, content_hash Text, plan Text, lane Text, state Text, why Text, epoch Whole, start_at Whole, cursor Whole,
        until Whole, expected Whole, expanded Whole, items Whole, chunks Whole, holder Id, held_until Whole, created_at Whole,
        updated_at Whole, began_at Whole, completed_at Whole, finished_at Whole, losses Whole, lost_at Whole),
    table!(approvals by campaign as Rows:
        campaign Id, recipients Whole, asked_by Text, asked_name Text, person Text, asked_at Whole, approved_by Text,
        approved_name Text, approved_at Whole),
    table!(schedules by id as Rows:
        id Id, name Text, cron Text, time_zone Text, template Text, lead_us Whole, missed Text, missed_max Whole, revision Whole,
        paused Flag, next_at Whole, due_at Whole, last_at Whole, created_at Whole, updated_at Whole),
    table!(fires by schedule_id, at as Rows:
        schedule_id Id, at Whole, recorded_at Whole, made Text, by_hand Flag, missed_until Whole, missed Whole, reason Text),
    table!(inbox by recipient, seq as Rows:
        recipient Whole, seq Whole, id Id, campaign_id Id, notification_id Id, category Text, title Text, body Text, data Text,
        created_at Whole, read_at Whole),
    table!(inboxes by recipient as Rows: recipient Whole, unread Whole, version Whole),
    table!(notifications by id as Rows: id Id, key Text, content_hash Text, sent Text, created_at Whole),
    table!(erasures by id as Rows:
        id Id, number Whole, recipient Text, quoted Text, quoted_within Text, addresses Text, stage Text, cursor Text, done Whole,
        created_at Whole, finished_at Whole),
    table!(users by id as Rows:
        id Id, name Text, role Text, password Text, disabled Flag, created_at Whole, signed_in_at Whole, failures Whole, retry_at Whole,
        identity Text, issuer Text, subject Text),
    table!(api_keys by id as Rows:
        id Id, name Text, digest Text, permissions Text, kinds Text, queues Text, created_at Whole, created_by Text,
        expires_at Whole, revoked_at Whole, last_used_at Whole),
    table!(audit_log by at, id as Rows:
        at Whole, id Id, principal Text, name Text, action Text, object Text, was Text, to_be Text, reason Text, n Whole,
        request_id Text),
];

/// What the rows of [`Layout::Successes`] are written as: what a batch of them has in common, and each of them.
#[rustfmt::skip]
pub static SETTLEMENTS: Table = table!(settlements by id as Rows:
    id Whole, worker_id Id, leases Ids, claimed_at Wholes, ended_at Whole);
#[rustfmt::skip]
pub static SUCCESSES: Table = table!(successes by job_id as Rows:
    job_id Id, settlement_id Whole, lease Whole, queued_at Whole, started_at Whole, result Text);
