//! A database in which every table has rows, the odd ones included.

use baton_domain::{
    LeaseId, Trace, WorkerId,
    job::{Class, JobSpec},
};
use baton_ports::store::{Atomicity, By, Campaigns, Claim, Events, Jobs, QueueClaim, Work};
use baton_sql::{SqlStore, inside::Kernel};
use mysql_async::prelude::Queryable;

use super::Place;
use crate::{
    campaigns::{HOLD, next_chunk, people, quiz},
    databases,
    hands::{DAWN, LEASE, claim, failure, job, jobs, spec, success},
};

/// Rows that no store makes in a hurry, in words that all dialects read. The texts hold what somebody could stumble over.
const ODD: &str = r#"
INSERT INTO job_keys ("key", job_id, content_hash, created_at, ended_as, ended_at)
  VALUES ('it''s a \ "key" ', '018bcfe6-0440-776b-a11e-d957ff8d05f1', 'h', 1, 'succeeded', 2), ('', '018bcfe6-0440-776b-a11e-d957ff8d05f2', 'h', 1, NULL, NULL);
INSERT INTO staged_jobs (id, "key", job, at, refused)
  VALUES ('018bcfe6-0440-776b-a11e-d957ff8d05f1', 'k', '{"kind": "größe"}', 1, NULL), ('018bcfe6-0440-776b-a11e-d957ff8d05f2', NULL, '{}', 2, 'kind: it''s missing');
INSERT INTO queues (name, paused, max_running, rate, tokens, tokens_at, created_at, worked_by)
  VALUES ('größe', true, 3, 0.1, 1e-300, 9007199254740993, 1, 'remote'), ('tiny', false, NULL, 33.333333333333336, 5e-324, 0, 2, 'server');
INSERT INTO late_results (job_id, attempt, outcome, at, adopted, result)
  VALUES ('018bcfe6-0440-776b-a11e-d957ff8d05f1', 1, 'succeeded', 5, true, '{"a":  1}'), ('018bcfe6-0440-776b-a11e-d957ff8d05f1', 2, 'failed', 6, false, NULL);
INSERT INTO checkpoints (job_id, seq, era, attempt, lease_id, "cursor", progress, moved, at, told_at)
  VALUES ('018bcfe6-0440-776b-a11e-d957ff8d05f1', 9007199254740993, 2, 3, '018bcfe6-0440-776b-a11e-d957ff8d05f2', '{"nach":  "größe 🎺"}', '{"done":1}', true, 5, 4),
    ('018bcfe6-0440-776b-a11e-d957ff8d05f2', 0, 1, 1, NULL, NULL, NULL, false, 6, 0);
INSERT INTO installation (id, secret) VALUES (1, '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824');
INSERT INTO redrives (job_id, run, at, finished_at, queued_at, discarded_at) VALUES ('018bcfe6-0440-776b-a11e-d957ff8d05f1', 1, 5, 4, NULL, 6);
INSERT INTO cancellations (job_id, asked_at, reason) VALUES ('018bcfe6-0440-776b-a11e-d957ff8d05f1', 5, '日本語 🎺');
INSERT INTO queue_minutes (queue, minute, n) VALUES ('größe', 28333334, 7), ('größe', 28333335, 8), ('a', 28333334, 9);
INSERT INTO rollups (queue, resolution, span, state, came, went) VALUES ('größe', 'minute', 6, 'queued', 7, 0), ('', 'hour', 5, 'succeeded', 9007199254740993, 1);
INSERT INTO waits (queue, resolution, span, bucket, n) VALUES ('größe', 'minute', 6, 31, 7), ('', 'hour', 5, 0, 9007199254740993);
INSERT INTO markers (minute, kind, n, subject, version) VALUES (6, 'worker.joined', 2, 'wrk_1', '1.2.3'), (7, 'attempt.lost', 9007199254740993, NULL, NULL);
INSERT INTO operations (id, action, filter, total, done, "cursor", created_at) VALUES ('018bcfe6-0440-776b-a11e-d957ff8d05f3', 'retry', '{}', 5, 2, '018bcfe6-0440-776b-a11e-d957ff8d05f1', 3);
INSERT INTO job_operations (id, action, filter, reason, total, at_least, done, skipped, "cursor", created_at, finished_at, stopped)
  VALUES ('018bcfe6-0440-776b-a11e-d957ff8d05fc', 'cancel', '{"state":  "queued"}', 'it''s größer', 10000, true, 7, 1, '018bcfe6-0440-776b-a11e-d957ff8d05f1', 3, 4, true);
INSERT INTO recipients (number, id, platform, lat, lon, topics, enabled, addresses, time_zone, dead, marks, created_at, updated_at)
  VALUES (9007199254740993, 'far', 'ios', 59.334591000000003, '-0', '["a"]', false, '{"push":"x\\y"}', 'Europe/Berlin', '[]', '[]', 1, -2);
INSERT INTO approvals (campaign, recipients, asked_by, asked_name, person, asked_at, approved_by, approved_name, approved_at)
  VALUES ('018bcfe6-0440-776b-a11e-d957ff8d05f6', 9007199254740993, 'system:scheduler', 'Käthe \\ ''x''', 'system:scheduler', -1, 'anonymous', '', 2);
INSERT INTO schedules (id, name, cron, time_zone, template, lead_us, missed, missed_max, revision, paused, next_at, due_at, last_at, created_at, updated_at)
  VALUES ('018bcfe6-0440-776b-a11e-d957ff8d05f4', 'nightly', '0 3 * * *', 'UTC', '{"job":{}}', 0, 'latest', 1, 1, false, 99, 98, NULL, 1, 2);
INSERT INTO fires (schedule_id, at, recorded_at, made, by_hand, missed_until, missed, reason)
  VALUES ('018bcfe6-0440-776b-a11e-d957ff8d05f4', 5, 6, 'job', true, NULL, NULL, NULL), ('018bcfe6-0440-776b-a11e-d957ff8d05f4', 7, 8, NULL, false, 9, 2, 'missed');
INSERT INTO notifications (id, "key", content_hash, sent, created_at) VALUES ('018bcfe6-0440-776b-a11e-d957ff8d05f5', 'k', 'h', '[{"to": "x"}]', 4);
INSERT INTO erasures (id, number, recipient, quoted, quoted_within, addresses, stage, "cursor", done, created_at)
  VALUES ('018bcfe6-0440-776b-a11e-d957ff8d05f6', 77, 'gone', '"gone"', 'gone', '[]', 'facts', '12', 3, 4);
INSERT INTO users (id, name, role, password, disabled, created_at, signed_in_at, failures, retry_at, identity, issuer, subject)
  VALUES ('018bcfe6-0440-776b-a11e-d957ff8d05f7', 'kim', 'admin', '$argon2id$v=19$x', false, 1, 2, 4294967295, 3, NULL, NULL, NULL),
    ('018bcfe6-0440-776b-a11e-d957ff8d05f8', 'Kim', 'viewer', NULL, true, 1, NULL, 0, NULL, '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824', 'https://sso.example', 'größe 🎺');
INSERT INTO api_keys (id, name, digest, permissions, kinds, queues, created_at, created_by, expires_at, revoked_at, last_used_at)
  VALUES ('018bcfe6-0440-776b-a11e-d957ff8d05f9', 'Büro "7"', '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824', '["jobs:read"]', '["a.*"]', '[]', 1, 'command-line', 2, NULL, 3);
INSERT INTO sessions (digest, user_id, created_at, idle_until, ends_at)
  VALUES ('2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824', '018bcfe6-0440-776b-a11e-d957ff8d05f7', 1, 2, 9007199254740993);
INSERT INTO audit_log (at, id, principal, name, action, object, was, to_be, reason, n, request_id)
  VALUES (5, '018bcfe6-0440-776b-a11e-d957ff8d05fa', 'command-line', 'command line', 'queue.change', 'größe', '{"paused":  false}', NULL, 'it''s \ "late" 🎺', 9007199254740993, ''),
    (5, '018bcfe6-0440-776b-a11e-d957ff8d05fb', 'usr_018bcfe6-0440-776b-a11e-d957ff8d05f7', 'kim', 'user.change', 'x', NULL, NULL, NULL, NULL, NULL)
"#;

/// How many were held by somebody whose process is gone.
pub const HELD: usize = 23;

/// Fills a new database of this dialect, with `more` plain jobs.
pub async fn filled(dialect: &str, more: usize) -> Place {
    let place = Place::new(dialect);
    baton_sql::migrate(&place.url()).await.unwrap();
    let store = databases::open(&place.url()).await;
    store
        .enqueue(jobs(more, DAWN), Atomicity::Each)
        .await
        .unwrap();
    work(&store).await;
    deliver(&store).await;
    while store.sequence(1_000, DAWN).await.unwrap().count > 0 {}
    odd(&store).await;
    store.close().await;
    place
}

/// Jobs in every place.
async fn work(store: &SqlStore) {
    let mut all = jobs(40, DAWN);
    for (i, new) in all.iter_mut().enumerate() {
        new.priority = i16::try_from(i % 3).unwrap() - 3;
    }
    all.push(job(
        JobSpec {
            key: Some("keyed".to_owned()),
            payload: r#"{"text": "it's \\ \"so\" 🎺"}"#.to_owned(),
            trace: Some(Trace {
                traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01".to_owned(),
                tracestate: Some("vendor=x y".to_owned()),
            }),
            ..spec()
        },
        DAWN,
    ));
    all.push(job(
        JobSpec {
            delay: Some(LEASE),
            ..spec()
        },
        DAWN,
    ));
    store.enqueue(all, Atomicity::All).await.unwrap();
    let worker = WorkerId::new(DAWN);
    let claimed = store
        .claim(&claim(worker, 12, DAWN + LEASE), DAWN)
        .await
        .unwrap();
    let mut results: Vec<_> = claimed[..5].iter().map(|one| success(one, DAWN)).collect();
    results.extend(
        claimed[5..7]
            .iter()
            .map(|one| failure(one, Class::Retry, DAWN)),
    );
    results.extend(
        claimed[7..9]
            .iter()
            .map(|one| failure(one, Class::Permanent, DAWN)),
    );
    store
        .settle(By::Worker(worker), &results, DAWN)
        .await
        .unwrap();
}

/// A campaign half of which was walked, and some of that delivered.
async fn deliver(store: &SqlStore) {
    let names: Vec<_> = (0..600).map(|i| format!("p{i:03}")).collect();
    people(store, &names).await;
    let new = quiz("default", DAWN);
    store.create_campaign(&new).await.unwrap();
    let node = WorkerId::new(DAWN);
    let taken = store.take_expansion(node, DAWN + HOLD, DAWN).await;
    let campaign = taken.unwrap().unwrap();
    let chunk = next_chunk(store, &campaign, node, 400, DAWN).await;
    assert!(store.expand(&chunk, DAWN).await.unwrap());
    let want = QueueClaim {
        queue: new.id.to_string(),
        lease: LeaseId::random(),
        limit: 100,
        limited: false,
        jobs: None,
    };
    let wanted = Claim {
        worker: node,
        until: DAWN + LEASE,
        queues: vec![want],
    };
    let claimed = store.claim(&wanted, DAWN).await.unwrap();
    let results: Vec<_> = claimed[..80].iter().map(|one| success(one, DAWN)).collect();
    store
        .settle(By::Worker(node), &results, DAWN)
        .await
        .unwrap();
}

async fn odd(store: &SqlStore) {
    match store.kernel() {
        Kernel::Sqlite(sqlite) => sqlite.connect().unwrap().execute_batch(ODD).unwrap(),
        Kernel::Postgres(postgres) => postgres
            .client()
            .await
            .unwrap()
            .batch_execute(ODD)
            .await
            .unwrap(),
        Kernel::Mysql(mysql) => mysql
            .session()
            .await
            .unwrap()
            .query_drop(ODD)
            .await
            .unwrap(),
    }
}
