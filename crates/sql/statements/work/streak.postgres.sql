-- Records first attempts of one lease that succeeded, one row for all that lie behind the last
-- streak, a narrow row for each of the others and for what is too little for a streak. The leases of all that is
-- recorded beside it are locked first, in one order for all. What a lease holds is in the order of ids as well, so that the place of each is found by halving; of a lease that
-- is not, what is not found is left to `settle`, and so is a job that was asked to stop.
SELECT id FROM leases WHERE id = ANY (:leases::uuid[]) ORDER BY id FOR UPDATE;
WITH l AS MATERIALIZED (
  -- Slices, for a look at a value that is kept apart would fetch all of it each time.
  SELECT id, queue, claimed_at, jobs[1 :] AS jobs,
    CASE WHEN cardinality(jobs) - open = (SELECT coalesce(sum(upper(r) - lower(r)), 0) FROM unnest(done) AS r) THEN done END AS done
  FROM leases WHERE id = :lease AND worker_id = :worker AND xmax = pg_current_xact_id()::xid
), p AS MATERIALIZED (
  SELECT p.*, width_bucket(p.job, (SELECT jobs FROM l)) AS place
  FROM unnest(:jobs::uuid[], :queued_ats::bigint[], :started_ats::bigint[], :results::text[]) AS p (job, queued_at, started_at, result)
), v AS MATERIALIZED (
  SELECT p.*
  FROM p
  WHERE (SELECT jobs FROM l)[p.place] = p.job
    AND CASE
      WHEN (SELECT done FROM l) IS NOT NULL THEN NOT (SELECT done FROM l) @> p.place
      ELSE NOT EXISTS (SELECT 1 FROM successes s WHERE s.job_id = p.job OFFSET 0)
        AND NOT EXISTS (SELECT 1 FROM attempts a WHERE a.job_id = p.job AND a.attempt = 1 OFFSET 0)
        AND NOT EXISTS (
          SELECT 1 FROM (SELECT last, jobs FROM streaks WHERE first <= p.job ORDER BY first DESC LIMIT 1) k
          WHERE k.last >= p.job AND k.jobs[width_bucket(p.job, k.jobs)] = p.job
          OFFSET 0)
    END
    AND (NOT EXISTS (SELECT 1 FROM cancellations) OR NOT EXISTS (SELECT 1 FROM cancellations c WHERE c.job_id = p.job OFFSET 0))
), e AS MATERIALIZED (
  SELECT (SELECT k.last FROM streaks k WHERE k.first <= :last ORDER BY k.first DESC LIMIT 1) AS last
), k AS MATERIALIZED (
  SELECT count(*)::integer AS n, array_agg(v.job) AS jobs, array_agg(v.queued_at) AS queued_ats, array_agg(v.started_at) AS started_ats,
    CASE WHEN bool_or(v.result IS NOT NULL) THEN array_agg(v.result) END AS results
  FROM (SELECT v.* FROM v, e WHERE e.last IS NULL OR v.job > e.last ORDER BY v.job) v
  HAVING count(*) >= :least
), i AS (
  INSERT INTO streaks (first, last, n, worker_id, lease_id, claimed_at, ended_at, jobs, queued_ats, started_ats, results)
  SELECT k.jobs[1], k.jobs[k.n], k.n, :worker, l.id, l.claimed_at, :now, k.jobs, k.queued_ats, k.started_ats, k.results FROM k, l
), o AS MATERIALIZED (
  SELECT v.* FROM v, e WHERE v.job <= e.last OR NOT EXISTS (SELECT 1 FROM k)
), t AS (
  INSERT INTO settlements (worker_id, leases, claimed_at, ended_at)
  SELECT :worker, ARRAY[l.id], ARRAY[l.claimed_at], :now FROM l WHERE EXISTS (SELECT 1 FROM o)
  RETURNING id
), s AS (
  INSERT INTO successes (job_id, settlement_id, lease, queued_at, started_at, result)
  SELECT job, (SELECT id FROM t), 1, queued_at, started_at, result FROM o
), g AS MATERIALIZED (
  SELECT count(*)::integer AS n, array_agg(job) AS jobs FROM v HAVING count(*) > 0
), h AS (
  -- Places that follow one another differ from their row number by the same.
  SELECT range_agg(int4range(low, high + 1)) AS places
  FROM (SELECT min(place) AS low, max(place) AS high FROM (SELECT place, place - row_number() OVER (ORDER BY place) AS island FROM v) x GROUP BY island) y
), u AS (
  UPDATE leases SET open = leases.open - g.n, done = leases.done + h.places FROM g, h WHERE leases.id = :lease AND leases.open > g.n
), d AS (
  DELETE FROM leases USING g WHERE leases.id = :lease AND leases.open <= g.n
), f AS (
  INSERT INTO facts (n, type, queue, from_state, to_state, at, subjects, data)
  SELECT g.n, 'job.succeeded', l.queue, 'running', 'succeeded', :now, g.jobs, '{"attempt":1}' FROM g, l
)
SELECT jobs, 1, :lease::uuid FROM g
