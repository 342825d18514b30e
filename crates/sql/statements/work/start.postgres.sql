-- Adds jobs whose id and key are free, leased to a worker, with both facts of each: in an open queue
-- only, else nothing is done.
WITH r AS MATERIALIZED (
  SELECT * FROM jsonb_to_recordset(:rows::jsonb) AS r (
    id uuid, key text, hash text, kind text, priority smallint, payload text, max_attempts integer, backoff text,
    timeout_us bigint, run_at bigint, expires_at bigint, delivery text, tags text)
  WHERE EXISTS (SELECT FROM queues WHERE name = :queue AND NOT paused AND max_running IS NULL AND rate IS NULL)
), k AS (
  -- In the order of the keys, so that two batches with the same keys wait for each other instead of dying.
  INSERT INTO job_keys (key, job_id, content_hash, created_at)
  SELECT key, id, hash, :now FROM r WHERE key IS NOT NULL ORDER BY key
  ON CONFLICT (key) DO NOTHING
  RETURNING job_id
), j AS (
  INSERT INTO jobs (id, key, kind, queue, priority, payload, run_at, max_attempts, backoff, timeout_us, expires_at, delivery, tags, created_at)
  SELECT id, key, kind, :queue, priority, payload, run_at, max_attempts, backoff, timeout_us, expires_at, delivery, tags, :now
  FROM r
  WHERE key IS NULL OR id IN (SELECT job_id FROM k)
  ON CONFLICT (id) DO NOTHING
  RETURNING id
), a AS (
  SELECT count(*)::integer AS n, array_agg(id) AS jobs, array_agg(1) AS ones, array_agg(0) AS zeros, array_agg(:now::bigint) AS since
  FROM j
  HAVING count(*) > 0
), l AS (
  INSERT INTO leases (id, worker_id, queue, until, claimed_at, open, jobs, attempts, tries, losses, runs, since)
  SELECT :lease, :worker, :queue, :until, :now, n, jobs, ones, ones, zeros, ones, since FROM a
), f AS (
  INSERT INTO facts (n, type, queue, from_state, to_state, at, subjects, attempts, data)
  SELECT n, 'job.queued', :queue, NULL, 'queued', :now, jobs, NULL::integer[], NULL FROM a
  UNION ALL
  SELECT n, 'job.running', :queue, 'queued', 'running', :now, jobs, ones, json_build_object('worker', :worker_name::text)::text FROM a
)
SELECT id FROM j
