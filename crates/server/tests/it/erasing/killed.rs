//! A node is killed in the middle of an erasure with much data, and another one goes on from there.

use std::{fs, time::Duration};

use baton_lab::target::{Options, Target};
use baton_testkit::{Postgres, eventually};
use tempfile::TempDir;

use super::{put, tell_by};
use crate::support::Served;

const TIMEOUT: Duration = Duration::from_mins(2);
/// How many deliveries they have, among as many of another one.
const MANY: u64 = 20_000;

/// Makes many of the one delivery that has failed: every second one is another person's, and each row of events tells of
/// a hundred. It keeps how those of the other person look.
const FILL: &str = "
    CREATE SCHEMA kept;
    CREATE TABLE kept.born AS
      SELECT gen_random_uuid() AS id, i, CASE WHEN i % 2 = 0 THEN 'canary-1' ELSE 'other-1' END AS who FROM generate_series(1, 40000) i;
    INSERT INTO jobs SELECT r.* FROM jobs j CROSS JOIN kept.born b
      CROSS JOIN LATERAL jsonb_populate_record(j, jsonb_build_object('id', b.id, 'payload', replace(j.payload, 'canary-1', b.who))) r;
    INSERT INTO attempts SELECT r.* FROM attempts a CROSS JOIN kept.born b
      CROSS JOIN LATERAL jsonb_populate_record(a, jsonb_build_object('job_id', b.id, 'message', 'no such token of ' || b.who)) r;
    INSERT INTO finished SELECT r.* FROM finished f CROSS JOIN kept.born b
      CROSS JOIN LATERAL jsonb_populate_record(f, jsonb_build_object('job_id', b.id)) r;
    INSERT INTO facts (n, type, queue, from_state, to_state, at, subjects, attempts, items)
      SELECT count(*), 'job.failed', 'notifications', 'running', 'failed', 1700000040000000, array_agg(id ORDER BY i), array_agg(1),
        json_agg(json_build_object('message', 'no such token of ' || who) ORDER BY i)::text
      FROM kept.born GROUP BY (i - 1) / 100;
    CREATE TABLE kept.others AS SELECT j.id, md5(j::text || a::text || f::text) AS looks
      FROM jobs j JOIN attempts a ON a.job_id = j.id JOIN finished f ON f.job_id = j.id WHERE j.payload LIKE '%other-1%'";

/// Which rows were written anew so far, and by which transactions.
const WALKED: &str = "CREATE TABLE kept.walked AS SELECT id, xmin::text AS writer FROM jobs WHERE payload NOT LIKE '%-1%'";

const WALKED_TWICE: &str =
    "SELECT count(*) FROM kept.walked w JOIN jobs j ON j.id = w.id WHERE j.xmin::text <> w.writer";

/// How many deliveries of the other person look as they did.
const UNTOUCHED: &str = "SELECT count(*) FROM kept.others o
    JOIN jobs j ON j.id = o.id JOIN attempts a ON a.job_id = o.id JOIN finished f ON f.job_id = o.id
    WHERE o.looks = md5(j::text || a::text || f::text)";

const UNTOUCHED_EVENTS: &str =
    "SELECT count(*) FROM facts f CROSS JOIN LATERAL json_array_elements(f.items::json) i
    WHERE f.items LIKE '%other-1%' AND i ->> 'message' = 'no such token of other-1'";

/// Searches each table: `SELECT 't' FROM t WHERE ...`, and so on.
const SEARCHES: &str = "SELECT string_agg(format('SELECT %L FROM %I x WHERE x::text LIKE ''%%canary%%''', relname, relname), ' UNION ')
    FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace";

#[tokio::test(flavor = "multi_thread")]
async fn another_node_ends_a_large_erasure_whose_node_was_killed_in_its_midst() {
    let gateway = Target::start(Options::default()).await.unwrap();
    let database = Postgres::shared().database();
    let url = database.url();
    let first = node(&url, &gateway);
    put(&first, "canary-1");
    tell_by(&first, "canary-1", "push", "failed").await;
    psql(&url, FILL);
    let begun = first.run(&["recipients", "delete", "canary-1", "--erase", "--no-wait"]);
    assert_eq!(begun.code(), 0, "{}", begun.err());

    eventually("it is in its midst", TIMEOUT, async || done(&url) > 0).await;
    first.signal("KILL");
    eventually("its sessions have ended", TIMEOUT, async || {
        psql(&url, "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()") == "0"
    })
    .await;
    let before = done(&url);
    psql(&url, WALKED);
    let _second = node(&url, &gateway);
    eventually("it has ended", TIMEOUT, async || {
        psql(
            &url,
            "SELECT count(*) FROM erasures WHERE finished_at IS NULL",
        ) == "0"
    })
    .await;

    assert!((1..MANY).contains(&before), "{before} were done");
    assert_eq!(
        psql(&url, WALKED_TWICE),
        "0",
        "it goes on from where it was"
    );
    let rows_of_events = 400;
    let expected = MANY + rows_of_events;
    assert!(
        (expected..expected + 10).contains(&done(&url)),
        "{}",
        done(&url)
    );
    assert_eq!(psql(&url, UNTOUCHED), MANY.to_string());
    assert_eq!(psql(&url, UNTOUCHED_EVENTS), MANY.to_string());
    assert_eq!(psql(&url, &psql(&url, SEARCHES)), "", "nothing is left");
}

/// A node whose provider refuses every message for good.
fn node(database: &str, gateway: &Target) -> Served {
    let folder: TempDir = tempfile::tempdir().unwrap();
    let file = format!(
        "[providers.push]\nkind = \"http\"\nurl = \"{}\"\n",
        gateway.url("/status/400")
    );
    fs::write(folder.path().join("baton.toml"), file).unwrap();
    let flags = [
        "--database",
        database,
        "--migrate",
        "--allow-unsafe-durability",
    ];
    Served::start_in(folder, &flags)
}

/// How many rows the erasure has changed.
fn done(url: &str) -> u64 {
    psql(url, "SELECT done FROM erasures").parse().unwrap()
}

fn psql(url: &str, sql: &str) -> String {
    Postgres::shared().psql(url, sql)
}
