-- Adds jobs whose id and key are free, each in its place, with their facts.
WITH r AS MATERIALIZED (
  SELECT * FROM jsonb_to_recordset(:rows::jsonb) AS r (
    id uuid, key text, hash text, queue text, kind text, priority smallint, payload text, max_attempts integer, backoff text,
    timeout_us bigint, run_at bigint, expires_at bigint, delivery text, tags text)
), k AS (
  -- In the order of the keys, so that two batches with the same keys wait for each other instead of dying.
  INSERT INTO job_keys (key, job_id, content_hash, created_at)
  SELECT key, id, hash, :now FROM r WHERE key IS NOT NULL ORDER BY key
  ON CONFLICT (key) DO NOTHING
  RETURNING job_id
), j AS (
  INSERT INTO jobs (id, key, kind, queue, priority, payload, run_at, max_attempts, backoff, timeout_us, expires_at, delivery, tags, created_at)
  SELECT id, key, kind, queue, priority, payload, run_at, max_attempts, backoff, timeout_us, expires_at, delivery, tags, :now
  FROM r
  WHERE key IS NULL OR id IN (SELECT job_id FROM k)
  ON CONFLICT (id) DO NOTHING
  RETURNING id, queue, priority, run_at, expires_at, CASE WHEN run_at > :now THEN 'pending' ELSE 'queued' END AS state
), w AS (
  INSERT INTO waiting (job_id, state, queue, priority, run_at, expires_at, since, attempt, tries, losses, run)
  SELECT id, state, queue, priority, run_at, expires_at, :now, 0, 0, 0, 1 FROM j WHERE state = 'pending'
), q AS (
  INSERT INTO ready (queue, priority, run_at, job_id, expires_at, since, attempt, tries, losses, run)
  SELECT queue, priority, run_at, id, expires_at, :now, 0, 0, 0, 1 FROM j WHERE state = 'queued'
), n AS (
  INSERT INTO queues (name, created_at) SELECT DISTINCT queue, :now FROM j ORDER BY queue ON CONFLICT (name) DO NOTHING
), f AS (
  INSERT INTO facts (n, type, queue, to_state, at, subjects, items)
  SELECT count(*), 'job.' || state, queue, state, :now, array_agg(id),
    CASE WHEN state = 'pending' THEN json_agg(json_build_object('run_at', run_at))::text END
  FROM j GROUP BY queue, state
)
SELECT id FROM j
