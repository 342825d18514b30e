-- What was leased until before a moment and is still held.
SELECT h.lease_id, h.worker_id, h.queue, h.job_id, j.kind, h.attempt, h.tries, h.losses, h.run, h.since, j.delivery
FROM held h
JOIN jobs j ON j.id = h.job_id
WHERE h.until < :before
ORDER BY h.until, h.job_id
LIMIT :limit
