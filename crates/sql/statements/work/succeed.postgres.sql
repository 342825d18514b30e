-- Records first attempts that succeeded: a narrow row each, and what they have in common once. The
-- leases are locked first, in one order for all, so that the second statement sees every result that
-- was recorded and every wish to cancel that was heard before; a job with such a wish is left to
-- `settle`. `place` is the number of a job's lease in `leases`: two lists of a thousand are never joined.
SELECT id FROM leases WHERE id = ANY (:leases::uuid[]) ORDER BY id FOR UPDATE;
WITH held_leases AS MATERIALIZED (
  SELECT id, jobs, open < cardinality(jobs) AS is_begun FROM leases WHERE id = ANY (:leases::uuid[]) AND worker_id = :worker AND xmax = pg_current_xact_id()::xid
), recorded AS MATERIALIZED (
  SELECT p.*
  FROM unnest(:jobs::uuid[], :places::smallint[], :queued_ats::bigint[], :started_ats::bigint[], :results::text[]) AS p (job, place, queued_at, started_at, result)
  -- Inside a CASE it is looked up in a hash; as a join it would be a thousand times a thousand. Of a lease
  -- that has all its jobs nothing is recorded: there is nothing to look for.
  WHERE CASE
      WHEN ((:leases::uuid[])[p.place], p.job) IN (SELECT l.id, unnest(l.jobs) FROM held_leases l WHERE NOT l.is_begun) THEN true
      WHEN ((:leases::uuid[])[p.place], p.job) IN (SELECT l.id, unnest(l.jobs) FROM held_leases l WHERE l.is_begun)
      THEN NOT EXISTS (SELECT 1 FROM successes s WHERE s.job_id = p.job OFFSET 0)
        AND NOT EXISTS (SELECT 1 FROM attempts a WHERE a.job_id = p.job AND a.attempt = 1 OFFSET 0)
        AND NOT EXISTS (
          SELECT 1 FROM (SELECT last, jobs FROM success_batches WHERE first <= p.job ORDER BY first DESC LIMIT 1) k
          WHERE k.last >= p.job AND k.jobs[width_bucket(p.job, k.jobs)] = p.job
          OFFSET 0)
    END
    AND (NOT EXISTS (SELECT 1 FROM cancellations) OR NOT EXISTS (SELECT 1 FROM cancellations c WHERE c.job_id = p.job OFFSET 0))
), settlement AS (
  INSERT INTO settlements (worker_id, leases, claimed_at, ended_at)
  SELECT :worker, array_agg(u.id ORDER BY u.place), array_agg(coalesce(l.claimed_at, 0) ORDER BY u.place), :now
  FROM unnest(:leases::uuid[]) WITH ORDINALITY AS u (id, place)
  LEFT JOIN leases l ON l.id = u.id
  WHERE EXISTS (SELECT 1 FROM recorded)
  HAVING count(*) > 0
  RETURNING id
), new_successes AS (
  INSERT INTO successes (job_id, settlement_id, lease, queued_at, started_at, result)
  SELECT job, (SELECT id FROM settlement), place, queued_at, started_at, result FROM recorded
  RETURNING job_id, lease
), by_lease AS MATERIALIZED (
  SELECT (:leases::uuid[])[lease] AS lease_id, count(*)::integer AS n, array_agg(job_id) AS jobs FROM new_successes GROUP BY lease
), shrunk_leases AS (
  UPDATE leases SET open = leases.open - g.n, done = leases.done + places_in(leases.jobs, g.jobs) FROM by_lease g WHERE leases.id = g.lease_id AND leases.open > g.n
), ended_leases AS (
  DELETE FROM leases USING by_lease g WHERE leases.id = g.lease_id AND leases.open <= g.n
), told AS (
  INSERT INTO facts (n, type, queue, from_state, to_state, at, subjects, data)
  SELECT g.n, 'job.succeeded', l.queue, 'running', 'succeeded', :now, g.jobs, '{"attempt":1}'
  FROM by_lease g JOIN leases l ON l.id = g.lease_id
)
SELECT job_id, 1, (:leases::uuid[])[lease] FROM new_successes
