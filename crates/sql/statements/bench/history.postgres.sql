-- Writes jobs as finished work leaves them: asked for, tried once, succeeded, with their facts numbered
-- and counted. A batch of a thousand each 100 ms from `start` on, all of one moment as an enqueue has it.
WITH made AS MATERIALIZED (
  SELECT i, i / 1000 AS batch, :start::bigint + i / 1000 * 100000 AS at,
    (lpad(to_hex((:start::bigint + i / 1000 * 100000) / 1000), 12, '0') || '7' || lpad(to_hex(i * 40503 % 4096), 3, '0') || '8' || lpad(to_hex(i * 99999999977), 15, '0'))::uuid AS id
  FROM generate_series(:first::bigint, :first::bigint + :count::bigint - 1) AS i
), batches AS MATERIALIZED (
  SELECT batch, count(*) AS n, max(at) AS at, array_agg(id ORDER BY i) AS ids, array_agg(id ORDER BY id) AS sorted, array_agg(1) AS attempts,
    ('00000000-0000-4000-8000-' || lpad(to_hex(batch), 12, '0'))::uuid AS lease
  FROM made GROUP BY batch
), new_jobs AS (
  INSERT INTO jobs (id, kind, queue, priority, payload, run_at, max_attempts, backoff, timeout_us, delivery, tags, created_at)
  SELECT id, :kind, :queue, 0, :payload, at, 4, :backoff, 30000000, 'at_least_once', '[]', at FROM made ORDER BY i
), new_successes AS (
  INSERT INTO success_batches (first, last, n, worker_id, lease_id, claimed_at, ended_at, jobs, queued_ats, started_ats)
  SELECT sorted[1], sorted[n], n, :worker, lease, at + 1000, at + 2000, sorted, array_fill(at, ARRAY[n::integer]), array_fill(at + 1500, ARRAY[n::integer])
  FROM batches ORDER BY batch
), told AS (
  INSERT INTO facts (last_seq, n, type, queue, from_state, to_state, at, subjects, attempts, data)
  SELECT (SELECT last_seq FROM stream) + sum(b.n) OVER (ORDER BY b.batch, s.step), b.n, s.type, :queue, s.from_state, s.to_state, b.at + s.step * 1000,
    b.ids, CASE WHEN s.step > 0 THEN b.attempts END, CASE WHEN s.step = 1 THEN '{"worker" : "history"}' END
  FROM batches b
  CROSS JOIN (VALUES (0, 'job.queued', NULL, 'queued'), (1, 'job.running', 'queued', 'running'), (2, 'job.succeeded', 'running', 'succeeded')) AS s (step, type, from_state, to_state)
  ORDER BY b.batch, s.step
), numbered AS (
  UPDATE stream SET last_seq = last_seq + 3 * :count::bigint
), new_queue AS (
  INSERT INTO queues (name, created_at) VALUES (:queue, :start) ON CONFLICT (name) DO NOTHING
), counted AS (
  INSERT INTO queue_counts (queue, state, n) VALUES (:queue, 'succeeded', :count)
  ON CONFLICT (queue, state) DO UPDATE SET n = queue_counts.n + excluded.n
), minutes AS (
  INSERT INTO queue_minutes (queue, minute, n)
  SELECT :queue, (b.at + 2000) / 60000000, sum(b.n) FROM batches b GROUP BY (b.at + 2000) / 60000000
  ON CONFLICT (queue, minute) DO UPDATE SET n = queue_minutes.n + excluded.n
)
SELECT count(*) FROM made
