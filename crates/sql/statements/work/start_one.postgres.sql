-- Adds a job whose id and key are free, leased to a worker, with both facts: in an open queue only,
-- else nothing is done. What enqueue and claim would do, without a place on the way: one statement
-- of few steps, because an idle system waits for each of them.
WITH o AS (
  SELECT FROM queues WHERE name = :queue AND NOT paused AND max_running IS NULL AND rate IS NULL
), k AS (
  INSERT INTO job_keys (key, job_id, content_hash, created_at)
  SELECT :key::text, :id, :hash, :now FROM o WHERE :key::text IS NOT NULL
  ON CONFLICT (key) DO NOTHING
  RETURNING job_id
), j AS (
  INSERT INTO jobs (id, key, kind, queue, priority, payload, run_at, max_attempts, backoff, timeout_us, expires_at, delivery, tags, created_at)
  SELECT :id, :key, :kind, :queue, :priority, :payload, :run_at, :max_attempts, :backoff, :timeout_us, :expires_at, :delivery, :tags, :now
  FROM o
  WHERE :key IS NULL OR EXISTS (SELECT FROM k)
  ON CONFLICT (id) DO NOTHING
  RETURNING id
), l AS (
  INSERT INTO leases (id, worker_id, queue, until, claimed_at, open, jobs, attempts, tries, losses, runs, since)
  SELECT :lease, :worker, :queue, :until, :now, 1, ARRAY[id], ARRAY[1], ARRAY[1], ARRAY[0], ARRAY[1], ARRAY[:now::bigint] FROM j
), f AS (
  INSERT INTO facts (n, type, queue, from_state, to_state, at, subjects, attempts, data)
  SELECT 1, 'job.queued', :queue, NULL, 'queued', :now, ARRAY[id], NULL::integer[], NULL FROM j
  UNION ALL
  SELECT 1, 'job.running', :queue, 'queued', 'running', :now, ARRAY[id], ARRAY[1], json_build_object('worker', :worker_name::text)::text FROM j
)
SELECT id FROM j
