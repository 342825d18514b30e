-- Leases what `claimed` holds, in the order of ids, and tells the fact of it.
mixed AS MATERIALIZED (
  SELECT EXISTS (SELECT 1 FROM claimed WHERE attempt > 0 OR losses > 0 OR run > 1) AS is_mixed
), ordered AS MATERIALIZED (
  -- In the order of ids, so that whoever records a result finds its place by halving.
  SELECT * FROM claimed ORDER BY job_id
), new_lease AS (
  -- The counters of a batch of first attempts go without saying.
  INSERT INTO leases (id, worker_id, queue, until, claimed_at, open, jobs, attempts, tries, losses, runs, since)
  SELECT :lease, :worker, :queue, :until, greatest(:now, max(o.since)), count(*), array_agg(o.job_id),
    CASE WHEN (SELECT is_mixed FROM mixed) THEN (SELECT array_agg(x.attempt + 1) FROM ordered x) END,
    CASE WHEN (SELECT is_mixed FROM mixed) THEN (SELECT array_agg(x.tries + 1) FROM ordered x) END,
    CASE WHEN (SELECT is_mixed FROM mixed) THEN (SELECT array_agg(x.losses) FROM ordered x) END,
    CASE WHEN (SELECT is_mixed FROM mixed) THEN (SELECT array_agg(x.run) FROM ordered x) END,
    array_agg(o.since)
  FROM ordered o
  HAVING count(*) > 0
  RETURNING claimed_at, jobs, attempts
), told AS (
  INSERT INTO facts (n, type, queue, from_state, to_state, at, subjects, attempts, data)
  SELECT cardinality(jobs), 'job.running', :queue, 'queued', 'running', claimed_at, jobs, attempts,
    json_strip_nulls(json_build_object('worker', :worker_name::text, 'attempt', CASE WHEN attempts IS NULL THEN 1 END))::text
  FROM new_lease
)
