-- Extends every lease of a worker, and says which of its jobs were asked to stop. The leases are
-- locked in the order in which settlements lock them: else the two wait for each other in a circle.
WITH l AS (
  UPDATE leases SET until = greatest(until, :until)
  WHERE id = ANY (ARRAY(SELECT id FROM leases WHERE worker_id = :worker ORDER BY id FOR UPDATE))
  RETURNING id, jobs
)
SELECT 'lease', id FROM l
UNION ALL
SELECT 'cancel', c.job_id FROM cancellations c WHERE EXISTS (SELECT 1 FROM l WHERE c.job_id = ANY (l.jobs))
