-- Writes jobs as finished work leaves them: asked for, tried once, succeeded, with their facts numbered
-- and counted. A batch of a thousand each 100 ms from `start` on, all of one moment as an enqueue has it.
DELETE FROM moving;
INSERT INTO moving (job_id, attempt, since, run)
SELECT lower(concat(lpad(hex((at DIV 1000) >> 16), 8, '0'), '-', lpad(hex((at DIV 1000) & 65535), 4, '0'), '-7', lpad(hex(i * 40503 & 4095), 3, '0'),
    '-8', lpad(hex((i * 99999999977 >> 48) & 4095), 3, '0'), '-', lpad(hex(i * 99999999977 & 281474976710655), 12, '0'))), i, at, i DIV 1000
FROM (
  SELECT n.i, :start + n.i DIV 1000 * 100000 AS at
  FROM (
    WITH digits AS (
      SELECT 0 AS d UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4
      UNION ALL SELECT 5 UNION ALL SELECT 6 UNION ALL SELECT 7 UNION ALL SELECT 8 UNION ALL SELECT 9
    )
    SELECT :first + a.d + 10 * b.d + 100 * c.d + 1000 * e.d + 10000 * f.d AS i
    FROM digits a CROSS JOIN digits b CROSS JOIN digits c CROSS JOIN digits e CROSS JOIN digits f
  ) n
  WHERE n.i < :first + :count
) m;
INSERT INTO jobs (id, kind, queue, priority, payload, run_at, max_attempts, backoff, timeout_us, delivery, tags, created_at)
SELECT job_id, :kind, :queue, 0, :payload, since, 4, :backoff, 30000000, 'at_least_once', '[]', since FROM moving;
INSERT INTO settlements (worker_id, leases, claimed_at, ended_at)
SELECT :worker, json_array('00000000-0000-4000-8000-' || lower(lpad(hex(run), 12, '0'))), json_array(since + 1000), since + 2000
FROM moving GROUP BY run, since ORDER BY run;
INSERT INTO successes (job_id, settlement_id, lease, queued_at, started_at)
SELECT m.job_id, t.id, 1, m.since, m.since + 1500 FROM moving m STRAIGHT_JOIN settlements t ON t.ended_at = m.since + 2000;
INSERT INTO facts (last_seq, n, type, queue, from_state, to_state, at, subjects, attempts, data)
SELECT (SELECT last_seq FROM stream) + sum(b.n) OVER (ORDER BY b.batch, s.step), b.n, s.type, :queue, s.from_state, s.to_state,
  b.at + s.step * 1000, b.ids, CASE WHEN s.step > 0 THEN b.attempts END, CASE WHEN s.step = 1 THEN '{"worker":"history"}' END
FROM (SELECT run AS batch, count(*) AS n, max(since) AS at, json_arrayagg(job_id) AS ids, json_arrayagg(1) AS attempts FROM moving GROUP BY run) b
CROSS JOIN (
  SELECT 0 AS step, 'job.queued' AS type, NULL AS from_state, 'queued' AS to_state
  UNION ALL SELECT 1, 'job.running', 'queued', 'running'
  UNION ALL SELECT 2, 'job.succeeded', 'running', 'succeeded'
) s
ORDER BY b.batch, s.step;
UPDATE stream SET last_seq = last_seq + 3 * :count WHERE id = 1;
INSERT INTO queues (name, created_at) VALUES (:queue, :start) ON DUPLICATE KEY UPDATE name = queues.name;
INSERT INTO queue_counts (queue, state, n) VALUES (:queue, 'succeeded', :count) ON DUPLICATE KEY UPDATE n = n + VALUES(n);
INSERT INTO queue_minutes (queue, minute, n)
SELECT :queue, (since + 2000) DIV 60000000, count(*) FROM moving GROUP BY 2 ON DUPLICATE KEY UPDATE n = queue_minutes.n + VALUES(n);
SELECT count(*) FROM moving
