-- What is still held under some leases.
SELECT h.lease_id, h.worker_id, h.queue, h.job_id, j.kind, h.attempt, h.tries, h.losses, h.run, h.since, j.delivery
FROM held h
{{straight_join}} jobs j {{by_key}} ON j.id = h.job_id
WHERE h.lease_id {{in :leases uuid}}
ORDER BY h.lease_id, h.job_id
LIMIT :limit
