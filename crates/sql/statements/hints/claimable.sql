-- What could have been claimed since before a moment, by queue and turn; whether each is worth a hint.
SELECT r.queue, r.priority, r.run_at, r.job_id,
  CASE WHEN r.since < :before AND EXISTS (
    SELECT 1 FROM queues q WHERE q.name = r.queue AND NOT q.paused AND q.max_running IS NULL AND q.rate IS NULL AND q.worked_by <> 'remote') THEN 1 ELSE 0 END
FROM ready r
WHERE r.run >= 1 AND (r.queue, r.priority, r.run_at, r.job_id) > (:queue, :priority, :run_at, :job)
ORDER BY r.queue, r.priority, r.run_at, r.job_id
LIMIT :limit
