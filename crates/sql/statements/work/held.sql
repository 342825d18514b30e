-- What is still held under some leases, and whether each attempt has moved the cursor of its job.
SELECT h.lease_id, h.worker_id, h.queue, h.job_id, j.kind, h.attempt, h.tries, h.losses, h.run, h.since, j.delivery,
  CASE WHEN c.job_id IS NULL THEN 0 ELSE 1 END
FROM held h
{{straight_join}} jobs j {{by_key}} ON j.id = h.job_id
LEFT JOIN checkpoints c ON c.job_id = h.job_id AND c.attempt = h.attempt AND c.moved
WHERE h.lease_id {{in :leases uuid}}
ORDER BY h.lease_id, h.job_id
LIMIT :limit
