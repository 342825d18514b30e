-- Leases what `c` holds, in the order of ids, and tells the fact of it.
m AS MATERIALIZED (
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
