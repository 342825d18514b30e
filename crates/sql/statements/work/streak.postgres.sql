-- Records first attempts of one lease that succeeded. Mostly nothing stands in the way of any, and they stand in the lease in a few
-- stretches without gaps: then each stretch is a row, and they are taken as they came. Else one row for all
-- that lie behind the last streak. A narrow row for each of the others and for what is too little for a streak. The leases of all that is
-- recorded beside it are locked first, in one order for all. What a lease holds is in the order of ids as well, so that the place of each is found by halving; of a lease that
-- is not, what is not found is left to `settle`, and so is a job that was asked to stop.
SELECT id FROM leases WHERE id = ANY (:leases::uuid[]) ORDER BY id FOR UPDATE;
WITH l AS MATERIALIZED (
  -- Slices, for a look at a value that is kept apart would fetch all of it each time.
  SELECT id, queue, claimed_at, jobs[1 :] AS jobs,
    CASE WHEN cardinality(jobs) - open = (SELECT coalesce(sum(upper(r) - lower(r)), 0) FROM unnest(done) AS r) THEN done END AS done
  FROM leases WHERE id = :lease AND worker_id = :worker AND xmax = pg_current_xact_id()::xid
), m AS MATERIALIZED (
  -- The stretches: places that follow one another differ from their number here by the same.
  SELECT min(x.nth)::integer AS low, max(x.nth)::integer AS high, int4range(min(x.place), max(x.place) + 1) AS places,
    bool_and(coalesce((SELECT jobs FROM l)[x.place] = x.job, false)) AS are_there
  FROM (SELECT j.job, j.nth, width_bucket(j.job, (SELECT jobs FROM l)) AS place FROM unnest(:jobs::uuid[]) WITH ORDINALITY AS j (job, nth) OFFSET 0) x
  GROUP BY x.place - x.nth
), b AS MATERIALIZED (
  -- Those that become a row: where no streak is in between.
  SELECT m.low, m.high
  FROM m
  WHERE m.high - m.low + 1 >= :least AND NOT EXISTS (
    SELECT 1 FROM (SELECT k.last FROM streaks k WHERE k.first <= (:jobs::uuid[])[m.high] ORDER BY k.first DESC LIMIT 1) k
    WHERE k.last >= (:jobs::uuid[])[m.low])
), w AS MATERIALIZED (
  SELECT m.places
  FROM l, (SELECT range_agg(m.places) AS places FROM m HAVING bool_and(m.are_there)) m
  WHERE NOT l.done && m.places AND NOT EXISTS (SELECT 1 FROM cancellations)
    AND 2 * (SELECT sum(b.high - b.low + 1) FROM b) >= cardinality(:jobs::uuid[])
), p AS MATERIALIZED (
  SELECT p.*, width_bucket(p.job, (SELECT jobs FROM l)) AS place
  FROM unnest(:jobs::uuid[], :queued_ats::bigint[], :started_ats::bigint[], :results::text[]) AS p (job, queued_at, started_at, result)
  WHERE NOT EXISTS (SELECT 1 FROM w)
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
  SELECT k.jobs[1], k.jobs[k.n], k.n, :worker, l.id, l.claimed_at, :now, k.jobs, k.queued_ats, k.started_ats, k.results
  FROM l, (
    SELECT * FROM k
    UNION ALL
    SELECT b.high - b.low + 1, (:jobs::uuid[])[b.low : b.high], (:queued_ats::bigint[])[b.low : b.high], (:started_ats::bigint[])[b.low : b.high],
      CASE WHEN cardinality(:results::text[]) > 0 THEN (:results::text[])[b.low : b.high] END
    FROM b, w) k
), o AS MATERIALIZED (
  SELECT v.job, v.queued_at, v.started_at, v.result FROM v, e WHERE v.job <= e.last OR NOT EXISTS (SELECT 1 FROM k)
  UNION ALL
  SELECT u.*
  FROM w, m CROSS JOIN LATERAL unnest(
    (:jobs::uuid[])[m.low : m.high], (:queued_ats::bigint[])[m.low : m.high], (:started_ats::bigint[])[m.low : m.high], (:results::text[])[m.low : m.high]) AS u
  WHERE m.low NOT IN (SELECT b.low FROM b)
), t AS (
  INSERT INTO settlements (worker_id, leases, claimed_at, ended_at)
  SELECT :worker, ARRAY[l.id], ARRAY[l.claimed_at], :now FROM l WHERE EXISTS (SELECT 1 FROM o)
  RETURNING id
), s AS (
  INSERT INTO successes (job_id, settlement_id, lease, queued_at, started_at, result)
  SELECT job, (SELECT id FROM t), 1, queued_at, started_at, result FROM o
), g AS MATERIALIZED (
  SELECT true AS are_all, cardinality(:jobs::uuid[]) AS n, :jobs::uuid[] AS jobs, w.places FROM w
  UNION ALL
  SELECT false, count(*)::integer, array_agg(job), range_agg(int4range(place, place + 1)) FROM v HAVING count(*) > 0
), u AS (
  UPDATE leases SET open = leases.open - g.n, done = leases.done + g.places FROM g WHERE leases.id = :lease AND leases.open > g.n
), d AS (
  DELETE FROM leases USING g WHERE leases.id = :lease AND leases.open <= g.n
), f AS (
  INSERT INTO facts (n, type, queue, from_state, to_state, at, subjects, data)
  SELECT g.n, 'job.succeeded', l.queue, 'running', 'succeeded', :now, g.jobs, '{"attempt":1}' FROM g, l
)
-- Which are recorded; nothing but the lease if all of them are.
SELECT CASE WHEN NOT are_all THEN jobs END, 1, :lease::uuid FROM g
