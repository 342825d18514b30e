-- Queues after a name with their counters; the oldest claimable job is found by walking the priorities from the first to the last of each.
WITH RECURSIVE priorities (priority) AS (
  SELECT -100
  UNION ALL
  SELECT priority + 1 FROM priorities WHERE priority < 100
), shown AS (
  SELECT q.name, q.worked_by, q.paused, q.max_running, q.rate,
    (SELECT r.priority FROM ready r WHERE r.queue = q.name ORDER BY r.priority LIMIT 1) AS first,
    (SELECT r.priority FROM ready r WHERE r.queue = q.name ORDER BY r.priority DESC LIMIT 1) AS last,
    (SELECT b.run_at FROM ready_batches b WHERE b.queue = q.name ORDER BY b.run_at LIMIT 1) AS batch_at
  FROM queues q
  WHERE (:name IS NULL OR q.name = :name) AND q.name > :after
  ORDER BY q.name LIMIT :limit
), oldest AS (
  SELECT q.name, min((SELECT r.run_at FROM ready r WHERE r.queue = q.name AND r.priority = p.priority ORDER BY r.run_at LIMIT 1)) AS at
  FROM shown q JOIN priorities p ON p.priority >= q.first AND p.priority <= q.last
  GROUP BY q.name
)
SELECT q.name, q.worked_by, CASE WHEN q.paused THEN 1 ELSE 0 END, q.max_running, q.rate,
  coalesce((SELECT n FROM queue_counts c WHERE c.queue = q.name AND c.state = 'pending'), 0),
  coalesce((SELECT n FROM queue_counts c WHERE c.queue = q.name AND c.state = 'queued'), 0),
  coalesce((SELECT n FROM queue_counts c WHERE c.queue = q.name AND c.state = 'running'), 0),
  coalesce((SELECT n FROM queue_counts c WHERE c.queue = q.name AND c.state = 'retry_wait'), 0),
  coalesce((SELECT n FROM queue_counts c WHERE c.queue = q.name AND c.state = 'failed'), 0),
  coalesce((SELECT n FROM queue_counts c WHERE c.queue = q.name AND c.state = 'uncertain'), 0),
  coalesce((SELECT n FROM queue_counts c WHERE c.queue = q.name AND c.state = 'succeeded'), 0),
  least(coalesce(q.batch_at, o.at), coalesce(o.at, q.batch_at)),
  {{ended_lately}}
FROM shown q
LEFT JOIN oldest o ON o.name = q.name
ORDER BY q.name
