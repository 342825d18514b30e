-- Moves the cursor of a job on, if the lease is the worker's and holds the attempt, and the cursor stands at the number before.
INSERT INTO checkpoints (job_id, seq, era, attempt, moved, at, told_at)
SELECT job_id, 0, 1, attempt, 0, :now, 0 FROM held
WHERE :seq = 1 AND lease_id = :lease AND job_id = :job AND attempt = :attempt AND worker_id = :worker
ON CONFLICT (job_id) DO NOTHING;
INSERT INTO facts (n, type, queue, at, subjects, attempts, items)
SELECT 1, 'job.checkpointed', h.queue, :now, json_array(h.job_id), json_array(h.attempt), :told
FROM held h JOIN checkpoints c ON c.job_id = h.job_id
WHERE h.lease_id = :lease AND h.job_id = :job AND h.attempt = :attempt AND h.worker_id = :worker AND c.seq = :seq - 1
  AND :now - c.told_at >= {{told_each}};
UPDATE checkpoints
SET seq = :seq, attempt = :attempt, lease_id = :lease, cursor = :cursor, progress = coalesce(:progress, progress),
  moved = moved AND attempt = :attempt OR coalesce(cursor, 'null') <> :cursor, at = :now,
  told_at = CASE WHEN :now - told_at >= {{told_each}} THEN :now ELSE told_at END
WHERE job_id = :job AND seq = :seq - 1
  AND EXISTS (SELECT 1 FROM held h WHERE h.lease_id = :lease AND h.job_id = :job AND h.attempt = :attempt AND h.worker_id = :worker);
SELECT changes() > 0,
  EXISTS (SELECT 1 FROM held h WHERE h.lease_id = :lease AND h.job_id = :job AND h.attempt = :attempt AND h.worker_id = :worker), c.seq, c.lease_id, c.at,
  CASE WHEN c.cursor = :cursor THEN 1 ELSE 0 END
FROM (SELECT 1) x LEFT JOIN checkpoints c ON c.job_id = :job
