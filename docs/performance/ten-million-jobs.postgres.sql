-- 10,000,000 jobs: 6,000,000 that wait for their time and 4,000,000 in line, over 200 queues, with right counters.
SET synchronous_commit = off;
INSERT INTO queues (name, created_at) SELECT 'q' || i, 1 FROM generate_series(0, 199) AS i;
INSERT INTO jobs (id, kind, queue, priority, payload, run_at, max_attempts, backoff, timeout_us, delivery, tags, created_at)
SELECT ('018bcfe5-0000-7000-8000-' || lpad(to_hex(i), 12, '0'))::uuid, 'mail', 'q' || i % 200, 0, '{}', i, 4, '', 30000000, 'at_least_once', '[]', 1
FROM generate_series(1, 10000000) AS i;
INSERT INTO waiting (job_id, state, queue, priority, run_at, since, attempt, tries, losses, run)
SELECT ('018bcfe5-0000-7000-8000-' || lpad(to_hex(i), 12, '0'))::uuid, 'pending', 'q' || i % 200, 0, 4000000000000000 + i, 1, 0, 0, 0, 1
FROM generate_series(1, 6000000) AS i;
INSERT INTO ready (queue, priority, run_at, job_id, since, attempt, tries, losses, run)
SELECT 'q' || i % 200, 0, i, ('018bcfe5-0000-7000-8000-' || lpad(to_hex(i), 12, '0'))::uuid, 1, 0, 0, 0, 1
FROM generate_series(6000001, 10000000) AS i;
INSERT INTO queue_counts (queue, state, n) SELECT 'q' || i, s.state, s.n
FROM generate_series(0, 199) AS i, (VALUES ('pending', 30000), ('queued', 20000)) AS s (state, n);
