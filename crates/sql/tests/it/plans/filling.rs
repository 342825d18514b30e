//! Fills a database with a day's work, without asking the store for it.

/// 200,000 finished jobs with attempts and keys, 20,000 ready in two queues, 100,000 in 1,000 batches, 500,000 successes in 5,000 batches, 5,000 waiting, 200
/// leases of 25, late results, checkpoints, redrives, facts, of which the last are not numbered yet,
/// and 100,000 recipients, half of them with two things in their inboxes.
pub const POSTGRES: &str = "
CREATE FUNCTION job(kind integer, i integer) RETURNS uuid LANGUAGE sql IMMUTABLE AS
  $$ SELECT ('018bcfe6-' || lpad(to_hex(i >> 16), 4, '0') || '-7' || lpad(to_hex(kind), 3, '0') || '-8000-' || lpad(to_hex(i), 12, '0'))::uuid $$;

INSERT INTO queues (name, created_at) VALUES ('default', 1), ('bulk', 1);

INSERT INTO jobs (id, key, kind, queue, priority, payload, run_at, max_attempts, backoff, timeout_us, delivery, tags, created_at)
SELECT job(k.kind, i), CASE WHEN k.kind = 1 THEN 'key ' || i END, 'mail', CASE WHEN i % 2 = 0 THEN 'default' ELSE 'bulk' END, 0, '{}', i, 4, '{}', 1, 'at_least_once', '[]', i
FROM (VALUES (1, 200000), (2, 20000), (3, 5000), (4, 5000)) AS k (kind, n)
CROSS JOIN LATERAL generate_series(1, k.n) AS i;

INSERT INTO job_keys (key, job_id, content_hash, created_at)
SELECT 'key ' || i, job(1, i), 'h', i FROM generate_series(1, 200000) AS i;

INSERT INTO attempts (job_id, attempt, run, lease_id, worker_id, queued_at, claimed_at, started_at, ended_at, outcome, state, tries, losses)
SELECT job(1, i), 1, 1, job(5, i / 100), job(6, 1), i, i, i, i,
  CASE WHEN i % 100 = 0 THEN 'failed' ELSE 'succeeded' END, CASE WHEN i % 100 = 0 THEN 'failed' ELSE 'succeeded' END, 1, 0
FROM generate_series(1, 200000) AS i;

INSERT INTO finished (job_id, state, reason, finished_at, attempt, tries, losses, run, fingerprint)
SELECT job(1, i), CASE WHEN i % 100 = 0 THEN 'failed' ELSE 'succeeded' END, CASE WHEN i % 100 = 0 THEN 'permanent' END, i, 1, 1, 0, 1,
  CASE WHEN i % 100 = 0 THEN 'fp' END
FROM generate_series(1, 200000) AS i;

INSERT INTO late_results (job_id, attempt, outcome, at, adopted)
SELECT job(1, i), 1, 'failed', i, false FROM generate_series(1, 20000) AS i;

INSERT INTO checkpoints (job_id, seq, era, attempt, cursor, moved, at, told_at)
SELECT job(1, i), 2, 1, 1, '1', i % 2 = 0, i, i FROM generate_series(1, 20000) AS i;

INSERT INTO redrives (job_id, run, at, finished_at)
SELECT job(1, i), 1, i, i FROM generate_series(1, 20000) AS i;

INSERT INTO ready (queue, priority, run_at, job_id, expires_at, since, attempt, tries, losses, run)
SELECT CASE WHEN i % 2 = 0 THEN 'default' ELSE 'bulk' END, 0, i, job(2, i), CASE WHEN i % 10 = 0 THEN i END, i, 0, 0, 0, 1 FROM generate_series(1, 20000) AS i;

INSERT INTO ready_batches (first, queue, priority, run_at, expires_at, since, n, jobs, payloads)
SELECT job(13, b * 100), 'campaign ' || b % 2, 0, b, CASE WHEN b % 10 = 0 THEN b END, b, 100, (SELECT array_agg(job(13, b * 100 + i) ORDER BY i) FROM generate_series(0, 99) AS i),
  array_fill('{}'::text, ARRAY[100])
FROM generate_series(0, 999) AS b;

INSERT INTO success_batches (first, last, n, worker_id, lease_id, claimed_at, ended_at, jobs, queued_ats, started_ats)
SELECT job(14, s * 100), job(14, s * 100 + 99), 100, job(6, 1), job(5, s), s, s, (SELECT array_agg(job(14, s * 100 + i) ORDER BY i) FROM generate_series(0, 99) AS i),
  array_fill(1, ARRAY[100]), array_fill(1, ARRAY[100])
FROM generate_series(0, 4999) AS s;

INSERT INTO waiting (job_id, state, queue, priority, run_at, expires_at, since, attempt, tries, losses, run)
SELECT job(3, i), 'pending', 'default', 0, i, CASE WHEN i % 10 = 0 THEN i END, i, 0, 0, 0, 1 FROM generate_series(1, 5000) AS i;

INSERT INTO leases (id, worker_id, queue, until, claimed_at, open, jobs, attempts, tries, losses, runs, since)
SELECT job(7, l), job(8, l % 8), 'default', l, l, 25, array_agg(job(4, i)), array_agg(1), array_agg(1), array_agg(0), array_agg(1), array_agg(1::bigint)
FROM (SELECT i, i / 25 AS l FROM generate_series(0, 4999) AS i) x
GROUP BY l;

INSERT INTO facts (last_seq, n, type, queue, from_state, to_state, at, subjects, attempts)
SELECT CASE WHEN g < 9900 THEN (g + 1) * 20 END, 20, 'job.succeeded', 'default', 'running', 'succeeded', g,
  (SELECT array_agg(job(1, g * 20 + i)) FROM generate_series(1, 20) AS i), (SELECT array_agg(1) FROM generate_series(1, 20))
FROM generate_series(0, 9999) AS g;
UPDATE stream SET last_seq = 198000;

INSERT INTO recipients (number, id, platform, topics, enabled, addresses, dead, marks, created_at, updated_at)
SELECT i, 'r' || i, 'ios', '[]', i % 100 > 0, '{}', '{}', '[]', i, i FROM generate_series(1, 100000) AS i;
INSERT INTO recipient_marks (mark, number)
SELECT 'p ios', i FROM generate_series(1, 100000) AS i UNION ALL SELECT 't ' || i % 100, i FROM generate_series(1, 100000) AS i;

INSERT INTO inboxes (recipient, unread, version) SELECT i, 2, 2 FROM generate_series(1, 50000) AS i;
INSERT INTO inbox (recipient, seq, id, category, title, body, created_at)
SELECT i, s, job(9 + s, i), 'activity', 't', 'b', i FROM generate_series(1, 50000) AS i CROSS JOIN generate_series(1, 2) AS s;
INSERT INTO notifications (id, key, content_hash, sent, created_at)
SELECT job(12, i), 'key ' || i, 'h', '[]', i FROM generate_series(1, 20000) AS i;

INSERT INTO sessions (digest, user_id, created_at, idle_until, ends_at)
SELECT lpad(i::text, 64, '0'), job(16, i % 100), i, i, i FROM generate_series(1, 20000) AS i;
INSERT INTO audit_log (at, id, principal, name, action, object)
SELECT i, job(15, i), 'usr_' || i % 100, 'n', CASE WHEN i % 10 = 0 THEN 'job.retry' ELSE 'queue.change' END, 'o ' || i % 1000 FROM generate_series(1, 100000) AS i;
";

/// The same for SQLite, a tenth of it, where the members of batches are jobs.
pub const SQLITE: &str = "
CREATE TEMP TABLE numbers AS WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) SELECT i FROM n;

INSERT INTO queues (name, created_at) VALUES ('default', 1), ('bulk', 1);

INSERT INTO jobs (id, key, kind, queue, priority, payload, run_at, max_attempts, backoff, timeout_us, delivery, tags, created_at)
SELECT k.kind || ' ' || i, CASE WHEN k.kind = 1 THEN 'key ' || i END, 'mail', CASE WHEN i % 2 = 0 THEN 'default' ELSE 'bulk' END, 0, '{}', i, 4, '{}', 1, 'at_least_once', '[]', i
FROM (SELECT 1 AS kind, 20000 AS n UNION ALL SELECT 2, 2000 UNION ALL SELECT 3, 500 UNION ALL SELECT 4, 500) k
JOIN numbers ON i <= k.n;

INSERT INTO job_keys (key, job_id, content_hash, created_at) SELECT 'key ' || i, '1 ' || i, 'h', i FROM numbers;

INSERT INTO attempts (job_id, attempt, run, lease_id, worker_id, queued_at, claimed_at, started_at, ended_at, outcome, state, tries, losses)
SELECT '1 ' || i, 1, 1, '5 ' || i / 100, '6', i, i, i, i, 'succeeded', 'succeeded', 1, 0 FROM numbers;

INSERT INTO finished (job_id, state, reason, finished_at, attempt, tries, losses, run, fingerprint)
SELECT '1 ' || i, iif(i % 100 = 0, 'failed', 'succeeded'), iif(i % 100 = 0, 'permanent', NULL), i, 1, 1, 0, 1, iif(i % 100 = 0, 'fp', NULL) FROM numbers;

INSERT INTO late_results (job_id, attempt, outcome, at, adopted) SELECT '1 ' || i, 1, 'failed', i, 0 FROM numbers WHERE i <= 2000;

INSERT INTO checkpoints (job_id, seq, era, attempt, cursor, moved, at, told_at) SELECT '1 ' || i, 2, 1, 1, '1', i % 2, i, i FROM numbers;

INSERT INTO redrives (job_id, run, at, finished_at) SELECT '1 ' || i, 1, i, i FROM numbers WHERE i <= 2000;

INSERT INTO ready (queue, priority, run_at, job_id, expires_at, since, attempt, tries, losses, run)
SELECT iif(i % 2 = 0, 'default', 'bulk'), 0, i, '2 ' || i, iif(i % 10 = 0, i, NULL), i, 0, 0, 0, 1 FROM numbers WHERE i <= 2000;

INSERT INTO jobs (id, kind, queue, priority, payload, run_at, max_attempts, backoff, timeout_us, delivery, tags, created_at)
SELECT printf('13 %05d', i), 'delivery', 'campaign ' || i / 100 % 2, 0, '{}', i / 100, 4, '{}', 1, 'at_least_once', '[]', i FROM numbers WHERE i < 10000;
INSERT INTO ready_batches (queue, priority, run_at, first, last, n, expires_at, since)
SELECT 'campaign ' || i % 2, 0, i, printf('13 %05d', i * 100), printf('13 %05d', i * 100 + 99), 100, iif(i % 10 = 0, i, NULL), i FROM numbers WHERE i < 100;

INSERT INTO waiting (job_id, state, queue, priority, run_at, expires_at, since, attempt, tries, losses, run)
SELECT '3 ' || i, 'pending', 'default', 0, i, iif(i % 10 = 0, i, NULL), i, 0, 0, 0, 1 FROM numbers WHERE i <= 500;

INSERT INTO leases (id, worker_id, queue, until, claimed_at, open) SELECT '7 ' || i, '8 ' || i % 8, 'default', i, i, 25 FROM numbers WHERE i <= 20;
INSERT INTO leased (job_id, lease_id, attempt, tries, losses, run, since) SELECT '4 ' || i, '7 ' || i / 25, 1, 1, 0, 1, 1 FROM numbers WHERE i <= 500;

INSERT INTO facts (last_seq, n, type, queue, from_state, to_state, at, subjects, attempts)
SELECT iif(i < 19900, i, NULL), 1, 'job.succeeded', 'default', 'running', 'succeeded', i, json_array('1 ' || i), '[1]' FROM numbers;
UPDATE stream SET last_seq = 19899;

INSERT INTO recipients (number, id, platform, topics, enabled, addresses, dead, marks, created_at, updated_at)
SELECT i, 'r' || i, 'ios', '[]', i % 100 > 0, '{}', '{}', '[]', i, i FROM numbers;
INSERT INTO recipient_marks (mark, number) SELECT 'p ios', i FROM numbers UNION ALL SELECT 't ' || i % 100, i FROM numbers;

INSERT INTO inboxes (recipient, unread, version) SELECT i, 1, 1 FROM numbers;
INSERT INTO inbox (recipient, seq, id, category, title, body, created_at) SELECT i, 1, '9 ' || i, 'activity', 't', 'b', i FROM numbers;
INSERT INTO notifications (id, key, content_hash, sent, created_at) SELECT '12 ' || i, 'key ' || i, 'h', '[]', i FROM numbers;
INSERT INTO sessions (digest, user_id, created_at, idle_until, ends_at) SELECT printf('%064d', i), '16 ' || i % 100, i, i, i FROM numbers;
INSERT INTO audit_log (at, id, principal, name, action, object)
SELECT i, '15 ' || i, 'usr_' || i % 100, 'n', iif(i % 10 = 0, 'job.retry', 'queue.change'), 'o ' || i % 1000 FROM numbers;
DROP TABLE numbers;
";

/// What MariaDB has of itself: numbers as tables.
pub const SEQUENCES: &str = "
CREATE TABLE seq (seq bigint PRIMARY KEY);
SET SESSION cte_max_recursion_depth = 20001;
INSERT INTO seq WITH RECURSIVE n (seq) AS (SELECT 0 UNION ALL SELECT seq + 1 FROM n WHERE seq < 20000) SELECT seq FROM n;
CREATE VIEW seq_0_to_20 AS SELECT seq FROM seq WHERE seq <= 20;
CREATE VIEW seq_0_to_199 AS SELECT seq FROM seq WHERE seq <= 199;
CREATE VIEW seq_0_to_19999 AS SELECT seq FROM seq WHERE seq <= 19999;
CREATE VIEW seq_1_to_200 AS SELECT seq FROM seq WHERE seq BETWEEN 1 AND 200;
CREATE VIEW seq_1_to_500 AS SELECT seq FROM seq WHERE seq BETWEEN 1 AND 500;
CREATE VIEW seq_1_to_2000 AS SELECT seq FROM seq WHERE seq BETWEEN 1 AND 2000;
CREATE VIEW seq_1_to_20000 AS SELECT seq FROM seq WHERE seq BETWEEN 1 AND 20000;
";

/// The same for MySQL, with a job that stands in every place: what is looked up by a key is looked for no further where it is not
/// there.
pub const MYSQL: &str = "
INSERT INTO queues (name, created_at) VALUES ('default', 1), ('bulk', 1);

INSERT INTO jobs (id, \"key\", kind, queue, priority, payload, run_at, max_attempts, backoff, timeout_us, delivery, tags, created_at)
SELECT concat(k.kind, ' ', lpad(i.seq, 6, '0')), CASE WHEN k.kind = 1 THEN concat('key ', i.seq) END, 'mail', if(i.seq % 2 = 0, 'default', 'bulk'), 0, '{}', i.seq, 4, '{}', 1, 'at_least_once', '[]', i.seq
FROM (SELECT 0 AS kind, 1 AS n UNION ALL SELECT 1, 20000 UNION ALL SELECT 2, 2000 UNION ALL SELECT 3, 2000 UNION ALL SELECT 4, 500) k
JOIN seq_1_to_20000 i ON i.seq <= k.n;

INSERT INTO job_keys (\"key\", job_id, content_hash, created_at) SELECT concat('key ', seq), concat('1 ', lpad(seq, 6, '0')), 'h', seq FROM seq_1_to_20000;

INSERT INTO attempts (job_id, attempt, run, lease_id, worker_id, queued_at, claimed_at, started_at, ended_at, outcome, state, tries, losses)
SELECT concat('1 ', lpad(seq, 6, '0')), 1, 1, '7 000001', '8 000001', seq, seq, seq, seq, 'succeeded', 'succeeded', 1, 0 FROM seq_1_to_20000
UNION ALL SELECT '0 000001', 1, 1, '7 000001', '8 000001', 1, 1, 1, 1, 'lost', 'succeeded', 1, 0;

INSERT INTO finished (job_id, state, reason, finished_at, attempt, tries, losses, run, fingerprint)
SELECT concat('1 ', lpad(seq, 6, '0')), if(seq % 100 = 0, 'failed', 'succeeded'), if(seq % 100 = 0, 'permanent', NULL), seq, 1, 1, 0, 1, if(seq % 100 = 0, 'fp', NULL) FROM seq_1_to_20000
UNION ALL SELECT '0 000001', 'canceled', NULL, 1, 1, 1, 0, 1, NULL;

INSERT INTO settlements (id, worker_id, leases, claimed_at, ended_at) SELECT seq, '8 000001', '[\"7 000001\"]', '[1]', seq FROM seq_1_to_200;
INSERT INTO successes (job_id, settlement_id, lease, queued_at)
SELECT concat('14 ', lpad(seq, 6, '0')), 1 + seq DIV 101, 1, seq FROM seq_1_to_20000 UNION ALL SELECT '0 000001', 1, 1, 1;

INSERT INTO late_results (job_id, attempt, outcome, at, adopted)
SELECT concat('1 ', lpad(seq, 6, '0')), 1, 'failed', seq, 0 FROM seq_1_to_2000 UNION ALL SELECT '0 000001', 2, 'failed', 1, 0;

INSERT INTO checkpoints (job_id, seq, era, attempt, \"cursor\", moved, at, told_at)
SELECT concat('1 ', lpad(seq, 6, '0')), 1, 1, 1, '1', seq % 2, seq, seq FROM seq_1_to_20000 UNION ALL SELECT '0 000001', 1, 1, 1, '1', 0, 1, 1;

INSERT INTO redrives (job_id, run, at, finished_at)
SELECT concat('1 ', lpad(seq, 6, '0')), 1, seq, seq FROM seq_1_to_2000 UNION ALL SELECT '0 000001', 1, 1, 1;

INSERT INTO ready (queue, priority, run_at, job_id, expires_at, since, attempt, tries, losses, run)
SELECT if(seq % 2 = 0, 'default', 'bulk'), 0, seq, concat('2 ', lpad(seq, 6, '0')), if(seq % 10 = 0, seq, NULL), seq, 0, 0, 0, 1 FROM seq_1_to_2000
UNION ALL SELECT 'default', 0, 1, '0 000001', NULL, 1, 0, 0, 0, 1;

INSERT INTO jobs (id, kind, queue, priority, payload, run_at, max_attempts, backoff, timeout_us, delivery, tags, created_at)
SELECT concat('13 ', lpad(seq, 6, '0')), 'delivery', concat('campaign ', seq DIV 100 % 2), 0, '{}', seq DIV 100, 4, '{}', 1, 'at_least_once', '[]', seq FROM seq_0_to_19999;
INSERT INTO ready_batches (queue, priority, run_at, first, last, n, expires_at, since)
SELECT concat('campaign ', seq % 2), 0, seq, concat('13 ', lpad(seq * 100, 6, '0')), concat('13 ', lpad(seq * 100 + 99, 6, '0')), 100, if(seq % 10 = 0, seq, NULL), seq FROM seq_0_to_199
UNION ALL SELECT 'default', 0, 1, '0 000001', '0 000001', 1, NULL, 1;

INSERT INTO waiting (job_id, state, queue, priority, run_at, expires_at, since, attempt, tries, losses, run)
SELECT concat('3 ', lpad(seq, 6, '0')), 'pending', 'default', 0, seq, if(seq % 10 = 0, seq, NULL), seq, 0, 0, 0, 1 FROM seq_1_to_2000
UNION ALL SELECT '0 000001', 'retry_wait', 'default', 0, 1, NULL, 1, 1, 0, 0, 1;

INSERT INTO leases (id, worker_id, queue, until, claimed_at, open) SELECT concat('7 ', lpad(seq, 6, '0')), concat('8 ', lpad(seq % 8, 6, '0')), 'default', seq, seq, if(seq = 1, 0, 25) FROM seq_0_to_20;
INSERT INTO leased (job_id, lease_id, attempt, tries, losses, run, since)
SELECT concat('4 ', lpad(seq, 6, '0')), concat('7 ', lpad(seq DIV 25, 6, '0')), 1, 1, 0, 1, 1 FROM seq_1_to_500 UNION ALL SELECT '0 000001', '7 000001', 1, 1, 0, 1, 1;
INSERT INTO jobs (id, kind, queue, priority, payload, run_at, max_attempts, backoff, timeout_us, delivery, tags, created_at)
SELECT concat('17000000-0000-7000-8000-00', lpad(lower(hex(seq)), 10, '0')), 'delivery', 'campaign 0', 0, '{}', 1000, 4, '{}', 1, 'at_least_once', '[]', seq FROM seq_0_to_19999;
INSERT INTO leased_blocks (lease_id, block, since, bits, first, last)
SELECT concat('7 ', lpad(seq DIV 4, 6, '0')), concat('17000000-0000-7000-8000-00', lpad(lower(hex(seq DIV 4)), 8, '0'), seq % 4), 1, 15,
  concat('17000000-0000-7000-8000-00', lpad(lower(hex(seq * 64)), 10, '0')), concat('17000000-0000-7000-8000-00', lpad(lower(hex(seq * 64 + 3)), 10, '0')) FROM seq_0_to_19999 WHERE seq < 80;
INSERT INTO success_blocks (block, settlement_id, queued_at, bits, first, last, started_ats)
SELECT concat('18000000-0000-7000-8000-00', lpad(lower(hex(seq DIV 4)), 8, '0'), seq % 4), 1 + seq DIV 101, 1, 15,
  concat('18000000-0000-7000-8000-00', lpad(lower(hex(seq * 64)), 10, '0')), concat('18000000-0000-7000-8000-00', lpad(lower(hex(seq * 64 + 3)), 10, '0')), '[1,1,1,1]' FROM seq_1_to_20000;
INSERT INTO cancellations (job_id, asked_at) VALUES ('0 000001', 1), ('4 000001', 1);

INSERT INTO facts (last_seq, n, type, queue, from_state, to_state, at, subjects, attempts)
SELECT if(seq < 19900, seq, NULL), 1, 'job.succeeded', 'default', 'running', 'succeeded', seq, json_array(concat('1 ', lpad(seq, 6, '0'))), '[1]' FROM seq_1_to_20000;
UPDATE stream SET last_seq = 19899;

INSERT INTO recipients (number, id, platform, topics, enabled, addresses, dead, marks, created_at, updated_at)
SELECT seq, concat('r', seq), 'ios', '[]', seq % 100 > 0, '{}', '{}', '[]', seq, seq FROM seq_1_to_20000;
INSERT INTO recipient_marks (mark, number) SELECT 'p ios', seq FROM seq_1_to_20000 UNION ALL SELECT concat('t ', seq % 100), seq FROM seq_1_to_20000;

INSERT INTO inboxes (recipient, unread, version) SELECT seq, 1, 1 FROM seq_1_to_20000;
INSERT INTO inbox (recipient, seq, id, category, title, body, created_at) SELECT seq, 1, concat('9 ', lpad(seq, 6, '0')), 'activity', 't', 'b', seq FROM seq_1_to_20000;
INSERT INTO notifications (id, \"key\", content_hash, sent, created_at) SELECT concat('12 ', lpad(seq, 6, '0')), concat('key ', seq), 'h', '[]', seq FROM seq_1_to_20000;

INSERT INTO sessions (digest, user_id, created_at, idle_until, ends_at)
SELECT lpad(seq, 64, '0'), concat('16 ', lpad(seq % 100, 6, '0')), seq, seq, seq FROM seq_1_to_20000;
INSERT INTO users (id, name, role, disabled, created_at) SELECT concat('16 ', lpad(seq, 6, '0')), concat('kim ', seq), 'viewer', 0, seq FROM seq_0_to_199;
INSERT INTO audit_log (at, id, principal, name, action, object)
SELECT seq, concat('15 ', lpad(seq, 6, '0')), concat('usr_', seq % 100), 'n', if(seq % 10 = 0, 'job.retry', 'queue.change'), concat('o ', seq % 1000) FROM seq_1_to_20000;
";
