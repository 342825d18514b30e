-- Queues in which nothing has ended for long, nothing is left, and that nobody has set anything for. Lines of campaigns go with them. Who works
-- a queue off is said once, and known to every node from then on: a queue of remote workers stays.
SELECT q.name
FROM queues q
WHERE NOT q.paused AND q.max_running IS NULL AND q.rate IS NULL AND substr(q.name, 1, 4) <> 'cmp_' AND q.worked_by = 'server'
  AND q.created_at < :cutoff
  AND coalesce((SELECT (max(m.minute) + 1) * 60000000 FROM queue_minutes m WHERE m.queue = q.name) < :cutoff, true)
  AND NOT EXISTS (SELECT 1 FROM queue_counts k WHERE k.queue = q.name AND k.state IN ('pending', 'queued', 'running', 'retry_wait', 'failed') AND k.n <> 0)
  AND (SELECT r.queue FROM ready r WHERE r.queue = q.name AND r.run >= 1 LIMIT 1) IS NULL
ORDER BY q.name
LIMIT :limit
