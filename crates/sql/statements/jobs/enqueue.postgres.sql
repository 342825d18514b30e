-- Adds jobs whose id and key are free, each in its place, with their facts. Ids are looked up rather
-- than left to ON CONFLICT: its speculative insertion costs a record of the log for every row.
WITH requested AS MATERIALIZED (
  SELECT *
  FROM unnest(:ids::uuid[], :keys::text[], :hashes::text[], :queues::text[], :kinds::text[], {{asked_of_each}})
    AS r (id, key, hash, queue, kind, {{asked}})
), new_keys AS (
  -- In the order of the keys, so that two batches with the same keys wait for each other instead of dying.
  INSERT INTO job_keys (key, job_id, content_hash, created_at)
  SELECT key, id, hash, :now FROM requested WHERE key IS NOT NULL ORDER BY key
  ON CONFLICT (key) DO NOTHING
  RETURNING job_id
), new_jobs AS (
  INSERT INTO jobs (id, key, kind, queue, {{asked}}, created_at)
  SELECT id, key, kind, queue, {{asked}}, :now
  FROM requested r
  WHERE (key IS NULL OR id IN (SELECT job_id FROM new_keys))
    AND NOT EXISTS (SELECT 1 FROM jobs x WHERE x.id = r.id OFFSET 0)
  RETURNING id, queue, priority, run_at, expires_at
), new_waiting AS (
  INSERT INTO waiting (job_id, state, queue, priority, run_at, expires_at, since, attempt, tries, losses, run)
  SELECT id, 'pending', queue, priority, run_at, expires_at, :now, 0, 0, 0, 1 FROM new_jobs WHERE run_at > :now
), new_ready AS (
  INSERT INTO ready (queue, priority, run_at, job_id, expires_at, since, attempt, tries, losses, run)
  SELECT queue, priority, run_at, id, expires_at, :now, 0, 0, 0, 1 FROM new_jobs WHERE run_at <= :now
), by_queue AS MATERIALIZED (
  SELECT queue, run_at > :now AS is_waiting, count(*) AS n, array_agg(id) AS ids,
    CASE WHEN run_at > :now THEN json_agg(json_build_object('run_at', run_at))::text END AS items
  FROM new_jobs
  GROUP BY queue, run_at > :now
), new_queues AS (
  INSERT INTO queues (name, created_at, worked_by)
  SELECT DISTINCT queue, :now, CASE WHEN queue = ANY (:remote::text[]) THEN 'remote' ELSE 'server' END FROM by_queue ORDER BY queue
  ON CONFLICT (name) DO NOTHING
), told AS (
  INSERT INTO facts (n, type, queue, to_state, at, subjects, items)
  SELECT n, CASE WHEN is_waiting THEN 'job.pending' ELSE 'job.queued' END, queue, CASE WHEN is_waiting THEN 'pending' ELSE 'queued' END, :now, ids, items
  FROM by_queue
)
SELECT count(*) FROM new_jobs
