-- Queues that can be claimed from: found by leaping from queue to queue, not by reading the line. One that
-- is not there was forgotten at the very moment a job came to it.
WITH RECURSIVE ready_queues (name) AS (
  SELECT '' {{byte_order}}
  UNION ALL
  SELECT (SELECT r.queue FROM ready r WHERE r.queue > n.name AND r.run >= 1 ORDER BY r.queue, r.priority, r.run_at, r.job_id LIMIT 1)
  FROM ready_queues n WHERE n.name IS NOT NULL
), batch_queues (name) AS (
  SELECT '' {{byte_order}}
  UNION ALL
  SELECT (SELECT x.queue FROM ready_batches x WHERE x.queue > b.name AND x.n >= 1 ORDER BY x.queue, x.run_at, x.first LIMIT 1)
  FROM batch_queues b WHERE b.name IS NOT NULL
)
SELECT n.name, CASE WHEN q.max_running IS NOT NULL OR q.rate IS NOT NULL THEN 1 ELSE 0 END, CASE WHEN q.name IS NULL THEN 1 ELSE 0 END,
  coalesce(q.worked_by, 'server')
FROM (SELECT name FROM ready_queues UNION SELECT name FROM batch_queues) n
LEFT JOIN queues q ON q.name = n.name
WHERE n.name <> '' AND NOT coalesce(q.paused, false)
ORDER BY n.name
