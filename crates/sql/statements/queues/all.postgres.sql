-- Queues after a name with their counters; the oldest claimable job is found by walking the priorities.
SELECT q.name, q.worked_by, CASE WHEN q.paused THEN 1 ELSE 0 END, q.max_running, q.rate,
  coalesce((SELECT n FROM queue_counts c WHERE c.queue = q.name AND c.state = 'pending'), 0),
  coalesce((SELECT n FROM queue_counts c WHERE c.queue = q.name AND c.state = 'queued'), 0),
  coalesce((SELECT n FROM queue_counts c WHERE c.queue = q.name AND c.state = 'running'), 0),
  coalesce((SELECT n FROM queue_counts c WHERE c.queue = q.name AND c.state = 'retry_wait'), 0),
  coalesce((SELECT n FROM queue_counts c WHERE c.queue = q.name AND c.state = 'failed'), 0),
  coalesce((SELECT n FROM queue_counts c WHERE c.queue = q.name AND c.state = 'uncertain'), 0),
  coalesce((SELECT n FROM queue_counts c WHERE c.queue = q.name AND c.state = 'succeeded'), 0),
  least((SELECT min(b.run_at) FROM ready_batches b WHERE b.queue = q.name AND b.n >= 1), (WITH RECURSIVE priorities (priority) AS (
     SELECT min(r.priority) FROM ready r WHERE r.queue = q.name AND r.run >= 1
     UNION ALL
     SELECT (SELECT min(r.priority) FROM ready r WHERE r.queue = q.name AND r.priority > p.priority AND r.run >= 1) FROM priorities p WHERE p.priority IS NOT NULL
   )
   SELECT min((SELECT min(r.run_at) FROM ready r WHERE r.queue = q.name AND r.priority = p.priority AND r.run >= 1)) FROM priorities p WHERE p.priority IS NOT NULL)),
  {{ended_lately}}
FROM queues q
WHERE (:name::text IS NULL OR q.name = :name) AND q.name > :after
ORDER BY q.name LIMIT :limit
