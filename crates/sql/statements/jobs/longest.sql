-- The jobs that are held for longest, of the oldest leases, each of which holds one at least.
SELECT job_id FROM held
WHERE lease_id IN (SELECT id FROM (SELECT id FROM leases ORDER BY claimed_at, id LIMIT :limit) x)
ORDER BY claimed_at, job_id
LIMIT :limit
