-- Extends every lease of a worker, and says which of its jobs were asked to stop.
WITH l AS (
  UPDATE leases SET until = greatest(until, :until) WHERE worker_id = :worker RETURNING id, jobs
)
SELECT 'lease', id FROM l
UNION ALL
SELECT 'cancel', c.job_id FROM cancellations c WHERE EXISTS (SELECT 1 FROM l WHERE c.job_id = ANY (l.jobs))
