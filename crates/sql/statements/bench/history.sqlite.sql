-- Writes jobs as finished work leaves them: asked for, tried once, succeeded, with their facts numbered
-- and counted. A batch of a thousand each 100 ms from `start` on, all of one moment as an enqueue has it.
DELETE FROM moving;
INSERT INTO moving (job_id, attempt, since, run)
WITH RECURSIVE numbers (i) AS (SELECT :first UNION ALL SELECT i + 1 FROM numbers WHERE i + 1 < :first + :count)
SELECT printf('%08x-%04x-7%03x-8%03x-%012x', ((:start + i / 1000 * 100000) / 1000) >> 16, ((:start + i / 1000 * 100000) / 1000) & 65535, i * 40503 & 4095,
    (i * 99999999977 >> 48) & 4095, i * 99999999977 & 281474976710655), i, :start + i / 1000 * 100000, i / 1000
FROM numbers;
INSERT INTO jobs (id, kind, queue, priority, payload, run_at, max_attempts, backoff, timeout_us, delivery, tags, created_at)
SELECT job_id, :kind, :queue, 0, :payload, since, 4, :backoff, 30000000, 'at_least_once', '[]', since FROM moving;
INSERT INTO settlements (worker_id, leases, claimed_at, ended_at)
SELECT :worker, json_array(printf('00000000-0000-4000-8000-%012x', run)), json_array(since + 1000), since + 2000 FROM moving GROUP BY run, since ORDER BY run;
INSERT INTO successes (job_id, settlement_id, lease, queued_at, started_at)
SELECT m.job_id, t.id, 1, m.since, m.since + 1500 FROM moving m JOIN settlements t ON t.ended_at = m.since + 2000;
INSERT INTO facts (last_seq, n, type, queue, from_state, to_state, at, subjects, attempts, data)
SELECT (SELECT last_seq FROM stream) + sum(b.n) OVER (ORDER BY b.batch, s.step), b.n, s.type, :queue, s.from_state, s.to_state,
  b.at + s.step * 1000, b.ids, CASE WHEN s.step > 0 THEN b.attempts END, CASE WHEN s.step = 1 THEN '{"worker":"history"}' END
FROM (SELECT run AS batch, count(*) AS n, max(since) AS at, json_group_array(job_id) AS ids, json_group_array(1) AS attempts FROM moving GROUP BY run) b
CROSS JOIN (
  SELECT 0 AS step, 'job.queued' AS type, NULL AS from_state, 'queued' AS to_state
  UNION ALL SELECT 1, 'job.running', 'queued', 'running'
  UNION ALL SELECT 2, 'job.succeeded', 'running', 'succeeded'
) s
ORDER BY b.batch, s.step;
UPDATE stream SET last_seq = last_seq + 3 * :count WHERE id = 1;
INSERT INTO queues (name, created_at) VALUES (:queue, :start) ON CONFLICT (name) DO NOTHING;
INSERT INTO queue_counts (queue, state, n) VALUES (:queue, 'succeeded', :count)
ON CONFLICT (queue, state) DO UPDATE SET n = queue_counts.n + excluded.n;
INSERT INTO queue_minutes (queue, minute, n)
SELECT :queue, (since + 2000) / 60000000, count(*) FROM moving WHERE true GROUP BY 2
ON CONFLICT (queue, minute) DO UPDATE SET n = queue_minutes.n + excluded.n;
SELECT count(*) FROM moving;
