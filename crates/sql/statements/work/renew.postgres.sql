-- Extends the leases that a worker names and has, and says which of their jobs were asked to stop. The leases are
-- locked in the order in which settlements lock them: else the two wait for each other in a circle. Each renewal
-- changes `until`, so that whoever watches sees it; a clock that was put back is followed back.
WITH renewed AS (
  UPDATE leases SET until = CASE WHEN :until::bigint BETWEEN until - :behind::bigint AND until THEN until + 1 ELSE :until::bigint END
  WHERE id = ANY (ARRAY(SELECT id FROM leases WHERE id = ANY (:leases::uuid[]) AND worker_id = :worker ORDER BY id FOR UPDATE))
  RETURNING id, jobs
)
SELECT 'lease', id FROM renewed l
UNION ALL
SELECT 'cancel', c.job_id FROM cancellations c WHERE EXISTS (SELECT 1 FROM renewed l WHERE c.job_id = ANY (l.jobs))
