-- What is wanted of some workers, in one look.
SELECT w.id, CASE WHEN w.drain THEN 1 ELSE 0 END, CASE WHEN w.left_at IS NULL THEN 0 ELSE 1 END, NULL
FROM workers w {{by_key}}
WHERE w.id {{in :workers uuid}} AND (w.drain OR w.left_at IS NOT NULL)
UNION ALL
SELECT l.worker_id, 0, 0, c.job_id
FROM cancellations c
{{straight_join}} leased h {{by_key}} ON h.job_id = c.job_id
{{straight_join}} leases l {{by_key}} ON l.id = h.lease_id
WHERE l.worker_id {{in :workers uuid}}
