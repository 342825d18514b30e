-- Moves the cursor of a job on, if the lease is the worker's and holds the attempt, and the cursor stands at the number before. The
-- lease is locked first: whoever settles or takes back what it holds waits, or has done so before what follows looks.
SELECT max(l.id), max(l.queue) INTO @lease, @queue FROM leases l FORCE INDEX (PRIMARY) WHERE l.id = :lease AND l.worker_id = :worker LOCK IN SHARE MODE;
SELECT max(h.job_id) INTO @held FROM leased h FORCE INDEX (PRIMARY) WHERE h.job_id = :job AND h.lease_id = @lease AND h.attempt = :attempt;
SELECT coalesce(@held, max(:job)) INTO @held
FROM leased_blocks b FORCE INDEX (PRIMARY)
WHERE b.lease_id = @lease AND b.block = {{block :job}} AND (b.bits & {{bit :job}}) > 0 AND :attempt = 1;
INSERT INTO checkpoints (job_id, seq, era, attempt, moved, at, told_at)
SELECT :job, 0, 1, :attempt, 0, :now, 0 WHERE @held IS NOT NULL AND :seq = 1
ON DUPLICATE KEY UPDATE job_id = checkpoints.job_id;
SELECT max(c.told_at) INTO @told_at FROM checkpoints c FORCE INDEX (PRIMARY) WHERE c.job_id = :job AND c.seq = :seq - 1 FOR UPDATE;
UPDATE checkpoints FORCE INDEX (PRIMARY)
SET moved = CASE WHEN moved = 1 AND attempt = :attempt OR coalesce(cursor, 'null') <> :cursor THEN 1 ELSE 0 END,
  told_at = CASE WHEN :now - told_at >= {{told_each}} THEN :now ELSE told_at END,
  seq = :seq, attempt = :attempt, lease_id = :lease, cursor = :cursor, progress = coalesce(:progress, progress), at = :now
WHERE job_id = :job AND seq = :seq - 1 AND @held IS NOT NULL;
SET @saved = row_count();
INSERT INTO facts (n, type, queue, at, subjects, attempts, items)
SELECT 1, 'job.checkpointed', @queue, :now, json_array(:job), json_array(:attempt), :told WHERE @saved > 0 AND :now - @told_at >= {{told_each}};
SELECT @saved > 0, @held IS NOT NULL, c.seq, c.lease_id, c.at,
  CASE WHEN c.cursor = :cursor THEN 1 ELSE 0 END
FROM (SELECT 1 AS one) x LEFT JOIN checkpoints c ON c.job_id = :job
