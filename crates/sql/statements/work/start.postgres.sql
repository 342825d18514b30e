-- Adds jobs whose id and key are free, leased to a worker, with the fact that tells both moves of each: what `enqueue` and
-- `claim` would do, without a place on the way. In an open queue only, else nothing is done. An idle
-- system waits for every step of this plan.
WITH requested AS MATERIALIZED (
  SELECT *
  FROM unnest(:ids::uuid[], :keys::text[], :hashes::text[], :kinds::text[], {{asked_of_each}})
    AS r (id, key, hash, kind, {{asked}})
  WHERE EXISTS (SELECT 1 FROM queues q WHERE {{is_open}})
), new_keys AS (
  -- In the order of the keys, so that two batches with the same keys wait for each other instead of dying.
  INSERT INTO job_keys (key, job_id, content_hash, created_at)
  SELECT key, id, hash, :now FROM requested WHERE key IS NOT NULL ORDER BY key
  ON CONFLICT (key) DO NOTHING
  RETURNING job_id
), new_jobs AS (
  INSERT INTO jobs (id, key, kind, queue, {{asked}}, created_at)
  SELECT id, key, kind, :queue, {{asked}}, :now
  FROM requested r
  WHERE (key IS NULL OR id IN (SELECT job_id FROM new_keys))
    AND NOT EXISTS (SELECT 1 FROM jobs x WHERE x.id = r.id OFFSET 0)
  RETURNING id
), together AS MATERIALIZED (
  SELECT count(*)::integer AS n, array_agg(id) AS jobs FROM (SELECT id FROM new_jobs ORDER BY id) o HAVING count(*) > 0
), new_lease AS (
  INSERT INTO leases (id, worker_id, queue, until, claimed_at, open, jobs, since)
  SELECT :lease, :worker, :queue, :until, :now, n, jobs, array_fill(:now::bigint, ARRAY[n]) FROM together
), told AS (
  INSERT INTO facts (n, type, queue, to_state, at, subjects, data)
  SELECT n, 'job.started', :queue, 'running', :now, jobs, :data FROM together
)
SELECT id FROM new_jobs
