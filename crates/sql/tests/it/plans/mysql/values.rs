//! What the statements are asked with: MySQL plans for the values that it is told.

/// The parameters, by name; where one name means several things, those of a script go before those of all. Of what a statement does
/// either way, chance decides: else only one would be planned.
const PARAMETERS: &[(&str, &str)] = &[
    ("access/session now", "6"),
    ("audit_log/append at", "30000"),
    ("audit_log/append name", "'n'"),
    ("audit_log/entries_by action", "'job.retry'"),
    ("audit_log/entries_of action", "'job.retry'"),
    ("audit_log/entries_about action", "'queue.change'"),
    ("audit_log/append action", "'job.retry'"),
    ("campaigns/count_unreached after", "'1 005000'"),
    ("campaigns/count_unreached until", "'1 006000'"),
    ("campaigns/sweep queue", "'campaign 1'"),
    ("campaigns/sweep lowest", "'3 000100'"),
    ("campaigns/sweep highest", "'3 000200'"),
    ("campaigns/swept id", "'cmp_1'"),
    ("campaigns/swept lowest", "'3 000100'"),
    ("campaigns/swept highest", "'3 000200'"),
    ("campaigns/unreached after", "'1 005000'"),
    ("campaigns/unreached until", "'1 006000'"),
    ("events/after after", "19000"),
    ("events/recoveries before", "1000"),
    ("fleet/note_waiting before", "1000"),
    ("hints/claimable before", "1000"),
    ("inbox/list before", "10000"),
    ("jobs/attempts ids", "'1 000007', '4 000007', '0 000001'"),
    ("jobs/places ids", "'1 000007', '4 000007', '0 000001'"),
    ("jobs/scan_ready before", "'2 001000'"),
    ("jobs/scan_waiting state", "'pending'"),
    ("notifications/accept id", "'12 000007'"),
    ("queues/all after", "''"),
    ("queues/late before", "1000"),
    ("recipients/beginning from", "'r7'"),
    ("recipients/delete id", "'r7'"),
    ("recipients/list before", "15000"),
    ("recipients/switch_topic marks", "'[]'"),
    ("upkeep/prune bound", "'1 010000'"),
    ("upkeep/prune_inbox bound", "'9 010000'"),
    ("upkeep/prune_notifications bound", "'12 010000'"),
    ("jobs/checkpoints ids", "'1 000007', '4 000007', '0 000001'"),
    ("work/progress rows", "'[]'"),
    ("work/settle leases", "'[\"7 000001\"]'"),
    ("work/settle rows", "'[]'"),
    ("addresses", "'{}'"),
    ("after", "100"),
    ("asked_at", "'2023-11-14T22:13:20Z'"),
    ("attempt", "1"),
    ("backoff", "'{}'"),
    ("before", "'z'"),
    ("behind", "0"),
    ("budget", "100"),
    ("campaign", "'cmp_1'"),
    ("category", "'activity'"),
    ("address", "NULL"),
    ("clock_ahead", "-7"),
    ("clock_bound", "7"),
    ("code", "'c'"),
    ("common", "'{}'"),
    ("cutoff", "10000"),
    ("cursor", "'1'"),
    ("progress", "'{}'"),
    ("seq", "2"),
    ("told", "'[]'"),
    ("workers", "'6 000001', '6 000002'"),
    ("data", "'{}'"),
    ("dead", "'{}'"),
    ("digest", "lpad(7, 64, '0')"),
    ("delivery", "'at_least_once'"),
    ("due", "'[7]'"),
    ("event", "'release'"),
    ("expires_at", "NULL"),
    ("fingerprint", "'fp'"),
    ("bits", "'15'"),
    ("block_rows", "228"),
    (
        "blocks",
        "'18000000-0000-7000-8000-00000000050', '18000000-0000-7000-8000-00000000051'",
    ),
    ("in_blocks", "1"),
    ("work/succeed_blocks started_ats", "'[1]'"),
    ("firsts", "'4 000003'"),
    ("from", "if(rand() < 0.5, 'retry_wait', 'queued')"),
    ("gone", "1000"),
    ("hash", "'h'"),
    ("ids", "'r7', 'r8'"),
    ("is_told", "1"),
    ("item", "'9 000007'"),
    ("job", "'0 000001'"),
    ("jobs", "'2 000001', '2 000002'"),
    ("k", "20"),
    ("key", "'key 7'"),
    ("keys", "'key 7', 'key 8'"),
    ("kind", "'mail'"),
    ("kinds", "'[]'"),
    ("lasts", "'4 000007'"),
    ("late", "0"),
    ("later", "'[7]'"),
    ("later_items", "'[]'"),
    ("lease", "'7 000001'"),
    ("leases", "'7 000001', '7 000002'"),
    ("leases_json", "'[\"7 000001\"]'"),
    ("limit", "100"),
    ("losses", "0"),
    ("lowest", "'0 000001'"),
    ("mark", "'p ios'"),
    ("marks", "'p ios', 't 1'"),
    ("max_attempts", "4"),
    ("message", "'m'"),
    ("minute", "1"),
    ("n", "2"),
    ("name", "NULL"),
    ("n", "1"),
    ("notification", "NULL"),
    ("object", "'o 7'"),
    ("now", "1000"),
    ("number", "7"),
    ("numbers", "7, 8"),
    ("old_dead", "'{}'"),
    ("old_marks", "'[]'"),
    ("old_topics", "'[]'"),
    ("on", "(rand() < 0.5)"),
    ("only", "0"),
    ("payload", "'{}'"),
    ("principal", "'usr_7'"),
    ("priority", "0"),
    ("queue", "'default'"),
    ("reason", "'r'"),
    ("recipient", "'r7'"),
    ("recipients", "'r7', 'r8'"),
    ("remote", "'resize'"),
    ("request_id", "NULL"),
    ("result", "NULL"),
    ("rows", "NULL"),
    ("run_at", "500"),
    ("sent", "'[]'"),
    ("since", "100"),
    ("singles", "'4 000001', '4 000002'"),
    ("state", "'failed'"),
    ("subject", "'n'"),
    ("subjects", "'[]'"),
    ("tag", "'%t%'"),
    ("tags", "'[]'"),
    ("takes_apart", "1"),
    ("timeout_us", "1"),
    ("to", "'queued'"),
    ("to_be", "NULL"),
    ("topics", "'[]'"),
    ("trace", "NULL"),
    ("traces", "NULL"),
    ("tries", "1"),
    ("until", "10000"),
    ("user", "'16 000007'"),
    ("was", "NULL"),
    ("worker", "'8 000001'"),
    ("worker_name", "'w'"),
];

/// What statements leave to each other: in variables, and two rows in each of the scratch tables that others are looked up for.
pub const HANDED_ON: &str = "
SET @all = 100, @at = 1, @base = 1, @batch_at = 2, @alone = 10, @are_alike = 1, @batch_since = 1, @batched = 2, @batches = 2, @dense = 1, @spanned = 1, @claimed_at = 1, @front = '13 000000', @in_blocks = 1, @is_dense = 0, @sparse = '13 000000', @widest = 2, @one_by_one = 1, @settlement = 1, @single = '13 000000', @over = '13 000000', @payloads = '{}', @subjects = '[]', @batch_priority = 0, @before = 19000, @cutoff = 10000, @end = 101, @ends = 10, @expires = NULL, @first = '0 000001',
  @fresh = 1, @from_at = 2, @from_job = '2 000002', @further = 6000, @has_ended = 1, @has_letters = 1, @has_none = 1, @held = '0 000001', @high = 'g', @highest = '13 000399', @is_front = 1, @is_scattered = 1, @last = '13 000199', @lease = '7 000001', @low = '', @lowest = '13 000100', @may_unpack = 1, @most = 10, @n = 100, @next = '13 000111', @number = 7,
  @open = 'default', @priority = 0, @queue = 'default', @reach = 5000, @room = 200, @saved = 1, @since = 1, @started = 1, @taken = 10, @to_at = 4, @to_job = '2 000004', @told_at = 1, @upto = '13 000110', @was_asked = 0;
INSERT INTO incoming (id, \"key\", queue) VALUES ('1 000001', 'key 1', 'default'), ('1 000002', 'key 2', 'default');
INSERT INTO moving (job_id, queue, priority, run_at) VALUES ('2 000002', 'default', 0, 2), ('2 000004', 'default', 0, 4);
INSERT INTO settling (job_id, lease_id, cancel_asked_at, state) VALUES ('4 000001', '7 000001', 1, 'queued'), ('4 000002', '7 000001', 1, 'pending');
INSERT INTO claiming (job_id, priority, run_at) VALUES ('2 000002', 0, 2), ('2 000004', 0, 4);
INSERT INTO reporting (job_id, lease_id) VALUES ('4 000001', '7 000001'), ('4 000002', '7 000001');
INSERT INTO succeeding (job_id, lease_id) VALUES ('4 000001', '7 000001'), ('4 000002', '7 000001');
INSERT INTO putting (id, number, marks, old_marks, is_changed) VALUES ('r7', 7, '[]', '[\"p ios\"]', 1), ('r8', 8, '[]', '[\"p ios\"]', 1);
INSERT INTO posting (id, nth, number) VALUES ('9 000007', 1, 7), ('9 000008', 1, 8);
INSERT INTO locked (id, worker_id) VALUES ('7 000001', '8 000001'), ('7 000002', '8 000002');
INSERT INTO unpacking (first, last, queue, run_at) VALUES ('13 000100', '13 000199', 'campaign 1', 1), ('13 000300', '13 000399', 'campaign 1', 3);
INSERT INTO batching (first, last, run_at, n) VALUES ('13 000100', '13 000199', 1, 5), ('13 000300', '13 000399', 3, 100);
INSERT INTO taking (first, last, run_at, since, is_dense) VALUES ('13 000100', '13 000199', 1, 1, 0), ('13 000300', '13 000399', 3, 3, 1);
INSERT INTO unpacking_leased (job_id, lease_id) VALUES ('17000000-0000-7000-8000-000000000101', '7 000001'), ('17000000-0000-7000-8000-000000000102', '7 000001');
INSERT INTO parting (block, settlement_id, queued_at) VALUES ('18000000-0000-7000-8000-00000000300', 1, 1), ('18000000-0000-7000-8000-00000000301', 1, 1);
INSERT INTO counting (number) VALUES (7), (8);
INSERT INTO marking (number) VALUES (7), (8);
INSERT INTO numbering (id, upto) VALUES (7, 1), (8, 2);
";

/// What a parameter of a script is.
pub fn value_of(script: &str, parameter: &str) -> &'static str {
    let own = format!("{script} {parameter}");
    let known = |name: &str| PARAMETERS.iter().find(|(known, _)| *known == name);
    let found = known(&own).or_else(|| known(parameter));
    found
        .unwrap_or_else(|| panic!("say in plans/mysql/values.rs what {own} is"))
        .1
}
