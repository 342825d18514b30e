-- Extends every lease of a worker, and says which of its jobs were asked to stop.
UPDATE leases SET until = max(until, :until) WHERE worker_id = :worker;
SELECT 'lease', id FROM leases WHERE worker_id = :worker
UNION ALL
SELECT 'cancel', c.job_id
FROM cancellations c JOIN leased h ON h.job_id = c.job_id JOIN leases l ON l.id = h.lease_id
WHERE l.worker_id = :worker;
