-- What could have been claimed since before a moment, by queue and turn; whether each is worth a hint. Each column of the turn has a
-- look of its own: a comparison of rows would read the line from its beginning.
SELECT x.queue, x.priority, x.run_at, x.job_id,
  CASE WHEN x.since < :before AND q.name IS NOT NULL THEN 1 ELSE 0 END
FROM (
  SELECT * FROM (
    SELECT queue, priority, run_at, job_id, since FROM ready WHERE queue = :queue AND priority = :priority AND run_at = :run_at AND job_id > :job
    ORDER BY queue, priority, run_at, job_id LIMIT :limit) a
  UNION ALL
  SELECT * FROM (
    SELECT queue, priority, run_at, job_id, since FROM ready WHERE queue = :queue AND priority = :priority AND run_at > :run_at
    ORDER BY queue, priority, run_at, job_id LIMIT :limit) b
  UNION ALL
  SELECT * FROM (
    SELECT queue, priority, run_at, job_id, since FROM ready WHERE queue = :queue AND priority > :priority
    ORDER BY queue, priority, run_at, job_id LIMIT :limit) c
  UNION ALL
  SELECT * FROM (
    SELECT queue, priority, run_at, job_id, since FROM ready WHERE queue > :queue
    ORDER BY queue, priority, run_at, job_id LIMIT :limit) d
  ORDER BY queue, priority, run_at, job_id
  LIMIT :limit) x
LEFT JOIN queues q ON q.name = x.queue AND NOT q.paused AND q.max_running IS NULL AND q.rate IS NULL AND q.worked_by <> 'remote'
ORDER BY x.queue, x.priority, x.run_at, x.job_id
