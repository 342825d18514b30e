//! Keys and checks stand behind every move.

use baton_testkit::Brand;
use mysql_async::prelude::Queryable;
use tokio::sync::Mutex;

use crate::{brands::on_each_brand, databases};

on_each_brand!(mysql_refuses_every_illegal_row_and_takes_each_legal_one_once,);

const DIGEST: &str = "'2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824'";
/// One letter too many for a name.
const LONG: &str = "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'";
/// Longer than any cursor.
const TOO_LONG: &str = "replace(replace(replace(replace('x', 'x', 'xxxxxxxxxxxxxxxx'), 'x', 'xxxxxxxxxxxxxxxx'), 'x', 'xxxxxxxxxxxxxxxx'), 'x', 'xxxxxxxxxxxxxxxx')";
const ID: &str = "'018bcfe6-0440-776b-a11e-d957ff8d05f7'";

/// A legal row of each table; an illegal one differs in the named column only.
const ROWS: [(&str, &[(&str, &str)]); 21] = [
    (
        "jobs",
        &[
            ("id", ID),
            ("kind", "'k'"),
            ("queue", "'q'"),
            ("priority", "0"),
            ("payload", "'{}'"),
            ("run_at", "1"),
            ("max_attempts", "1"),
            ("backoff", "'{}'"),
            ("timeout_us", "1"),
            ("delivery", "'at_least_once'"),
            ("tags", "'[]'"),
            ("created_at", "1"),
        ],
    ),
    (
        "job_keys",
        &[
            ("key", "'k'"),
            ("job_id", ID),
            ("content_hash", "'h'"),
            ("created_at", "1"),
        ],
    ),
    (
        "queues",
        &[
            ("name", "'q'"),
            ("max_running", "1"),
            ("rate", "1"),
            ("created_at", "1"),
            ("worked_by", "'remote'"),
        ],
    ),
    (
        "waiting",
        &[
            ("job_id", ID),
            ("state", "'pending'"),
            ("queue", "'q'"),
            ("priority", "0"),
            ("run_at", "1"),
            ("since", "1"),
            ("attempt", "0"),
            ("tries", "0"),
            ("losses", "0"),
            ("run", "1"),
        ],
    ),
    (
        "ready",
        &[
            ("queue", "'q'"),
            ("priority", "0"),
            ("run_at", "1"),
            ("job_id", ID),
            ("since", "1"),
            ("attempt", "0"),
            ("tries", "0"),
            ("losses", "0"),
            ("run", "1"),
        ],
    ),
    (
        "attempts",
        &[
            ("job_id", ID),
            ("attempt", "1"),
            ("run", "1"),
            ("lease_id", ID),
            ("worker_id", ID),
            ("queued_at", "1"),
            ("claimed_at", "1"),
            ("ended_at", "1"),
            ("outcome", "'failed'"),
            ("state", "'failed'"),
            ("next_run_at", "NULL"),
            ("tries", "1"),
            ("losses", "0"),
        ],
    ),
    (
        "settlements",
        &[
            ("worker_id", ID),
            ("leases", "'{}'"),
            ("claimed_at", "'{}'"),
            ("ended_at", "1"),
        ],
    ),
    (
        "successes",
        &[
            ("job_id", ID),
            ("settlement_id", "7"),
            ("lease", "1"),
            ("queued_at", "1"),
        ],
    ),
    (
        "late_results",
        &[
            ("job_id", ID),
            ("attempt", "1"),
            ("outcome", "'failed'"),
            ("at", "1"),
            ("adopted", "false"),
        ],
    ),
    (
        "finished",
        &[
            ("job_id", ID),
            ("state", "'failed'"),
            ("reason", "'permanent'"),
            ("finished_at", "1"),
            ("attempt", "1"),
            ("tries", "1"),
            ("losses", "0"),
            ("run", "1"),
            ("fingerprint", "'fp'"),
        ],
    ),
    (
        "redrives",
        &[
            ("job_id", ID),
            ("run", "1"),
            ("at", "1"),
            ("finished_at", "1"),
        ],
    ),
    (
        "facts",
        &[
            ("n", "1"),
            ("type", "'t'"),
            ("at", "1"),
            ("subject", "'s'"),
            ("subjects", "NULL"),
        ],
    ),
    (
        "operations",
        &[
            ("id", ID),
            ("action", "'retry'"),
            ("filter", "'{}'"),
            ("total", "0"),
            ("created_at", "1"),
        ],
    ),
    (
        "checkpoints",
        &[
            ("job_id", ID),
            ("seq", "1"),
            ("era", "1"),
            ("attempt", "1"),
            ("lease_id", ID),
            ("cursor", "'7'"),
            ("progress", "'{}'"),
            ("moved", "true"),
            ("at", "1"),
            ("told_at", "1"),
        ],
    ),
    ("installation", &[("id", "1"), ("secret", DIGEST)]),
    (
        "nodes",
        &[
            ("id", ID),
            ("name", "'n'"),
            ("version", "'v'"),
            ("roles", "'[]'"),
            ("started_at", "1"),
            ("seen_at", "1"),
            ("clock_ahead_us", "-7"),
            ("clock_bound_us", "7"),
        ],
    ),
    (
        "users",
        &[
            ("id", ID),
            ("name", "'kim'"),
            ("role", "'admin'"),
            ("disabled", "false"),
            ("created_at", "1"),
            ("failures", "0"),
            ("identity", DIGEST),
        ],
    ),
    (
        "api_keys",
        &[
            ("id", ID),
            ("name", "'ci'"),
            ("digest", DIGEST),
            ("permissions", "'[\"jobs:read\"]'"),
            ("kinds", "'[]'"),
            ("queues", "'[]'"),
            ("created_at", "1"),
            ("created_by", "'command-line'"),
        ],
    ),
    (
        "sessions",
        &[
            ("digest", DIGEST),
            ("user_id", ID),
            ("created_at", "1"),
            ("idle_until", "2"),
            ("ends_at", "2"),
        ],
    ),
    (
        "set_up_tokens",
        &[("id", "1"), ("digest", DIGEST), ("until", "1")],
    ),
    (
        "audit_log",
        &[
            ("at", "1"),
            ("id", ID),
            ("principal", "'command-line'"),
            ("name", "'command line'"),
            ("action", "'queue.change'"),
            ("object", "''"),
            ("n", "0"),
        ],
    ),
];

/// A column, and what it may not hold beside the legal rest.
const ILLEGAL: [(&str, &[(&str, &str)]); 84] = [
    ("jobs", &[("id", "NULL")]),
    ("jobs", &[("priority", "101")]),
    ("jobs", &[("priority", "-101")]),
    ("jobs", &[("max_attempts", "0")]),
    ("jobs", &[("timeout_us", "0")]),
    ("jobs", &[("delivery", "'perhaps'")]),
    ("jobs", &[("payload", "NULL")]),
    ("job_keys", &[("key", "NULL")]),
    ("queues", &[("max_running", "0")]),
    ("queues", &[("rate", "0")]),
    ("queues", &[("worked_by", "'nobody'")]),
    ("queues", &[("worked_by", "NULL")]),
    ("checkpoints", &[("seq", "-1")]),
    ("checkpoints", &[("seq", "0")]),
    ("checkpoints", &[("era", "0")]),
    ("checkpoints", &[("attempt", "-1")]),
    ("checkpoints", &[("cursor", "NULL")]),
    ("checkpoints", &[("cursor", TOO_LONG)]),
    ("checkpoints", &[("progress", TOO_LONG)]),
    ("checkpoints", &[("moved", "NULL")]),
    ("checkpoints", &[("at", "NULL")]),
    ("installation", &[("id", "2")]),
    ("installation", &[("secret", "'ab'")]),
    ("nodes", &[("id", "NULL")]),
    ("nodes", &[("seen_at", "NULL")]),
    ("nodes", &[("clock_bound_us", "-1")]),
    ("nodes", &[("clock_ahead_us", "NULL")]),
    ("nodes", &[("clock_bound_us", "NULL")]),
    ("waiting", &[("state", "'queued'")]),
    ("waiting", &[("state", "'running'")]),
    ("waiting", &[("state", "'succeeded'")]),
    ("waiting", &[("state", "'retry_wait'")]),
    ("waiting", &[("attempt", "-1")]),
    ("waiting", &[("run", "0")]),
    ("ready", &[("attempt", "-1")]),
    ("ready", &[("tries", "-1")]),
    ("ready", &[("losses", "-1")]),
    ("ready", &[("run", "0")]),
    ("ready", &[("run_at", "NULL")]),
    ("attempts", &[("attempt", "0")]),
    ("attempts", &[("outcome", "'perhaps'")]),
    ("attempts", &[("state", "'running'")]),
    ("attempts", &[("outcome", "'succeeded'")]),
    (
        "attempts",
        &[
            ("outcome", "'succeeded'"),
            ("state", "'retry_wait'"),
            ("next_run_at", "1"),
        ],
    ),
    ("attempts", &[("state", "'retry_wait'")]),
    ("attempts", &[("next_run_at", "1")]),
    ("attempts", &[("lease_id", "NULL")]),
    ("settlements", &[("worker_id", "NULL")]),
    ("settlements", &[("claimed_at", "'{1}'")]),
    ("successes", &[("lease", "0")]),
    ("successes", &[("settlement_id", "NULL")]),
    ("late_results", &[("adopted", "NULL")]),
    ("finished", &[("state", "'running'")]),
    ("finished", &[("state", "'queued'")]),
    ("finished", &[("state", "'retry_wait'")]),
    ("finished", &[("reason", "NULL")]),
    ("finished", &[("fingerprint", "NULL")]),
    ("redrives", &[("run", "NULL")]),
    ("facts", &[("n", "0")]),
    ("facts", &[("subject", "NULL")]),
    ("operations", &[("action", "'forget'")]),
    ("operations", &[("id", "NULL")]),
    ("users", &[("name", "''")]),
    ("users", &[("name", LONG)]),
    ("users", &[("role", "'root'")]),
    ("users", &[("role", "NULL")]),
    ("users", &[("disabled", "NULL")]),
    ("users", &[("failures", "-1")]),
    ("users", &[("identity", "'ab'")]),
    ("api_keys", &[("name", "''")]),
    ("api_keys", &[("digest", "'ab'")]),
    ("api_keys", &[("permissions", "'[]'")]),
    ("api_keys", &[("created_by", "NULL")]),
    ("sessions", &[("digest", "'ab'")]),
    ("sessions", &[("user_id", "NULL")]),
    ("sessions", &[("created_at", "3")]),
    ("sessions", &[("idle_until", "3")]),
    ("set_up_tokens", &[("id", "2")]),
    ("set_up_tokens", &[("digest", "'ab'")]),
    ("audit_log", &[("principal", "''")]),
    ("audit_log", &[("action", "''")]),
    ("audit_log", &[("object", "NULL")]),
    ("audit_log", &[("n", "-1")]),
    ("audit_log", &[("id", "NULL")]),
];

#[tokio::test]
async fn postgresql_refuses_every_illegal_row_and_takes_each_legal_one_once() {
    let (_store, database) = databases::postgres().await;
    let client = databases::connect(&database.url()).await;

    let refused = async |sql: String| client.batch_execute(&sql).await.is_err();

    for (table, change) in ILLEGAL {
        assert!(
            refused(insert(table, change)).await,
            "{table} takes {change:?}"
        );
    }
    for (table, _) in ROWS {
        assert!(
            !refused(insert(table, &[])).await,
            "{table} takes no legal row"
        );
        assert!(
            is_numbered(table) || refused(insert(table, &[])).await,
            "{table} takes a row twice"
        );
    }
    for second in SECOND {
        assert!(refused(second.to_owned()).await, "{second}");
    }
    for wrong in WRONG_BATCHES {
        assert!(refused(wrong.to_owned()).await, "{wrong}");
    }
    assert!(!refused(READY_BATCH.to_owned()).await, "jobs are batched");
    assert!(
        refused(READY_BATCH.to_owned()).await,
        "jobs are batched twice"
    );
    assert!(
        !refused(SUCCESS_BATCH.to_owned()).await,
        "jobs succeed together"
    );
    assert!(
        refused(BETWEEN.to_owned()).await,
        "batches of successes overlap"
    );
    let second = insert(
        "attempts",
        &[("job_id", "'018bcfe6-0440-776b-a11e-000000000003'")],
    );
    let written = client.execute(&second, &[]).await.unwrap();
    assert_eq!(written, 0, "a job in a batch has no second result");
}

#[tokio::test]
async fn sqlite_refuses_every_illegal_row_and_takes_each_legal_one_once() {
    let sqlite = databases::sqlite().await;
    let connection = sqlite.connect();

    let refused = |sql: String| connection.execute_batch(&sql).is_err();

    for (table, change) in ILLEGAL {
        assert!(refused(insert(table, change)), "{table} takes {change:?}");
    }
    for (table, _) in ROWS {
        assert!(!refused(insert(table, &[])), "{table} takes no legal row");
        assert!(
            is_numbered(table) || refused(insert(table, &[])),
            "{table} takes a row twice"
        );
    }
    for second in SECOND {
        assert!(refused(second.to_owned()), "{second}");
    }
    for wrong in WRONG_RANGES {
        assert!(refused(wrong.to_owned()), "{wrong}");
    }
    assert!(!refused(RANGE.to_owned()), "jobs are batched");
    assert!(refused(RANGE.to_owned()), "jobs are batched twice");
    assert!(
        refused(RANGE_ELSEWHERE.to_owned()),
        "jobs are batched in two lines"
    );
    assert!(!refused(leased()), "a job is leased");
    assert!(refused(leased()), "a job is leased twice");
}

async fn mysql_refuses_every_illegal_row_and_takes_each_legal_one_once(brand: Brand) {
    let (_store, url) = databases::mysql(brand).await;
    let session = Mutex::new(mysql_async::Conn::from_url(&url).await.unwrap());
    session
        .lock()
        .await
        .query_drop("SET sql_mode = concat(@@sql_mode, ',ANSI_QUOTES')")
        .await
        .unwrap();

    let refused = async |sql: String| session.lock().await.query_drop(sql).await.is_err();

    for (table, change) in ILLEGAL {
        assert!(
            refused(insert(table, change)).await,
            "{table} takes {change:?}"
        );
    }
    for (table, _) in ROWS {
        assert!(
            !refused(insert(table, &[])).await,
            "{table} takes no legal row"
        );
        assert!(
            is_numbered(table) || refused(insert(table, &[])).await,
            "{table} takes a row twice"
        );
    }
    for second in SECOND {
        assert!(refused(second.to_owned()).await, "{second}");
    }
    for wrong in WRONG_RANGES {
        assert!(refused(wrong.to_owned()).await, "{wrong}");
    }
    assert!(!refused(RANGE.to_owned()).await, "jobs are batched");
    assert!(refused(RANGE.to_owned()).await, "jobs are batched twice");
    assert!(
        refused(RANGE_ELSEWHERE.to_owned()).await,
        "jobs are batched in two lines"
    );
    assert!(!refused(leased()).await, "a job is leased");
    assert!(refused(leased()).await, "a job is leased twice");
    for block in BLOCKS {
        assert!(!refused(block.to_owned()).await, "{block}");
        assert!(refused(block.to_owned()).await, "twice: {block}");
    }
    for wrong in WRONG_BLOCKS {
        assert!(refused(wrong.to_owned()).await, "{wrong}");
    }
}

fn leased() -> String {
    format!(
        "INSERT INTO leased (job_id, lease_id, attempt, tries, losses, run, since) VALUES ({ID}, {ID}, 1, 1, 0, 1, 1)"
    )
}

/// Two jobs of a block that are leased, and two that have succeeded.
const BLOCKS: [&str; 2] = [
    "INSERT INTO leased_blocks (lease_id, block, since, bits, first, last)
      VALUES ('7', '018bcfe6-0440-776b-a11e-00000000001', 1, 9, '018bcfe6-0440-776b-a11e-000000000040', '018bcfe6-0440-776b-a11e-000000000043')",
    "INSERT INTO success_blocks (block, settlement_id, queued_at, bits, first, last, started_ats)
      VALUES ('018bcfe6-0440-776b-a11e-00000000001', 7, 1, 9, '018bcfe6-0440-776b-a11e-000000000040', '018bcfe6-0440-776b-a11e-000000000043', '[1,null,null,1]')",
];

/// Blocks that begin or end in another, end before they begin, have more bits than there are, or say what is no JSON.
const WRONG_BLOCKS: [&str; 7] = [
    "INSERT INTO leased_blocks SELECT '8', block, since, bits, concat('1', substr(first, 2)), last FROM leased_blocks",
    "INSERT INTO leased_blocks SELECT '8', block, since, bits, last, first FROM leased_blocks",
    "INSERT INTO leased_blocks SELECT '8', block, since, -1, first, last FROM leased_blocks",
    "INSERT INTO success_blocks SELECT block, 8, queued_at, bits, first, concat('1', substr(last, 2)), started_ats, results FROM success_blocks",
    "INSERT INTO success_blocks SELECT block, 8, queued_at, bits, last, first, started_ats, results FROM success_blocks",
    "INSERT INTO success_blocks SELECT block, 8, queued_at, bits, first, last, '[1', results FROM success_blocks",
    "INSERT INTO success_blocks SELECT block, 8, queued_at, bits, first, last, started_ats, 'x' FROM success_blocks",
];

/// With the rows of `ROWS` in place: the same job again, otherwise dressed.
const SECOND: [&str; 8] = [
    "INSERT INTO ready SELECT queue, priority, run_at + 1, job_id, expires_at, since, attempt, tries, losses, run FROM ready",
    "INSERT INTO ready SELECT 'other', priority, run_at, job_id, expires_at, since, attempt, tries, losses, run FROM ready",
    "INSERT INTO waiting (job_id, state, queue, priority, run_at, since, attempt, tries, losses, run) SELECT job_id, 'retry_wait', queue, priority, 9, 9, 1, 1, 0, 1 FROM waiting",
    "INSERT INTO finished (job_id, state, finished_at, attempt, tries, losses, run) SELECT job_id, 'succeeded', 9, 2, 2, 0, 1 FROM finished",
    "INSERT INTO attempts (job_id, attempt, run, lease_id, worker_id, queued_at, claimed_at, ended_at, outcome, state, tries, losses)
      SELECT job_id, attempt, run, '118bcfe6-0440-776b-a11e-d957ff8d05f7', worker_id, 9, 9, 9, 'succeeded', 'succeeded', 1, 0 FROM attempts",
    "INSERT INTO successes SELECT job_id, 8, 2, 9, 9, NULL FROM successes",
    "INSERT INTO stream SELECT 2, installation, epoch, last_seq FROM stream",
    "INSERT INTO leadership SELECT 2, node, until FROM leadership",
];

/// Where many are one row: a lease that holds nothing; ready batches from which all is taken or less than nothing, that hold
/// nothing, or more than they say, or begin elsewhere, or lack what one is asked; batches of successes that hold nothing, begin or
/// end elsewhere, or lack a time or a result of one.
const WRONG_BATCHES: [&str; 13] = [
    "INSERT INTO leases (id, worker_id, queue, until, claimed_at, open, jobs, attempts, tries, losses, runs, since)
      VALUES (gen_random_uuid(), gen_random_uuid(), 'q', 1, 1, 0, '{}', '{}', '{}', '{}', '{}', '{}')",
    "INSERT INTO ready_batches SELECT id, 'q', 0, 1, NULL, 1, 1, 1, ARRAY[id], '{p}' FROM gen_random_uuid() AS id",
    "INSERT INTO ready_batches SELECT id, 'q', 0, 1, NULL, 1, 1, -1, ARRAY[id], '{p}' FROM gen_random_uuid() AS id",
    "INSERT INTO ready_batches SELECT id, 'q', 0, 1, NULL, 1, 0, 0, '{}', '{}' FROM gen_random_uuid() AS id",
    "INSERT INTO ready_batches SELECT id, 'q', 0, 1, NULL, 1, 1, 0, ARRAY[id, id], '{p}' FROM gen_random_uuid() AS id",
    "INSERT INTO ready_batches SELECT id, 'q', 0, 1, NULL, 1, 1, 0, ARRAY[gen_random_uuid()], '{p}' FROM gen_random_uuid() AS id",
    "INSERT INTO ready_batches SELECT id, 'q', 0, 1, NULL, 1, 1, 0, ARRAY[id], '{}' FROM gen_random_uuid() AS id",
    "INSERT INTO success_batches SELECT id, id, 0, id, id, 1, 1, '{}', '{}', '{}' FROM gen_random_uuid() AS id",
    "INSERT INTO success_batches SELECT id, id, 1, id, id, 1, 1, ARRAY[gen_random_uuid()], '{1}', '{1}' FROM gen_random_uuid() AS id",
    "INSERT INTO success_batches SELECT id, 'ffffffff-ffff-ffff-ffff-ffffffffffff', 1, id, id, 1, 1, ARRAY[id], '{1}', '{1}' FROM gen_random_uuid() AS id",
    "INSERT INTO success_batches SELECT id, id, 1, id, id, 1, 1, ARRAY[id], '{}', '{1}' FROM gen_random_uuid() AS id",
    "INSERT INTO success_batches SELECT id, id, 1, id, id, 1, 1, ARRAY[id], '{1}', '{1,1}' FROM gen_random_uuid() AS id",
    "INSERT INTO success_batches SELECT id, id, 1, id, id, 1, 1, ARRAY[id], '{1}', '{1}', '{}' FROM gen_random_uuid() AS id",
];

/// One that holds a job, and the same again.
const READY_BATCH: &str = "INSERT INTO ready_batches VALUES ('018bcfe6-0440-776b-a11e-d957ff8d05f7', 'q', 0, 1, NULL, 1, 1, 0, '{018bcfe6-0440-776b-a11e-d957ff8d05f7}', '{p}')";

/// A batch of two jobs, and one whose job lies between them.
const SUCCESS_BATCH: &str = "INSERT INTO success_batches VALUES ('018bcfe6-0440-776b-a11e-000000000001', '018bcfe6-0440-776b-a11e-000000000003', 2,
  '018bcfe6-0440-776b-a11e-000000000001', '018bcfe6-0440-776b-a11e-000000000001', 1, 1,
  '{018bcfe6-0440-776b-a11e-000000000001,018bcfe6-0440-776b-a11e-000000000003}', '{1,1}', '{1,NULL}')";
const BETWEEN: &str =
    "INSERT INTO success_batches SELECT id, id, 1, id, id, 1, 1, ARRAY[id], '{1}', '{1}'
  FROM (SELECT '018bcfe6-0440-776b-a11e-000000000002'::uuid AS id) x";

/// Where a ready batch is a range of jobs: one that ends before it begins, or holds nobody, or nobody but its ends, or more than one
/// who is both.
const WRONG_RANGES: [&str; 4] = [
    "INSERT INTO ready_batches VALUES ('q', 0, 1, 'b', 'a', 2, NULL, 1)",
    "INSERT INTO ready_batches VALUES ('q', 0, 1, 'a', 'b', 0, NULL, 1)",
    "INSERT INTO ready_batches VALUES ('q', 0, 1, 'a', 'b', 1, NULL, 1)",
    "INSERT INTO ready_batches VALUES ('q', 0, 1, 'a', 'a', 2, NULL, 1)",
];

/// One of two, and one that begins with the same in another line.
const RANGE: &str = "INSERT INTO ready_batches VALUES ('q', 0, 1, 'a', 'b', 2, NULL, 1)";
const RANGE_ELSEWHERE: &str =
    "INSERT INTO ready_batches VALUES ('other', 0, 2, 'a', 'c', 3, NULL, 1)";

/// Whether its rows get numbers of their own, so that the same may come again.
fn is_numbered(table: &str) -> bool {
    ["facts", "settlements"].contains(&table)
}

fn insert(table: &str, change: &[(&str, &str)]) -> String {
    let (_, legal) = ROWS.iter().find(|(name, _)| *name == table).unwrap();
    let value = |column: &str, legal: &str| {
        let changed = change.iter().find(|(name, _)| *name == column);
        changed.map_or(legal, |(_, value)| *value).to_owned()
    };
    let columns = legal.iter().map(|(column, _)| format!("\"{column}\""));
    let columns: Vec<_> = columns.collect();
    let values: Vec<_> = legal
        .iter()
        .map(|(column, legal)| value(column, legal))
        .collect();
    format!(
        "INSERT INTO {table} ({}) VALUES ({})",
        columns.join(", "),
        values.join(", ")
    )
}
