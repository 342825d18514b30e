-- Leases these jobs as far as they can be claimed from a queue that has no limits of its own.
-- A claim is never dated before its jobs were there to be claimed, although its moment was read earlier.
WITH c AS (
  DELETE FROM ready
  WHERE ctid = ANY (ARRAY(
    SELECT r.ctid
    FROM ready r
    WHERE r.job_id = ANY (:jobs::uuid[])
      AND r.queue = (SELECT q.name FROM queues q WHERE q.name = :queue AND NOT q.paused AND q.max_running IS NULL AND q.rate IS NULL
        AND NOT EXISTS (SELECT 1 FROM leases l WHERE l.id = :lease))
      AND (r.expires_at IS NULL OR r.expires_at > :now)
    FOR UPDATE SKIP LOCKED))
  RETURNING priority, run_at, job_id, expires_at, since, attempt, tries, losses, run
), m AS MATERIALIZED (
  SELECT EXISTS (SELECT 1 FROM c WHERE attempt > 0 OR losses > 0 OR run > 1) AS is_mixed
), o AS MATERIALIZED (
  -- In the order of ids, so that whoever records a result finds its place by halving.
  SELECT * FROM c ORDER BY job_id
), l AS (
  -- The counters of a batch of first attempts go without saying.
  INSERT INTO leases (id, worker_id, queue, until, claimed_at, open, jobs, attempts, tries, losses, runs, since)
  SELECT :lease, :worker, :queue, :until, greatest(:now, max(o.since)), count(*), array_agg(o.job_id),
    CASE WHEN (SELECT is_mixed FROM m) THEN (SELECT array_agg(x.attempt + 1) FROM o x) END,
    CASE WHEN (SELECT is_mixed FROM m) THEN (SELECT array_agg(x.tries + 1) FROM o x) END,
    CASE WHEN (SELECT is_mixed FROM m) THEN (SELECT array_agg(x.losses) FROM o x) END,
    CASE WHEN (SELECT is_mixed FROM m) THEN (SELECT array_agg(x.run) FROM o x) END,
    array_agg(o.since)
  FROM o
  HAVING count(*) > 0
  RETURNING claimed_at, jobs, attempts
), f AS (
  INSERT INTO facts (n, type, queue, from_state, to_state, at, subjects, attempts, data)
  SELECT cardinality(jobs), 'job.running', :queue, 'queued', 'running', claimed_at, jobs, attempts,
    json_strip_nulls(json_build_object('worker', :worker_name::text, 'attempt', CASE WHEN attempts IS NULL THEN 1 END))::text
  FROM l
)
SELECT c.job_id, :lease::uuid AS lease_id, c.attempt + 1, c.tries + 1, c.losses, c.run, c.since, j.kind, j.queue, j.payload, j.max_attempts, j.backoff, j.timeout_us, c.expires_at, j.delivery, j.created_at,
  -- Other claims need not wait for the disk. This one must: a server that forgot it would have the call made again.
  CASE WHEN j.delivery = 'at_most_once' THEN set_config('synchronous_commit', 'on', true) END
-- Sorted while it is narrow: the join is a look-up of each in turn, and keeps the order.
FROM (SELECT * FROM c ORDER BY priority, run_at, job_id OFFSET 0) c
JOIN jobs j ON j.id = c.job_id
