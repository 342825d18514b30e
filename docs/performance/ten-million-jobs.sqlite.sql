-- 10,000,000 jobs: 6,000,000 that wait for their time and 4,000,000 in line, over 200 queues, with right counters.
BEGIN;
CREATE TEMP TABLE q AS WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 199) SELECT i FROM n;
INSERT INTO queues (name, created_at) SELECT 'q' || i, 1 FROM q;
WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000000)
INSERT INTO jobs (id, kind, queue, priority, payload, run_at, max_attempts, backoff, timeout_us, delivery, tags, created_at)
SELECT printf('018bcfe5-0000-7000-8000-%012x', i), 'mail', 'q' || (i % 200), 0, '{}', i, 4, '', 30000000, 'at_least_once', '[]', 1 FROM n;
INSERT INTO waiting (job_id, state, queue, priority, run_at, since, attempt, tries, losses, run)
SELECT id, 'pending', queue, 0, 4000000000000000 + run_at, 1, 0, 0, 0, 1 FROM jobs WHERE run_at <= 6000000;
INSERT INTO ready (queue, priority, run_at, job_id, since, attempt, tries, losses, run)
SELECT queue, 0, run_at, id, 1, 0, 0, 0, 1 FROM jobs WHERE run_at > 6000000;
INSERT INTO queue_counts (queue, state, n) SELECT 'q' || i, s.state, s.n FROM q, (SELECT 'pending' AS state, 30000 AS n UNION ALL SELECT 'queued', 20000) s;
COMMIT;
