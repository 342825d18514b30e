-- Moves the cursor of a job on, if the lease is the worker's and holds the attempt, and the cursor stands at the number before. The
-- lease is locked first: whoever settles or takes back what it holds waits, or has done so before the second statement looks.
SELECT id FROM leases WHERE id = :lease FOR SHARE;
INSERT INTO checkpoints (job_id, seq, era, attempt, moved, at, told_at)
SELECT job_id, 0, 1, attempt, false, :now, 0 FROM held
WHERE :seq = 1 AND lease_id = :lease AND job_id = :job AND attempt = :attempt AND worker_id = :worker
ON CONFLICT (job_id) DO NOTHING;
SELECT seq FROM checkpoints WHERE job_id = :job FOR UPDATE;
WITH holding AS MATERIALIZED (
  SELECT queue FROM held WHERE lease_id = :lease AND job_id = :job AND attempt = :attempt AND worker_id = :worker
), standing AS MATERIALIZED (
  SELECT seq, lease_id, at, told_at, cursor FROM checkpoints WHERE job_id = :job
), saved AS (
  UPDATE checkpoints c
  SET seq = :seq, attempt = :attempt, lease_id = :lease, cursor = :cursor, progress = coalesce(:progress, c.progress),
    moved = c.moved AND c.attempt = :attempt OR coalesce(c.cursor, 'null') <> :cursor, at = :now,
    told_at = CASE WHEN :now - c.told_at >= {{told_each}} THEN :now ELSE c.told_at END
  FROM holding
  WHERE c.job_id = :job AND c.seq = :seq - 1
  RETURNING c.job_id
), told AS (
  INSERT INTO facts (n, type, queue, at, subjects, attempts, items)
  SELECT 1, 'job.checkpointed', h.queue, :now, ARRAY[s.job_id], ARRAY[:attempt::integer], :told
  FROM saved s, holding h, standing c
  WHERE :now - c.told_at >= {{told_each}}
)
SELECT (SELECT count(*) FROM saved), (SELECT count(*) FROM holding), c.seq, c.lease_id, c.at,
  CASE WHEN c.cursor = :cursor THEN 1 ELSE 0 END::bigint
FROM (SELECT 1) x LEFT JOIN standing c ON true
