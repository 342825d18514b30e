-- Queues that can be claimed from: those of which the line begins somewhere, each looked up. One that
-- is not there was forgotten at the very moment a job came to it: its counter tells of it, or it stands at an end of the line.
SELECT q.name, CASE WHEN q.max_running IS NOT NULL OR q.rate IS NOT NULL THEN 1 ELSE 0 END, 0, q.worked_by
FROM queues q
WHERE NOT q.paused
  AND ((SELECT r.queue FROM ready r WHERE r.queue = q.name LIMIT 1) IS NOT NULL
    OR (SELECT b.queue FROM ready_batches b WHERE b.queue = q.name LIMIT 1) IS NOT NULL)
UNION ALL
SELECT c.name, 0, 1, 'server'
FROM (
  SELECT queue AS name FROM queue_counts WHERE state = 'queued' AND n > 0
  UNION SELECT * FROM (SELECT queue FROM ready ORDER BY queue LIMIT 1) f
  UNION SELECT * FROM (SELECT queue FROM ready ORDER BY queue DESC LIMIT 1) l) c
LEFT JOIN queues q ON q.name = c.name
WHERE q.name IS NULL
  AND ((SELECT r.queue FROM ready r WHERE r.queue = c.name LIMIT 1) IS NOT NULL
    OR (SELECT b.queue FROM ready_batches b WHERE b.queue = c.name LIMIT 1) IS NOT NULL)
ORDER BY 1
