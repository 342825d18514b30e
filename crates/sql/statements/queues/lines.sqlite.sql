-- Queues that can be claimed from: found by leaping from queue to queue, not by reading the line. One that
-- is not there was forgotten at the very moment a job came to it.
WITH RECURSIVE n (name) AS (
  SELECT min(queue) FROM ready
  UNION ALL
  SELECT (SELECT min(r.queue) FROM ready r WHERE r.queue > n.name) FROM n WHERE n.name IS NOT NULL
), b (name) AS (
  SELECT min(queue) FROM bundles
  UNION ALL
  SELECT (SELECT min(x.queue) FROM bundles x WHERE x.queue > b.name) FROM b WHERE b.name IS NOT NULL
)
SELECT n.name, CASE WHEN q.max_running IS NOT NULL OR q.rate IS NOT NULL THEN 1 ELSE 0 END, CASE WHEN q.name IS NULL THEN 1 ELSE 0 END
FROM (SELECT name FROM n UNION SELECT name FROM b) n
LEFT JOIN queues q ON q.name = n.name
WHERE n.name <> '' AND NOT coalesce(q.paused, false)
ORDER BY n.name
