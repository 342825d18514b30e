-- Writes down how far jobs have come, each only if the lease is the worker's and holds that attempt. What has gone on under a lease that
-- is locked by then is seen.
SELECT id FROM leases WHERE id = ANY (ARRAY(SELECT (r ->> 'lease')::uuid FROM jsonb_array_elements(:rows::jsonb) AS r)) ORDER BY id FOR SHARE;
INSERT INTO checkpoints (job_id, seq, era, attempt, progress, moved, at, told_at)
SELECT h.job_id, 0, 1, h.attempt, r.progress, false, :now, 0
FROM jsonb_to_recordset(:rows::jsonb) AS r (lease uuid, job uuid, attempt integer, progress text)
CROSS JOIN LATERAL (
  SELECT x.job_id, x.attempt FROM held x WHERE x.lease_id = r.lease AND x.job_id = r.job AND x.attempt = r.attempt AND x.worker_id = :worker OFFSET 0) h
ORDER BY h.job_id
ON CONFLICT (job_id) DO UPDATE SET progress = excluded.progress
