-- Records first attempts of one lease that succeeded. Mostly nothing stands in the way of any, and they stand in the lease in a few
-- stretches without gaps: then each stretch is a row, and they are taken as they came. Else one row for all
-- that lie behind the last batch. A narrow row for each of the others and for what is too little for a batch. The leases of all that is
-- recorded beside it are locked first, in one order for all. What a lease holds is in the order of ids as well, so that the place of each is found by halving; of a lease that
-- is not, what is not found is left to `settle`, and so is a job that was asked to stop.
SELECT id FROM leases WHERE id = ANY (:leases::uuid[]) ORDER BY id FOR UPDATE;
WITH lease AS MATERIALIZED (
  -- Slices, for a look at a value that is kept apart would fetch all of it each time.
  SELECT id, queue, claimed_at, jobs[1 :] AS jobs,
    CASE WHEN cardinality(jobs) - open = (SELECT coalesce(sum(upper(r) - lower(r)), 0) FROM unnest(done) AS r) THEN done END AS done
  FROM leases WHERE id = :lease AND worker_id = :worker AND xmax = pg_current_xact_id()::xid
), stretches AS MATERIALIZED (
  -- The stretches: places that follow one another differ from their number here by the same.
  SELECT min(x.nth)::integer AS low, max(x.nth)::integer AS high, int4range(min(x.place), max(x.place) + 1) AS places,
    bool_and(coalesce((SELECT jobs FROM lease)[x.place] = x.job, false)) AS are_there
  FROM (SELECT j.job, j.nth, width_bucket(j.job, (SELECT jobs FROM lease)) AS place FROM unnest(:jobs::uuid[]) WITH ORDINALITY AS j (job, nth) OFFSET 0) x
  GROUP BY x.place - x.nth
), long_stretches AS MATERIALIZED (
  -- Those that become a row: where no batch is in between.
  SELECT m.low, m.high
  FROM stretches m
  WHERE m.high - m.low + 1 >= :least AND NOT EXISTS (
    SELECT 1 FROM (SELECT k.last FROM success_batches k WHERE k.first <= (:jobs::uuid[])[m.high] ORDER BY k.first DESC LIMIT 1) k
    WHERE k.last >= (:jobs::uuid[])[m.low])
), unhindered AS MATERIALIZED (
  SELECT m.places
  FROM lease l, (SELECT range_agg(m.places) AS places FROM stretches m HAVING bool_and(m.are_there)) m
  WHERE NOT l.done && m.places AND NOT EXISTS (SELECT 1 FROM cancellations)
    AND 2 * (SELECT sum(b.high - b.low + 1) FROM long_stretches b) >= cardinality(:jobs::uuid[])
), placed AS MATERIALIZED (
  SELECT p.*, width_bucket(p.job, (SELECT jobs FROM lease)) AS place
  FROM unnest(:jobs::uuid[], :queued_ats::bigint[], :started_ats::bigint[], :results::text[]) AS p (job, queued_at, started_at, result)
  WHERE NOT EXISTS (SELECT 1 FROM unhindered)
), recorded AS MATERIALIZED (
  SELECT p.*
  FROM placed p
  WHERE (SELECT jobs FROM lease)[p.place] = p.job
    AND CASE
      WHEN (SELECT done FROM lease) IS NOT NULL THEN NOT (SELECT done FROM lease) @> p.place
      ELSE NOT EXISTS (SELECT 1 FROM successes s WHERE s.job_id = p.job OFFSET 0)
        AND NOT EXISTS (SELECT 1 FROM attempts a WHERE a.job_id = p.job AND a.attempt = 1 OFFSET 0)
        AND NOT EXISTS (
          SELECT 1 FROM (SELECT last, jobs FROM success_batches WHERE first <= p.job ORDER BY first DESC LIMIT 1) k
          WHERE k.last >= p.job AND k.jobs[width_bucket(p.job, k.jobs)] = p.job
          OFFSET 0)
    END
    AND (NOT EXISTS (SELECT 1 FROM cancellations) OR NOT EXISTS (SELECT 1 FROM cancellations c WHERE c.job_id = p.job OFFSET 0))
), last_batch AS MATERIALIZED (
  SELECT (SELECT k.last FROM success_batches k WHERE k.first <= :last ORDER BY k.first DESC LIMIT 1) AS last
), behind AS MATERIALIZED (
  SELECT count(*)::integer AS n, array_agg(v.job) AS jobs, array_agg(v.queued_at) AS queued_ats, array_agg(v.started_at) AS started_ats,
    CASE WHEN bool_or(v.result IS NOT NULL) THEN array_agg(v.result) END AS results
  FROM (SELECT v.* FROM recorded v, last_batch e WHERE e.last IS NULL OR v.job > e.last ORDER BY v.job) v
  HAVING count(*) >= :least
), new_batches AS (
  INSERT INTO success_batches (first, last, n, worker_id, lease_id, claimed_at, ended_at, jobs, queued_ats, started_ats, results)
  SELECT k.jobs[1], k.jobs[k.n], k.n, :worker, l.id, l.claimed_at, :now, k.jobs, k.queued_ats, k.started_ats, k.results
  FROM lease l, (
    SELECT * FROM behind
    UNION ALL
    SELECT b.high - b.low + 1, (:jobs::uuid[])[b.low : b.high], (:queued_ats::bigint[])[b.low : b.high], (:started_ats::bigint[])[b.low : b.high],
      CASE WHEN cardinality(:results::text[]) > 0 THEN (:results::text[])[b.low : b.high] END
    FROM long_stretches b, unhindered) k
), singles AS MATERIALIZED (
  SELECT v.job, v.queued_at, v.started_at, v.result FROM recorded v, last_batch e WHERE v.job <= e.last OR NOT EXISTS (SELECT 1 FROM behind)
  UNION ALL
  SELECT u.*
  FROM unhindered, stretches m CROSS JOIN LATERAL unnest(
    (:jobs::uuid[])[m.low : m.high], (:queued_ats::bigint[])[m.low : m.high], (:started_ats::bigint[])[m.low : m.high], (:results::text[])[m.low : m.high]) AS u
  WHERE m.low NOT IN (SELECT b.low FROM long_stretches b)
), settlement AS (
  INSERT INTO settlements (worker_id, leases, claimed_at, ended_at)
  SELECT :worker, ARRAY[l.id], ARRAY[l.claimed_at], :now FROM lease l WHERE EXISTS (SELECT 1 FROM singles)
  RETURNING id
), new_successes AS (
  INSERT INTO successes (job_id, settlement_id, lease, queued_at, started_at, result)
  SELECT job, (SELECT id FROM settlement), 1, queued_at, started_at, result FROM singles
), totals AS MATERIALIZED (
  SELECT true AS are_all, cardinality(:jobs::uuid[]) AS n, :jobs::uuid[] AS jobs, w.places FROM unhindered w
  UNION ALL
  SELECT false, count(*)::integer, array_agg(job), range_agg(int4range(place, place + 1)) FROM recorded HAVING count(*) > 0
), shrunk_lease AS (
  UPDATE leases SET open = leases.open - g.n, done = leases.done + g.places FROM totals g WHERE leases.id = :lease AND leases.open > g.n
), ended_lease AS (
  DELETE FROM leases USING totals g WHERE leases.id = :lease AND leases.open <= g.n
), told AS (
  INSERT INTO facts (n, type, queue, from_state, to_state, at, subjects, data)
  SELECT g.n, 'job.succeeded', l.queue, 'running', 'succeeded', :now, g.jobs, '{"attempt":1}' FROM totals g, lease l
)
-- Which are recorded; nothing but the lease if all of them are.
SELECT CASE WHEN NOT are_all THEN jobs END, 1, :lease::uuid FROM totals
