-- What is wanted of some workers, in one look. A job that one of them holds no more it leaves out by itself, as after a renewal.
SELECT w.id, CASE WHEN w.drain THEN 1 ELSE 0 END, CASE WHEN w.left_at IS NULL THEN 0 ELSE 1 END, NULL::uuid
FROM workers w
WHERE w.id = ANY (:workers::uuid[]) AND (w.drain OR w.left_at IS NOT NULL)
UNION ALL
SELECT l.worker_id, 0, 0, c.job_id
FROM leases l JOIN cancellations c ON c.job_id = ANY (l.jobs)
WHERE l.worker_id = ANY (:workers::uuid[]) AND EXISTS (SELECT 1 FROM cancellations)
